package import NIOCore
import NIOPosix

/// Opens listening sockets and gives each accepted connection to the handler of its event loop.
package struct Listener {
    package enum Address: Sendable, Hashable, CustomStringConvertible {
        /// An empty host listens on every address.
        case tcp(host: String, port: Int)
        case unix(path: String)
        /// A socket that listens already, handed over by whoever started the process.
        case inherited(descriptor: CInt)

        package var description: String {
            switch self {
            case .tcp(let host, let port): host.contains(":") && !host.hasPrefix("[") ? "[\(host)]:\(port)" : "\(host):\(port)"
            case .unix(let path): "unix:\(path)"
            case .inherited(let descriptor): "inherited socket \(descriptor)"
            }
        }
    }

    /// What one event loop brings to its connections.
    package struct Loop {
        package let services: LoopServices
        package let handler: any RequestHandler
        package init(services: LoopServices, handler: any RequestHandler) {
            self.services = services
            self.handler = handler
        }
    }

    private let group: any EventLoopGroup
    private let loops: [ObjectIdentifier: NIOLoopBound<Loop>]
    private let settings: ServerSettings

    /// `loops`: one for each loop of `group`.
    package init(group: any EventLoopGroup, loops: [NIOLoopBound<Loop>], settings: ServerSettings) {
        self.group = group
        self.loops = Dictionary(uniqueKeysWithValues: loops.map { (ObjectIdentifier($0.eventLoop), $0) })
        self.settings = settings
    }

    /// The bound channel; its `localAddress` says which port was given for port 0.
    package func bind(_ address: Address) async throws -> any Channel {
        let loops = self.loops
        let settings = self.settings
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let bound = loops[ObjectIdentifier(channel.eventLoop)] else {
                        throw ListenerError.foreignEventLoop
                    }
                    let loop = bound.value
                    guard loop.services.gauge.admit() else {
                        loop.handler.refusedConnection()
                        throw ListenerError.tooManyConnections
                    }
                    try channel.pipeline.syncOperations.addHandler(
                        HTTP1Connection(
                            channel: channel, handler: loop.handler, settings: loop.services.settings ?? settings, loop: loop.services))
                }
            }
        switch address {
        case .tcp(let host, let port):
            let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
            return try await bootstrap.bind(host: name.isEmpty ? "::" : name, port: port).get()
        case .unix(let path):
            return try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        case .inherited(let descriptor):
            return try await bootstrap.withBoundSocket(descriptor).get()
        }
    }
}

package enum ListenerError: Error {
    case foreignEventLoop
    case tooManyConnections
}

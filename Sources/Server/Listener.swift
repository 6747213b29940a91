import Primitives
import Exchanges
import HTTPWire
package import NIOCore
package import Transport

/// Opens listening sockets and gives each accepted connection to the handler of its event loop.
package struct Listener {
    package enum Address: Sendable, Hashable, CustomStringConvertible {
        /// An empty host listens on every address.
        case tcp(host: String, port: Int)
        case unix(path: String)
        /// A listening socket, inherited from the parent process.
        case inherited(descriptor: CInt)

        package var description: String {
            switch self {
            case .tcp(let host, let port): host.contains(":") && !host.hasPrefix("[") ? "[\(host)]:\(port)" : "\(host):\(port)"
            case .unix(let path): "unix:\(path)"
            case .inherited(let descriptor): "inherited socket \(descriptor)"
            }
        }
    }

    /// The services and the handler of one event loop's connections.
    package struct Loop {
        package let services: ServerLoop
        package let handler: any RequestHandler
        package init(services: ServerLoop, handler: any RequestHandler) {
            self.services = services
            self.handler = handler
        }

        /// Closes idle connections of the loop; false where there is none.
        package func spareDescriptor() -> Bool {
            let count = services.closeIdle()
            if count > 0 { handler.closedIdleConnections(count) }
            return count > 0
        }
    }

    private let group: any TransportGroup
    private let loops: [ObjectIdentifier: NIOLoopBound<Loop>]
    private let settings: ServerSettings
    private let sparesDescriptors: Bool

    /// `loops`: one for each loop of `group`. `sparesDescriptors`: connections leave descriptors to upstreams and other listeners.
    package init(group: any TransportGroup, loops: [NIOLoopBound<Loop>], settings: ServerSettings, sparesDescriptors: Bool = false) {
        self.group = group
        self.sparesDescriptors = sparesDescriptors
        self.loops = Dictionary(uniqueKeysWithValues: loops.map { (ObjectIdentifier($0.eventLoop), $0) })
        self.settings = settings
    }

    /// The length of the kernel's queue of unaccepted connections.
    private static let backlog: CInt = 1024

    /// The `localAddress` of what is returned says which port was given for port 0.
    package func bind(_ address: Address) async throws -> any TransportListener {
        let loops = self.loops
        let settings = self.settings
        let sparesDescriptors = self.sparesDescriptors
        let options = ConnectionOptions(allowsHalfClosure: true, readsAtOnce: 1)
        let prepare: @Sendable (any Channel) throws -> Void = { channel in
            guard let bound = loops[ObjectIdentifier(channel.eventLoop)] else { throw ListenerError.foreignEventLoop }
            let loop = bound.value
            let peer = PeerAddress(channel.remoteAddress)
            guard loop.services.gauge.admit() else {
                loop.handler.refusedConnection(.tooMany, from: peer)
                throw ListenerError.tooManyConnections
            }
            guard !sparesDescriptors || Self.leavesDescriptors(channel, loop) else {
                loop.services.gauge.leave()
                loop.handler.refusedConnection(.descriptors, from: peer)
                throw ListenerError.tooManyConnections
            }
            let settings = loop.services.settings ?? settings
            guard settings.requiresProxyProtocol else { return try Self.begin(channel, of: peer, loop, settings) }
            try Self.awaitProxyHeader(channel, from: peer, loop, settings)
        }
        let onFailure: @Sendable (any EventLoop, IOError) -> Void = { loop, error in
            loops[ObjectIdentifier(loop)]?.value.handler.acceptFailed(error)
        }
        let source: ListenerSource
        switch address {
        case .tcp(let host, let port):
            let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
            source = .address(try SocketAddress.makeAddressResolvingHost(name.isEmpty ? "::" : name, port: port))
        case .unix(let path):
            source = .address(try SocketAddress(unixDomainSocketPath: path))
        case .inherited(let descriptor):
            source = .inherited(descriptor)
        }
        return try await group.listen(source, backlog: Self.backlog, options: options, onFailure: onFailure, prepare: prepare)
    }
}

extension Listener {
    /// Whether enough descriptors are left with a connection that the gauge has admitted. An idle one is closed for it if need be.
    private static func leavesDescriptors(_ channel: any Channel, _ loop: Loop) -> Bool {
        let limit = DescriptorLimit.current
        if channel.usesReserve {
            _ = loop.spareDescriptor()
            return false
        }
        return loop.services.gauge.count <= limit.clients || loop.spareDescriptor()
    }

    /// Makes the pipeline of a connection that the gauge has admitted. Throws where it has to be closed, and takes it off the gauge.
    private static func begin(_ channel: any Channel, of peer: PeerAddress, _ loop: Loop, _ settings: ServerSettings) throws {
        let gauge = loop.services.gauge
        if gauge.limitsAddresses, let address = NetworkAddress(peer.text), !settings.trustedProxies.contains(address) {
            guard gauge.admit(address) else {
                gauge.leave()
                loop.handler.refusedConnection(.tooManyOfAddress, from: peer)
                throw ListenerError.tooManyConnections
            }
            channel.closeFuture.whenComplete { _ in gauge.leave(address) }
        }
        try ConnectionSetup(channel: channel, peer: peer, handler: loop.handler, settings: settings, loop: loop.services).begin()
    }

    /// The same once the proxy in front has told who connected to it.
    private static func awaitProxyHeader(
        _ channel: any Channel, from proxy: PeerAddress, _ loop: Loop, _ settings: ServerSettings
    ) throws {
        let gauge = loop.services.gauge
        // Who can open a local socket is the file system's decision.
        let isTrusted = proxy.isLocalSocket || NetworkAddress(proxy.text).map(settings.trustedProxies.contains) ?? false
        guard isTrusted else {
            gauge.leave()
            loop.handler.refusedConnection(.untrustedProxy, from: proxy)
            throw ListenerError.untrustedProxy
        }
        try channel.pipeline.syncOperations.addHandler(
            ProxyProtocolHandler(
                wheel: loop.services.wheel, limit: settings.headerTimeout,
                proceed: { source in
                    try begin(channel, of: source.map { PeerAddress($0.address) } ?? proxy, loop, settings)
                },
                abandon: { refusal in
                    gauge.leave()
                    if let refusal { loop.handler.refusedConnection(refusal, from: proxy) }
                }))
    }
}

package enum ListenerError: Error {
    case foreignEventLoop
    case tooManyConnections
    case untrustedProxy
}

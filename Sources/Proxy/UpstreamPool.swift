package import HTTPWire
package import NIOCore
import NIOPosix
package import Server

/// Where an upstream listens. Clear-text HTTP/1.1 only, so far.
package enum UpstreamEndpoint: Sendable, Hashable {
    case tcp(host: String, port: Int)
    case unix(path: String)
}

/// The limits towards upstreams. Milliseconds, bytes and counts.
package struct UpstreamSettings: Sendable {
    package var connectTimeout: Int64 = 5_000
    /// From the request's end to the response head.
    package var responseTimeout: Int64 = 60_000
    /// Between two parts of a body.
    package var idleTimeout: Int64 = 75_000
    /// An unused connection is closed after this, before most upstreams do it.
    package var keepAlive: Int64 = 50_000
    /// Unused connections kept for each upstream and event loop.
    package var idleConnections = 256
    package var headLimits = HeadLimits(bytes: 64 * 1024, fields: 200)
    package init() {}
}

/// The connections of one event loop to one upstream; the most recently used is used first.
package final class UpstreamPool {
    let endpoint: UpstreamEndpoint
    let eventLoop: any EventLoop
    let settings: UpstreamSettings
    let wheel: DeadlineWheel
    /// The last one is the most recently used.
    private var idle: [UpstreamConnection] = []
    /// Connects a connection's channel, or reports the failure to it.
    private let connector: (UpstreamConnection, UpstreamPool) -> Void
    /// Connections opened since the start.
    package private(set) var opened = 0
    /// Connections that wait for their next request.
    package var idleCount: Int { idle.count }

    package convenience init(
        endpoint: UpstreamEndpoint, eventLoop: any EventLoop, settings: UpstreamSettings, wheel: DeadlineWheel
    ) {
        self.init(endpoint: endpoint, eventLoop: eventLoop, settings: settings, wheel: wheel) { $1.connect($0) }
    }

    /// `connector`: for tests, which have no sockets.
    init(
        endpoint: UpstreamEndpoint, eventLoop: any EventLoop, settings: UpstreamSettings, wheel: DeadlineWheel,
        connector: @escaping (UpstreamConnection, UpstreamPool) -> Void
    ) {
        self.connector = connector
        self.endpoint = endpoint
        self.eventLoop = eventLoop
        self.settings = settings
        self.wheel = wheel
    }

    /// Sends a request on an unused connection, else on a new one.
    package func forward(_ request: ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver) {
        if let connection = idle.popLast() {
            connection.start(request, of: exchange, observer: observer)
        } else {
            forwardOnNewConnection(request, of: exchange, observer: observer)
        }
    }

    func forwardOnNewConnection(_ request: ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver) {
        let connection = UpstreamConnection(pool: self)
        opened += 1
        connection.start(request, of: exchange, observer: observer)
        connector(connection, self)
    }

    private func connect(_ connection: UpstreamConnection) {
        let bound = NIOLoopBound(connection, eventLoop: eventLoop)
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(.milliseconds(settings.connectTimeout))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.allowRemoteHalfClosure, value: false)
            .channelOption(.maxMessagesPerRead, value: 4)
        let future: EventLoopFuture<any Channel> =
            switch endpoint {
            case .tcp(let host, let port): bootstrap.connect(host: Self.literal(host), port: port)
            case .unix(let path): bootstrap.connect(unixDomainSocketPath: path)
            }
        // Not by a channel initializer: a name with several addresses makes a channel for each attempt, and the handler is one.
        future.whenSuccess { channel in
            do {
                try channel.pipeline.syncOperations.addHandler(bound.value)
                bound.value.connected()
            } catch {
                channel.close(promise: nil)
                bound.value.connectFailed(isTimeout: false)
            }
        }
        future.whenFailure { error in
            let isTimeout: Bool
            if case .connectTimeout? = error as? ChannelError { isTimeout = true } else { isTimeout = false }
            bound.value.connectFailed(isTimeout: isTimeout)
        }
    }

    /// An address literal without its brackets.
    private static func literal(_ host: String) -> String {
        host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }

    /// Takes back a connection that has nothing left of its last exchange. False: the pool is full.
    func release(_ connection: UpstreamConnection) -> Bool {
        guard idle.count < settings.idleConnections else { return false }
        idle.append(connection)
        return true
    }

    func remove(_ connection: UpstreamConnection) {
        if let index = idle.lastIndex(where: { $0 === connection }) { idle.remove(at: index) }
    }

    /// Closes the unused connections; those in use end with their exchange.
    package func drain() {
        for connection in idle { connection.close() }
    }
}

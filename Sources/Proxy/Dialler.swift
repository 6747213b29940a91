import NIOCore
import NIOPosix

/// Opens TCP and Unix connections to one endpoint.
final class Dialler {
    private let endpoint: UpstreamEndpoint
    private let eventLoop: any EventLoop
    private let timeout: Int64

    /// `timeout` in milliseconds.
    init(endpoint: UpstreamEndpoint, eventLoop: any EventLoop, timeout: Int64) {
        self.endpoint = endpoint
        self.eventLoop = eventLoop
        self.timeout = timeout
    }

    /// Calls back on the event loop with an open channel that has no handlers, or with why there is none.
    func dial(_ done: @escaping @Sendable (Result<any Channel, UpstreamFailure>) -> Void) {
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(.milliseconds(timeout))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.allowRemoteHalfClosure, value: false)
            .channelOption(.maxMessagesPerRead, value: 4)
        let future: EventLoopFuture<any Channel> =
            switch endpoint {
            case .tcp(let host, let port): bootstrap.connect(host: Self.literal(host), port: port)
            case .unix(let path): bootstrap.connect(unixDomainSocketPath: path)
            }
        // Not by a channel initializer: a name with several addresses makes a channel for each attempt, and the handler is one.
        future.whenComplete { result in
            switch result {
            case .success(let channel): done(.success(channel))
            case .failure(let error):
                if case .connectTimeout? = error as? ChannelError { return done(.failure(.connectTimeout)) }
                done(.failure(.connectFailed))
            }
        }
    }

    /// An address literal without its brackets.
    static func literal(_ host: String) -> String {
        host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }
}

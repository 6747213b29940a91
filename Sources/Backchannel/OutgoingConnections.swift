import AsyncHTTPClient
import Glibc
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Connections to other servers, which are kept for the next call.
///
/// A server may close a kept connection at any time, also while the next request is on its way (RFC 9112 section 9.5): hook servers and
/// gateways of providers close each after the answer, without saying so. A call that ends like that, before the first byte of an answer, is
/// made once more, on a connection of its own.
final class OutgoingConnections: Sendable {
    /// The time for which unused connections are kept.
    private static let keptFor = TimeAmount.seconds(30)
    /// Hosts that the gateway calls are configured, so there are few.
    private static let mostOrigins = 1_000

    private let kept: HTTPClient
    private let fresh: HTTPClient
    /// By origin: when its last answer came, which may have left a connection.
    private let answered = Mutex<[String: NIODeadline]>([:])

    /// `connections`: the most to one host; further calls queue.
    init(group: any EventLoopGroup, additionalTrustRoots: [NIOSSLCertificate], connections: Int) {
        var configuration = HTTPClient.Configuration.outgoing(additionalTrustRoots: additionalTrustRoots, connections: connections)
        configuration.connectionPool.idleTimeout = Self.keptFor
        kept = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
        configuration.connectionPool.idleTimeout = .zero
        fresh = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
    }

    func shutdown() async throws {
        async let first: Void = kept.shutdown()
        async let second: Void = fresh.shutdown()
        _ = try await (first, second)
    }

    /// `timeout`: of one attempt. `repeats`: whether the call may be made twice. A code or a refresh token is never sent again (RFC 7636
    /// section 7.2): the server may have used it up.
    func execute(_ request: HTTPClientRequest, timeout: TimeAmount, repeats: Bool) async throws -> HTTPClientResponse {
        let origin = request.url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
        let mayBeKept = answered.withLock { $0[origin] }.map { NIODeadline.now() - $0 <= Self.keptFor } ?? false
        let response: HTTPClientResponse
        do {
            response = try await kept.execute(request, timeout: timeout)
        } catch {
            guard repeats, mayBeKept, Self.isClosed(error), !Task.isCancelled else { throw error }
            return try await fresh.execute(request, timeout: timeout)
        }
        answered.withLock { origins in
            if origins.count >= Self.mostOrigins { origins.removeAll() }
            origins[origin] = .now()
        }
        return response
    }

    private static func isClosed(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case let error as IOError: error.errnoCode == ECONNRESET || error.errnoCode == EPIPE
        case let error as ChannelError: error == .ioOnClosedChannel || error == .eof
        default: false
        }
    }
}

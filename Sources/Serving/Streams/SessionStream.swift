import Decisions
import Exchanges
import NIOCore
import Proxy
import Server
import Sessions

/// A tunnel or event stream, with the session that opened it.
final class SessionStream {
    let kind: LongResponse
    let requestID: RequestID
    /// The request's bearer token; nil for a session in a cookie.
    var token: StreamToken?
    let exchange: Exchange
    /// As it was at the start, but seen whenever bytes moved: traffic counts as activity for the stream.
    private(set) var session: Session
    private var transferredBytes: Int
    /// The session may have ended while the upstream was preparing its answer.
    var mustBeChecked = true
    /// Unix milliseconds since when it waits for the end of a WebSocket frame; nil: it has not been ended.
    var endsSince: Int64?

    init(
        _ kind: LongResponse, _ session: Session, _ token: StreamToken?, on exchange: Exchange, requestID: RequestID, now: Int64
    ) {
        self.kind = kind
        self.requestID = requestID
        self.exchange = exchange
        self.token = token
        self.session = session
        transferredBytes = Self.transferred(exchange)
        noteActivity(now)
    }

    private static func transferred(_ exchange: Exchange) -> Int { exchange.record.sentBodyBytes &+ exchange.record.receivedBodyBytes }

    /// Stamps the session if bytes have moved since the last call.
    func noteTraffic(_ now: Int64) {
        let bytes = Self.transferred(exchange)
        guard bytes != transferredBytes else { return }
        transferredBytes = bytes
        noteActivity(now)
    }

    func noteActivity(_ now: Int64) { session = session.seen(at: now) }

    /// Unix milliseconds at which it ends, or its token is verified anew, unless something happens before.
    func nextCheck(_ limits: SessionLimits) -> Int64 { token?.nextCheck(limits) ?? limits.expiry(of: session) }
}

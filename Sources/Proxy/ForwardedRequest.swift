import Decisions
package import Exchanges
import HTTPWire
package import NIOCore

/// A request ready to go to an upstream. Its head is written by `RequestHeadWriter`, from a `Permit`. A class: it is handed from the pool to a connection
/// and back, and copying so many references costs more than the object. Its memory serves another request afterwards.
package final class ForwardedRequest {
    /// The complete head, with the empty line.
    package private(set) var head = ByteBuffer()
    private(set) var method = HTTPWire.Method.other
    private(set) var framing = BodyFraming.none
    private(set) var bodyLimit: Int?
    private(set) var response = ResponseEdits.none
    /// The client sent a header that is not its to send, which was left out; `RequestHeadWriter.identityHeaders` tells which.
    package private(set) var leftOutIdentity = false
    /// The protocol that was asked for, and the only one that a 101 may switch to; nil: no 101 is an answer.
    private(set) var upgrade: UpgradeProtocol?
    /// Its credentials authenticate the connection (NTLM, Negotiate), which serves nobody else afterwards.
    private(set) var authenticatesConnection = false
    /// The client said `TE: trailers`: those of the response are passed on (RFC 9110 section 6.5.1).
    private(set) var acceptsTrailers = false
    /// The trailers allowed after a chunked body; nil for any other body.
    private(set) var trailers: RequestTrailers?
    /// Milliseconds; 0: the pool's.
    private(set) var responseTimeout: Int64 = 0
    private(set) var idleTimeout: Int64 = 0

    /// The attempts made so far.
    var attempts = RetryPolicy.Attempts()
    /// The part of the body that has been sent; nil when it is not kept.
    private(set) var replay: BodyReplay?

    /// One that asks for nothing yet.
    init() {}

    convenience init(
        head: ByteBuffer, method: HTTPWire.Method, framing: BodyFraming, bodyLimit: Int?, response: ResponseEdits,
        authenticatesConnection: Bool = false, acceptsTrailers: Bool = false, trailers: RequestTrailers? = nil
    ) {
        self.init()
        become(
            head: head.byteSpan, method: method, framing: framing, bodyLimit: bodyLimit, response: response,
            authenticatesConnection: authenticatesConnection, acceptsTrailers: acceptsTrailers, trailers: trailers)
    }

    /// Another request in the same memory. Nothing of the one before stays.
    func become(
        head bytes: RawSpan, method: HTTPWire.Method, framing: BodyFraming, bodyLimit: Int?, response: ResponseEdits,
        leftOutIdentity: Bool = false, upgrade: UpgradeProtocol? = nil, authenticatesConnection: Bool = false,
        acceptsTrailers: Bool = false, trailers: RequestTrailers? = nil, responseTimeout: Int64 = 0, idleTimeout: Int64 = 0
    ) {
        head.clear(minimumCapacity: bytes.byteCount)
        head.put(bytes)
        self.method = method
        self.framing = framing
        self.bodyLimit = bodyLimit
        self.response = response
        self.leftOutIdentity = leftOutIdentity
        if upgrade != nil || self.upgrade != nil { self.upgrade = upgrade }
        self.authenticatesConnection = authenticatesConnection
        self.acceptsTrailers = acceptsTrailers
        self.trailers = trailers
        self.responseTimeout = responseTimeout
        self.idleTimeout = idleTimeout
        attempts = RetryPolicy.Attempts()
        dropReplay()
    }

    /// Lets go of everything but the memory of an ordinary head.
    fileprivate func empty() {
        if head.capacity > 4 * 1024 { head = ByteBuffer() } else { head.clear() }
        response = .none
        if upgrade != nil { upgrade = nil }
        if trailers != nil { trailers = nil }
        dropReplay()
    }

    /// May be sent again on another connection, as long as no byte of a response was seen (RFC 9112 section 9.3.1).
    var isRepeatable: Bool { (framing == .none || replay != nil) && method.isIdempotent && upgrade == nil }

    /// Needs an HTTP/1.1 connection of its own: for another protocol, or because it authenticates the connection.
    var needsHTTP1: Bool { upgrade != nil || authenticatesConnection }

    // MARK: Replay of the body

    /// Keeps the body from now on if the request is idempotent and the body is not known to be too long.
    func keepBody() {
        guard method.isIdempotent, upgrade == nil else { return }
        if case .length(let length) = framing, length > BodyReplay.byteLimit { return }
        replay = BodyReplay()
    }

    func keep(_ part: ByteBuffer) {
        if replay?.append(part) == false { replay = nil }
    }

    func keepEnd(trailers: ByteBuffer?) { replay?.complete(trailers: trailers) }

    /// The response has begun, so the request is not sent again.
    func dropReplay() { if replay != nil { replay = nil } }

    /// Returns the kept body for the second attempt, which is the last.
    func takeReplay() -> BodyReplay? { replay.take() }
}

extension ForwardedRequest {
    /// Becomes the request whose head `writer` wrote into `lines` from `head`, with what is to be done with its response.
    func become(
        _ lines: borrowing LineBytes, from head: RequestHead, _ plan: borrowing ForwardPlan, _ writer: RequestHeadWriter,
        leftOutIdentity: Bool, authenticatesConnection: Bool
    ) {
        become(
            head: lines.bytes, method: head.method, framing: head.framing, bodyLimit: plan.bodyLimit, response: plan.response,
            leftOutIdentity: leftOutIdentity, upgrade: plan.upgrade, authenticatesConnection: authenticatesConnection,
            acceptsTrailers: head.acceptsTrailers, trailers: writer.trailers(after: head, plan), responseTimeout: plan.responseTimeout,
            idleTimeout: plan.idleTimeout)
    }
}

/// The memory of requests that are over, of one event loop: under load a request allocates nothing.
final class SpareRequests {
    private static let most = 64
    private var spare: [ForwardedRequest] = []

    func take() -> ForwardedRequest { spare.popLast() ?? ForwardedRequest() }

    /// Takes a request that has no other owner.
    func giveBack(_ spent: inout ForwardedRequest?) {
        guard spare.count < Self.most, isKnownUniquelyReferenced(&spent), let request = spent.take() else { return }
        request.empty()
        spare.append(consume request)
    }
}

/// The reason why a request to an upstream failed. The raw value is the log's reason code and a metric's label.
package enum UpstreamFailure: String, Error, Sendable, CaseIterable {
    case connectFailed = "upstream-connect-failed"
    /// The target's name has no address, or the resolver does not answer.
    case nameUnresolved = "upstream-name-unresolved"
    case connectTimeout = "upstream-connect-timeout"
    /// `maxConnections` is reached.
    case busy = "upstream-busy"
    case closedEarly = "upstream-closed-early"
    case invalidResponse = "upstream-invalid-response"
    case responseTimeout = "upstream-response-timeout"
    /// The body of a response stood still for the idle limit.
    case idleTimeout = "upstream-idle-timeout"
    /// The upstream broke the rules of HTTP/2, or does not speak it.
    case http2Error = "upstream-http2-error"
    /// The upstream ended the stream with an error code.
    case streamReset = "upstream-stream-reset"
    /// A WebSocket for an upstream that speaks HTTP/2 only.
    case noWebSocket = "upstream-no-websocket"
    /// NTLM or Negotiate for an upstream that speaks HTTP/2 only.
    case noConnectionAuthentication = "upstream-no-connection-authentication"
    case tlsFailed = "upstream-tls-failed"
    case certificateUntrusted = "upstream-certificate-untrusted"
    case certificateExpired = "upstream-certificate-expired"
    case certificateNotYetValid = "upstream-certificate-not-yet-valid"
    case certificateWrongName = "upstream-certificate-wrong-name"
    /// The upstream did not like the gateway's certificate, or that there was none.
    case certificateRefused = "upstream-certificate-refused"

    /// 504 when the upstream is late, else 502 (RFC 9110 section 15.6).
    package var status: Int {
        switch self {
        case .connectTimeout, .responseTimeout, .idleTimeout: 504
        case .busy: 503
        default: 502
        }
    }

    /// It says something about the target, and not about the request.
    var isAboutTarget: Bool { self != .noWebSocket && self != .noConnectionAuthentication }

    /// The published code; nil: the one of the status.
    package var errorCode: String? { self == .busy ? "proxy/upstream-busy" : nil }
}

/// The reason and the target of a failed request.
package struct ForwardFailure: Error, Sendable, Equatable {
    package var reason: UpstreamFailure
    /// The target as it is configured.
    package var target: String
    /// In a few words; empty when the reason says it all.
    package var detail: String

    package init(_ reason: UpstreamFailure, at target: String, _ detail: String = "") {
        self.reason = reason
        self.target = target
        self.detail = detail
    }

    /// The reason, with the detail where there is one.
    var words: String { detail.isEmpty ? reason.rawValue : "\(reason.rawValue): \(detail)" }
}

/// A response without an end of its own: it can go on for longer than the session that opened it.
package enum LongResponse: String, Sendable {
    /// A WebSocket, or another protocol that both sides switched to.
    case tunnel
    /// `text/event-stream`.
    case eventStream = "event-stream"
}

/// Hears of responses without an end, and how forwarding ends where it does not end in a response. Called on the exchange's event loop.
package protocol ForwardObserver: AnyObject {
    /// The head of a tunnel's or a signed-in user's event stream has been sent.
    func forward(_ exchange: Exchange, opened response: LongResponse)
    /// No byte of a response has been sent yet: the observer answers.
    func forward(_ exchange: Exchange, failed failure: ForwardFailure)
    /// The response had begun and was cut off.
    func forward(_ exchange: Exchange, cutOff failure: ForwardFailure)
    /// Names the only caller who may use an upstream connection that a request of the exchange authenticates. Nil: nobody may, because the
    /// client connection is not one client's.
    func connectionOwner(of exchange: Exchange) -> ConnectionOwner?
}

/// The caller who may use an authenticated upstream connection, among those of its client connection.
package enum ConnectionOwner: Equatable {
    case noSession
    /// By the session's id.
    case session([UInt8])
}

package import HTTPWire
package import NIOCore
package import Server

/// A request ready to go to an upstream. Made by `RequestWriter`, from a `Permit`.
package struct ForwardedRequest {
    /// The complete head, with the empty line.
    let head: ByteBuffer
    let method: HTTPWire.Method
    let framing: BodyFraming
    let bodyLimit: Int?
    let response: ResponseEdits
    /// The client sent a header that is not its to send, which was left out; `RequestWriter.identityNames` tells which.
    package var leftOutIdentity = false
    /// A WebSocket handshake: a 101 is an answer.
    var tunnel: Tunnel?
    /// The client said `TE: trailers`: those of the response are passed on (RFC 9110 section 6.5.1).
    var acceptsTrailers = false
    /// What may follow a chunked body; nil for any other.
    var trailers: RequestTrailers?

    struct Tunnel {
        /// How long the tunnel may stay; nil: no limit.
        var limit: Int64?
    }

    /// May be sent again on another connection, as long as no byte of a response was seen (RFC 9112 section 9.3.1).
    var isRepeatable: Bool { framing == .none && method.isIdempotent && tunnel == nil }
}

/// Which trailers of a client go on: none under a name that no client may send (RFC 9110 section 6.5.1).
final class RequestTrailers: Sendable {
    private let stripped: FoldedNameSet

    init(stripped: FoldedNameSet) { self.stripped = stripped }

    func kept(of lines: ByteBuffer) -> TrailerFields? { TrailerFields(lines) { stripped.contains($0) } }
}

/// What is changed in the head of the upstream's response.
package struct ResponseEdits {
    /// Complete lines to add: our own cookies, renewed.
    package var addedLines: ByteBuffer?
    /// The request was made by a signed-in person: what comes back is private unless the upstream says otherwise.
    package var isPrivate: Bool
    /// Drops an upstream's `Set-Cookie` that carries one of our names.
    package var cookies: GatewayCookieNames

    package init(addedLines: ByteBuffer?, isPrivate: Bool, cookies: GatewayCookieNames) {
        self.addedLines = addedLines
        self.isPrivate = isPrivate
        self.cookies = cookies
    }
}

/// Tells whether a cookie name is one of ours.
package struct GatewayCookieNames: Sendable {
    let isOurs: @Sendable (UnsafeRawBufferPointer) -> Bool
    package init(_ isOurs: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) { self.isOurs = isOurs }
}

/// Why an upstream gave no usable answer. The raw value is the log's reason code and a metric's label.
package enum UpstreamFailure: String, Error, Sendable, CaseIterable {
    case connectFailed = "upstream-connect-failed"
    case connectTimeout = "upstream-connect-timeout"
    case closedEarly = "upstream-closed-early"
    case invalidResponse = "upstream-invalid-response"
    case responseTimeout = "upstream-response-timeout"

    /// 504 when the upstream is late, else 502 (RFC 9110 section 15.6).
    package var status: Int {
        switch self {
        case .connectTimeout, .responseTimeout: 504
        default: 502
        }
    }
}

/// Hears how forwarding ends where it does not end in a response. Called on the exchange's event loop.
package protocol ForwardObserver: AnyObject {
    /// No byte of a response has been sent yet: the observer answers.
    func forward(_ exchange: Exchange, failed failure: UpstreamFailure, detail: WireError?)
    /// The response had begun and was cut off.
    func forward(_ exchange: Exchange, cutOff failure: UpstreamFailure, detail: WireError?)
}

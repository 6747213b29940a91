import Exchanges
import HTTPWire

/// One stream of an HTTP/2 connection to an upstream as a value (RFC 9113 sections 5.1 and 8.1): how much of the request was sent, what of
/// the response has arrived, and how the stream ends.
///
/// Each event is a function, which changes the state and returns what is to be done. `UpstreamStream` does it. The codec below has checked
/// that frames may stand where they stand; this checks what they mean.
struct HTTP2ClientMachine {
    /// How much of the request was sent. After END_STREAM the stream is "half-closed (local)".
    enum Request {
        /// The stream is being opened.
        case waiting
        /// The head was sent, and a body follows.
        case body
        /// The request is its head alone.
        case headOnly
        /// The head and the whole body were sent.
        case sent
    }

    /// The meaning of the next frames.
    enum Response {
        /// The stream is being opened: there are none.
        case none
        /// A head. After an interim response, of which there were so many, the request is not repeated.
        case awaited(interim: Int)
        /// `missing`: the bytes of `content-length` that have not arrived; nil without one.
        case body(missing: Int?)
        case closed
    }

    /// What the exchange was given since its last flush.
    enum Delivery { case nothing, bytes }

    /// Frames of the request that the channel has and has not flushed.
    enum Writes { case flushed, unflushed }

    /// The place among the streams of the connection, which limits their number.
    enum Membership { case counted, left }

    private(set) var request = Request.waiting
    private(set) var response = Response.none
    private(set) var limit = UpstreamLimit.none
    private(set) var client = ClientState.ready
    private var gate = ReadGate()
    private var delivery = Delivery.nothing
    private var writes = Writes.flushed
    private var membership = Membership.counted
    /// The reads of the connection when the request was sent.
    private var readsAtStart: UInt64 = 0

    // MARK: Questions

    var isClosed: Bool { if case .closed = response { true } else { false } }

    /// The head of the response is missing.
    var awaitsHead: Bool { if case .awaited = response { true } else { false } }

    /// The request is on the stream, and its response is not whole.
    var isServing: Bool {
        switch response {
        case .awaited, .body: true
        case .none, .closed: false
        }
    }

    /// A body was asked for.
    var hasBodyBegun: Bool {
        switch request {
        case .waiting, .headOnly: false
        case .body, .sent: true
        }
    }

    var isRequestSent: Bool {
        switch request {
        case .waiting, .body: false
        case .headOnly, .sent: true
        }
    }

    /// A read waits until the client can take more.
    var isReadHeld: Bool { gate.isHeld }

    // MARK: Request

    enum Beginning {
        /// The stream was open before.
        case drop
        case head
        case headAndBody
    }

    /// The stream is open. `reads`: those of the connection so far.
    mutating func begin(_ framing: BodyFraming, reads: UInt64) -> Beginning {
        guard case .none = response else { return .drop }
        response = .awaited(interim: 0)
        readsAtStart = reads
        guard case .none = framing else {
            request = .body
            return .headAndBody
        }
        request = .headOnly
        limit = .response
        return .head
    }

    /// A part of the body was taken.
    mutating func sentPart() -> HTTP2ClientActions {
        guard case .body = response, client == .ready else { return [] }
        limit = .body
        return .setDeadline
    }

    /// The body is complete. False if the request was, or the stream has ended.
    mutating func endRequest() -> Bool {
        guard isServing, request == .body else { return false }
        request = .sent
        return true
    }

    /// The last frame of the request was written.
    mutating func wroteEnd() -> HTTP2ClientActions {
        guard awaitsHead else { return [] }
        limit = .response
        return .setDeadline
    }

    mutating func wrote() { writes = .unflushed }

    /// True if frames are to be flushed.
    mutating func flush() -> Bool {
        defer { writes = .flushed }
        return writes == .unflushed
    }

    /// The upstream takes more of the request, or no more for now.
    mutating func outputChanged(isWritable: Bool) -> HTTP2ClientActions {
        guard isServing, !isRequestSent else { return [] }
        guard awaitsHead else { return .reportWritability }
        // An upstream that takes no more of the request is as late as one that does not answer.
        limit = isWritable ? .none : .response
        return [isWritable ? .clearDeadline : .setDeadline, .reportWritability]
    }

    // MARK: Response

    enum Fields {
        /// The stream has ended, or has not begun.
        case drop
        case head
        case trailers
    }

    /// A field section.
    func receiveFields(isLast: Bool) throws(WireError) -> Fields {
        switch response {
        case .none, .closed: return .drop
        case .awaited: return .head
        case .body:
            // A second field section is the trailers, and the end (RFC 9113 section 8.1).
            guard isLast else { throw .trailersInvalid }
            return .trailers
        }
    }

    /// An interim response, of which at most `most` may come.
    mutating func receiveInterim(isLast: Bool, most: Int) throws(WireError) {
        guard case .awaited(let count) = response else { return }
        response = .awaited(interim: count + 1)
        guard !isLast, count < most else { throw .statusLineMalformed }
    }

    /// An interim response was sent on.
    mutating func sentInterim(_ client: ClientState) { self.client = client }

    /// The framing for the client, of a response that ends with its head if `isLast`.
    func checkedFraming(_ framing: ResponseFraming, isLast: Bool) throws(WireError) -> ResponseFraming {
        switch framing {
        case .none, .lengthOnly: return framing
        case .length(let length):
            if isLast, length > 0 { throw .contentLengthInvalid }
            return framing
        // Nothing follows, so the length is known.
        case .stream: return isLast ? .length(0) : .stream
        }
    }

    enum Begun {
        /// The client has closed its request.
        case drop
        case body(HTTP2ClientActions)
        /// Nothing may follow, so nothing is waited for (RFC 9110 section 6.4.1): `end` follows.
        case whole
    }

    /// The head of the final response was sent on.
    mutating func beginResponse(_ framing: ResponseFraming, isLast: Bool, _ client: ClientState) -> Begun {
        guard case .awaited = response else { return .drop }
        self.client = client
        delivery = .bytes
        switch framing {
        case .none, .lengthOnly:
            response = .body(missing: nil)
            return .whole
        case .length(let length): response = .body(missing: length)
        case .stream: response = .body(missing: nil)
        }
        if isLast { return .whole }
        // While the client is full, its own limit runs.
        limit = client == .ready ? .body : .none
        return .body(client == .ready ? .setDeadline : .clearDeadline)
    }

    enum Data {
        /// Nothing, for nobody.
        case drop
        /// Bytes that belong to no response: the stream closes.
        case close
        case take
    }

    /// DATA of so many bytes.
    mutating func receive(_ count: Int) throws(WireError) -> Data {
        switch response {
        case .none, .closed: return count > 0 ? .close : .drop
        case .awaited: throw .statusLineMalformed
        case .body(let missing):
            if let missing {
                guard count <= missing else { throw .contentLengthInvalid }
                response = .body(missing: missing - count)
            }
            return .take
        }
    }

    /// Bytes of the response were given to the exchange.
    mutating func sentOn() -> HTTP2ClientActions {
        guard case .body = response else { return [] }
        delivery = .bytes
        guard client == .ready else { return [] }
        limit = .body
        return .setDeadline
    }

    /// The response is complete. True if the rest of the request is of no use to anyone: the stream closes.
    mutating func end() throws(WireError) -> Bool {
        if case .body(let missing) = response, let missing, missing > 0 { throw .contentLengthInvalid }
        shut()
        return !isRequestSent
    }

    /// All that can be read now was read. True if the exchange is to be flushed.
    mutating func takeDelivery() -> Bool {
        defer { delivery = .nothing }
        return delivery == .bytes
    }

    // MARK: The client

    /// The client can take more, or no more for now.
    mutating func clientChanged(_ client: ClientState) -> HTTP2ClientActions {
        self.client = client
        let reading: HTTP2ClientActions = gate.resumes(hasRoom: client == .ready) ? .resumeReading : []
        guard case .body = response else { return reading }
        // While the client is full, its own limit runs.
        limit = client == .ready ? .body : .none
        return reading.union(client == .ready ? .setDeadline : .clearDeadline)
    }

    /// Whether the next read may happen now.
    mutating func mayRead() -> Bool { gate.mayRead(hasRoom: client == .ready || !isServing) }

    // MARK: Ends

    /// The exchange cannot be completed. `progress`: how far the request came, unless a response has begun.
    mutating func fail(_ progress: RetryPolicy.Progress) -> ExchangeFailure {
        defer { shut() }
        switch response {
        case .closed: return .none
        case .body: return .cutOff
        case .none: return .unanswered(progress)
        case .awaited(let interim): return .unanswered(interim > 0 ? .answered : progress)
        }
    }

    /// The stream closes.
    mutating func close() { shut() }

    private mutating func shut() {
        response = .closed
        limit = .none
        delivery = .nothing
    }

    /// The stream has left the connection. False if it had left before.
    mutating func leave() -> Bool {
        defer { membership = .left }
        return membership == .counted
    }

    enum Expiry {
        case nothing
        /// `isSilent`: nothing was read from the connection since the request was sent. It may be dead.
        case response(isSilent: Bool)
        case body(isSilent: Bool)
    }

    /// The limit has passed. `reads`: those of the connection so far.
    mutating func deadlineExpired(reads: UInt64) -> Expiry {
        let expired = limit
        limit = .none
        switch expired {
        case .none, .connect, .keepAlive: return .nothing
        case .response: return .response(isSilent: reads == readsAtStart)
        case .body: return .body(isSilent: reads == readsAtStart)
        }
    }
}

import Exchanges
import HTTPWire
import NIOCore

/// One HTTP/1.1 connection to an upstream as a value (RFC 9112): how much of a request was sent, what the next bytes are, and whether the
/// connection can be used again.
///
/// Each event is a function, which changes the state and returns what is to be done. `UpstreamConnection` does it. The cases carry no
/// references: every request passes through them.
struct HTTP1ClientMachine {
    enum Link {
        /// The channel is being opened.
        case opening
        case new
        /// The connection has carried a whole exchange before.
        case kept
    }

    /// How much of the request was sent. Before the first byte, what the upstream says is no answer to it.
    enum Request {
        /// The channel is being opened.
        case waiting
        /// Nothing was sent: the turn has not ended.
        case unsent
        /// The request is its head alone, to be sent from its own memory.
        case headOnly
        /// Nothing was sent, and the request is complete.
        case gathered
        /// Parts were sent, and others follow.
        case partial
        /// The rest is sent at the end of the turn.
        case ending
        case sent
    }

    /// The encoding of the request's body.
    enum Coding { case plain, chunked }

    /// The meaning of the next bytes.
    enum Response {
        /// No request is on the connection: none are expected.
        case idle
        /// The head of a response.
        case awaited
        /// The same, and some of the response has arrived, so the request is not repeated.
        case begun
        case body(Body)
        /// Both sides have switched protocols.
        case tunnel
        case closed
    }

    enum Body { case length, chunked, untilClose }

    /// What the response says about the connection.
    enum Persistence { case keeps, closes }

    /// What the exchange was given since its last flush.
    enum Delivery {
        case nothing
        /// A head whose body is expected at once.
        case head
        case bytes
    }

    var link = Link.opening
    var request = Request.waiting
    private var coding = Coding.plain
    var response = Response.idle
    var persistence = Persistence.closes
    var limit = UpstreamLimit.none
    var client = ClientState.ready
    var delivery = Delivery.nothing
    var inbox = ByteInbox()
    private var parser: ResponseHeadParser
    private var decoder = BodyDecoder(.none)

    init(limits: HeadLimits) { parser = ResponseHeadParser(limits: limits) }

    // MARK: Questions

    /// A request is on the connection.
    var isServing: Bool {
        switch response {
        case .awaited, .begun, .body, .tunnel: true
        case .idle, .closed: false
        }
    }

    /// The head of the response is missing.
    var awaitsHead: Bool {
        switch response {
        case .awaited, .begun: true
        case .idle, .body, .tunnel, .closed: false
        }
    }

    var isTunnel: Bool { if case .tunnel = response { true } else { false } }

    var isClosed: Bool { if case .closed = response { true } else { false } }

    var isIdle: Bool { if case .idle = response { true } else { false } }

    /// The channel was open once.
    var wasOpened: Bool { link != .opening }

    /// The request is its head alone and waits for the end of the turn.
    var isHeadWaiting: Bool { request == .headOnly && isServing }

    var isUnsent: Bool {
        switch request {
        case .waiting, .unsent, .headOnly, .gathered: true
        case .partial, .ending, .sent: false
        }
    }

    /// The lines of the trailer section that ended the body.
    var trailers: ByteBuffer? { decoder.trailers }

    // MARK: Request

    /// A request is given to the connection. True if `begin` can follow; else it waits until the channel is open.
    mutating func start() -> Bool {
        request = .waiting
        response = .awaited
        client = .ready
        guard link == .opening else { return true }
        limit = .connect
        return false
    }

    /// The channel is open. True if a request waits for it.
    mutating func open() -> Bool {
        if link == .opening { link = .new }
        return isServing
    }

    /// The request begins. True if a body follows its head.
    @inline(__always)
    mutating func begin(_ framing: BodyFraming) -> Bool {
        switch framing {
        case .none:
            request = .headOnly
            limit = .response
            return false
        case .length, .untilClose: coding = .plain
        case .chunked: coding = .chunked
        }
        request = .unsent
        limit = .none
        return true
    }

    enum Part {
        /// The request is complete, or there is none.
        case drop
        case plain, chunk
    }

    /// A part of the request's body, or of what the client of a tunnel sends.
    @inline(__always)
    func sendPart(_ count: Int) -> Part {
        if count == 0 { return .drop }
        switch response {
        case .tunnel: return .plain
        case .idle, .closed: return .drop
        case .awaited, .begun, .body: break
        }
        switch request {
        case .unsent, .partial: return coding == .plain ? .plain : .chunk
        case .waiting, .headOnly, .gathered, .ending, .sent: return .drop
        }
    }

    enum RequestEnd {
        /// The request is complete already, or there is none.
        case drop
        case plain, lastChunk
    }

    /// The request's body is complete. `hasUnsent`: some of it waits to be sent.
    mutating func endRequest(hasUnsent: Bool) -> RequestEnd {
        guard isServing else { return .drop }
        switch request {
        case .unsent: request = .gathered
        case .partial: request = hasUnsent || coding == .chunked ? .ending : .sent
        case .waiting, .headOnly, .gathered, .ending, .sent: return .drop
        }
        if awaitsHead { limit = .response }
        return coding == .plain ? .plain : .lastChunk
    }

    enum Sending {
        case nothing
        /// The request's head, from its own memory.
        case head
        /// What was collected.
        case bytes
    }

    /// Everything is sent now.
    @inline(__always)
    mutating func send() -> Sending {
        guard isServing else { return .nothing }
        switch request {
        case .headOnly:
            request = .sent
            return .head
        case .unsent: request = .partial
        case .gathered, .ending: request = .sent
        case .waiting: return .nothing
        case .partial, .sent: break
        }
        return .bytes
    }

    /// The upstream takes more of the request, or no more for now.
    mutating func outputChanged(isWritable: Bool) -> HTTP1ClientActions {
        switch response {
        case .idle, .closed: return []
        // No limit: a side that reads slowly stops the other.
        case .tunnel: return .reportWritability
        case .awaited, .begun, .body: break
        }
        switch request {
        case .waiting, .headOnly, .gathered, .ending, .sent: return []
        case .unsent, .partial: break
        }
        // An upstream that takes no more of the request is as late as one that does not answer.
        guard awaitsHead else {
            limit = .body
            return [.setDeadline, .reportWritability]
        }
        limit = isWritable ? .none : .response
        return [isWritable ? .clearDeadline : .setDeadline, .reportWritability]
    }

    // MARK: Response

    /// What the received bytes are.
    enum Step {
        /// Nothing more for now.
        case wait
        /// The same, and the limit of the body runs anew.
        case waitForBody
        /// A part of a head, or all of it: `parseHead` follows.
        case head
        /// Bytes of a body or a tunnel.
        case part(ByteBuffer)
        /// The end of the body.
        case end
        /// Bytes that belong to no request.
        case unexpected
    }

    /// Takes the next part of what was received.
    @inline(__always)
    mutating func next() throws(WireError) -> Step {
        switch response {
        case .awaited, .begun:
            if inbox.isEmpty { return .wait }
            if isUnsent { return .unexpected }
            response = .begun
            return .head
        case .body:
            switch try decoder.next(&inbox.bytes) {
            case .data(let bytes):
                delivery = .bytes
                return .part(bytes)
            case .end: return .end
            case .needsMore:
                // Once for all that came.
                guard delivery != .nothing, client == .ready else { return .wait }
                limit = .body
                return .waitForBody
            }
        case .tunnel:
            guard let bytes = inbox.takeAll() else { return .wait }
            delivery = .bytes
            return .part(bytes)
        case .idle, .closed: return takesUnexpected() ? .unexpected : .wait
        }
    }

    /// Without a request, whether bytes have come: they would become the next client's response.
    mutating func takesUnexpected() -> Bool {
        if isClosed { inbox.clear() }
        return !inbox.isEmpty
    }

    /// True once `head` is complete. `method`: the request's.
    @inline(__always)
    mutating func parseHead(_ head: inout ResponseHead, method: HTTPWire.Method) throws(WireError) -> Bool {
        try parser.parse(&inbox.bytes, method: method, into: &head)
    }

    /// Takes back the memory of a head.
    @inline(__always)
    mutating func recycle(_ head: inout ResponseHead) { head.recycle(into: &parser) }

    /// An interim response was sent on.
    mutating func interim(_ client: ClientState) { self.client = client }

    /// The head of the final response was sent on.
    @inline(__always)
    mutating func beginResponse(_ framing: BodyFraming, keepsAlive: Bool, _ client: ClientState) -> HTTP1ClientActions {
        // The client may have gone meanwhile.
        guard case .begun = response else { return [] }
        persistence = keepsAlive ? .keeps : .closes
        decoder = BodyDecoder(framing)
        delivery = .bytes
        switch framing {
        case .none: response = .body(.length)
        case .length(let length):
            response = .body(.length)
            if length > 0 { delivery = .head }
        case .chunked: response = .body(.chunked)
        case .untilClose:
            response = .body(.untilClose)
            persistence = .closes
        }
        self.client = client
        guard client == .full else { return [] }
        // The client's own limit runs now.
        limit = .none
        return .clearDeadline
    }

    /// The head of a 101 was sent on: the connection is the two sides' own.
    mutating func switchProtocols() -> HTTP1ClientActions {
        guard case .begun = response else { return [] }
        response = .tunnel
        delivery = .bytes
        limit = .none
        return .clearDeadline
    }

    /// The client can take more, or no more for now.
    mutating func clientChanged(_ client: ClientState) -> HTTP1ClientActions {
        self.client = client
        var actions: HTTP1ClientActions = resumesReading() ? .resumeReading : []
        guard case .body = response else { return actions }
        switch client {
        case .ready:
            limit = .body
            actions.insert(.setDeadline)
        case .full:
            // The client's own limit runs now.
            limit = .none
            actions.insert(.clearDeadline)
        }
        return actions
    }

    /// What the exchange has to flush.
    mutating func takeDelivery() -> Delivery {
        let taken = delivery
        delivery = .nothing
        return taken
    }

    // MARK: Reading

    var hasRoom: Bool { client == .ready || !isServing }

    /// All that can be read now was received. True if the next read may happen.
    mutating func mayRead() -> Bool { inbox.mayRead(hasRoom: hasRoom) }

    mutating func resumesReading() -> Bool { inbox.resumesReading(hasRoom: hasRoom) }
}

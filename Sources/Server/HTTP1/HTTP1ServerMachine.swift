import Exchanges
import HTTPWire
import NIOCore

/// One HTTP/1.1 connection of a client as a value (RFC 9112): what the next bytes are, what may be sent, and how the connection ends.
///
/// Each event is a function, which changes the state and returns what is to be done. `HTTP1Connection` does it and has no state of its own
/// but the channel and the bytes to be sent.
///
/// The next request is looked at only when the response before it has ended, so answers keep their order and a refused
/// request ends all that was pipelined behind it (section 9.3.2).
struct HTTP1ServerMachine {
    /// The meaning of the next bytes. The cases carry nothing, because a switch over cases that do copies what they carry.
    enum Request {
        /// A request's head, or nothing so far.
        case head
        /// See `body`.
        case body
        /// Bytes wait until the response has ended.
        case complete
        /// See `tunnel`.
        case tunnel
    }

    struct Body {
        var decoder = BodyDecoder(.none)
        var delivery = BodyDelivery.unwanted
        var limit: Int?
        var received = 0
    }

    struct Tunnel {
        enum Phase { case open, paused, ending, endingPaused }

        /// The frames sent to the client; nil for a tunnel that is not parsed.
        var frames: WebSocketFrames?
        var phase = Phase.open
    }

    enum Response {
        case none
        /// A request waits for its response.
        case pending
        /// The head was sent.
        case streaming(Framing)
    }

    enum Framing {
        /// The bytes of `Content-Length` that are still missing.
        case length(Int)
        case chunked
        /// A tunnel, or a response to HTTP/1.0 without a length.
        case untilClose
    }

    enum Ending {
        case open
        /// The connection closes behind the response.
        case afterResponse
        /// The same, and the client may still send: it must get to read the response before a reset takes it away (section 9.6).
        case afterRefusal
        /// The last response is being written out.
        case finishing(lingers: Bool)
        /// The output is closed, and received bytes are thrown away for a while.
        case lingering
        case closed
    }

    /// The state of the channel's output.
    enum Output { case writable, full }

    /// The work on received bytes.
    enum Burst {
        case none, reading
        /// The delegate has got parts of a body that it has not flushed.
        case delivering
    }

    var request = Request.head
    /// Of the state `body`.
    var body = Body()
    /// Of the state `tunnel`.
    var tunnel = Tunnel()
    var response = Response.none
    var ending = Ending.open
    var limit = TimeLimit.none
    var output = Output.writable
    private var burst = Burst.none
    var inbox = ByteInbox()
    var parser: RequestHeadParser
    /// A client that sends ahead is read up to here and then left waiting.
    let inboxLimit: Int

    init(limits: HeadLimits) {
        parser = RequestHeadParser(limits: limits)
        inboxLimit = max(64 * 1024, limits.bytes + 1024)
    }

    // MARK: Questions

    var isIdle: Bool {
        guard request == .head, case .none = response, case .open = ending else { return false }
        return true
    }

    /// A response is being prepared or sent.
    var isAnswering: Bool { if case .none = response { false } else { true } }

    /// A request waits for its response.
    var isPending: Bool { if case .pending = response { true } else { false } }

    var isStreaming: Bool { if case .streaming = response { true } else { false } }

    var isTunnel: Bool { request == .tunnel }

    var isClosed: Bool { if case .closed = ending { true } else { false } }

    var isFinishing: Bool { if case .finishing = ending { true } else { false } }

    /// The response must say that it is the last one.
    var isLastResponse: Bool {
        switch ending {
        case .afterResponse, .afterRefusal: true
        default: false
        }
    }

    /// Received bytes are thrown away.
    var discardsInput: Bool {
        switch ending {
        case .lingering, .closed: true
        default: false
        }
    }

    var isRequestComplete: Bool { request == .complete }

    // MARK: Reading

    /// The next step where a head is awaited. It carries no memory, so most requests count no references here.
    enum HeadStep {
        /// Nothing more for now.
        case wait(HTTP1Actions)
        /// A request, whose head is complete. No limit runs.
        case begin
        /// A message that is no request: an answer begins that belongs to none. `resemblesBrowser`: it looks like a browser's.
        case refuse(WireError, resemblesBrowser: Bool)
    }

    /// The next step anywhere else.
    enum BytesStep {
        /// Nothing more for now.
        case wait(HTTP1Actions)
        /// Bytes of a body or a tunnel.
        case part(ByteBuffer)
        /// The end of a body.
        case end(trailers: ByteBuffer?, HTTP1Actions)
        /// The body breaks a rule, after so many bytes: `refusesBody` follows.
        case failed(WireError, received: Int)
        /// The client ended its input in the middle of a body: `abort` follows.
        case truncated
    }

    /// Whether received bytes are to be looked at now: a call of `next` is not interrupted by another.
    mutating func beginBurst() -> Bool {
        guard case .none = burst else { return false }
        burst = .reading
        return true
    }

    /// True if the delegate has got parts of a body to flush.
    mutating func endBurst() -> Bool {
        defer { burst = .none }
        if case .delivering = burst { return true }
        return false
    }

    /// Takes received bytes; false for bytes that are thrown away.
    mutating func receive(_ bytes: inout ByteBuffer) -> Bool {
        if discardsInput { return false }
        inbox.take(&bytes)
        return true
    }

    /// All that can be read now was received. True if the next read may happen.
    mutating func mayRead() -> Bool { inbox.mayRead(hasRoom: inbox.count < inboxLimit) }

    private mutating func resumeReading() -> HTTP1Actions {
        inbox.resumesReading(hasRoom: inbox.count < inboxLimit) ? .resumeReading : []
    }

    /// The next bytes are a request's head, or nothing so far: `nextHead` follows, else `nextBytes`.
    var awaitsHead: Bool { request == .head && !discardsInput }

    /// The next part of a body or of a tunnel's bytes. `now`: the wheel's tick.
    mutating func nextBytes(at now: UInt64) -> BytesStep {
        if discardsInput {
            inbox.clear()
            return .wait(resumeReading())
        }
        switch request {
        case .head, .complete: return .wait(resumeReading())
        case .body:
            guard case .running = body.delivery else { return .wait(resumeReading()) }
            return nextPart(at: now)
        case .tunnel:
            switch tunnel.phase {
            case .paused, .endingPaused: return .wait(resumeReading())
            case .open, .ending: break
            }
            guard let bytes = inbox.takeAll() else { return .wait(resumeReading()) }
            burst = .delivering
            return .part(bytes)
        }
    }

    /// Parses the head that is awaited. It becomes `head` at `.begin`.
    mutating func nextHead(_ head: inout RequestHead) -> HeadStep {
        guard case .none = response, !isFinishing else { return .wait(resumeReading()) }
        // No further responses for a client that does not read.
        guard case .writable = output else {
            if case .write = limit { return .wait(resumeReading()) }
            limit = .write
            return .wait(resumeReading().union(.setDeadline))
        }
        guard !inbox.isEmpty else { return .wait(inbox.isEnded ? .close : resumeReading()) }
        do throws(WireError) {
            if try parser.parse(&inbox.bytes, into: &head) {
                begin(head.framing)
                return .begin
            }
        } catch {
            let resemblesBrowser = Self.resemblesBrowser(inbox.bytes)
            refuse()
            return .refuse(error, resemblesBrowser: resemblesBrowser)
        }
        if inbox.isEnded { return .wait(.close) }
        // From the head's first byte on, however often it goes on.
        if case .head = limit { return .wait(resumeReading()) }
        limit = .head
        return .wait(resumeReading().union(.setDeadline))
    }

    private mutating func begin(_ framing: BodyFraming) {
        if framing == .none {
            request = .complete
        } else {
            request = .body
            body = Body(decoder: BodyDecoder(framing))
        }
        response = .pending
        limit = .none
    }

    private mutating func nextPart(at now: UInt64) -> BytesStep {
        do throws(WireError) {
            switch try body.decoder.next(&inbox.bytes) {
            case .data(let bytes):
                body.received += bytes.readableBytes
                if let limit = body.limit, body.received > limit { throw .bodyTooLarge }
                burst = .delivering
                limit.received(bytes.readableBytes, at: now)
                return .part(bytes)
            case .end:
                request = .complete
                let trailers = body.decoder.trailers
                body = Body()
                return .end(trailers: trailers, stopBodyLimit())
            case .needsMore:
                if inbox.isEnded { body.delivery = .broken }
                return inbox.isEnded ? .truncated : .wait(resumeReading())
            }
        } catch {
            body.delivery = .broken
            return .failed(error, received: body.received)
        }
    }

    private mutating func stopBodyLimit() -> HTTP1Actions {
        limit.stopBody() ? .clearDeadline : []
    }

    /// The delegate has heard of the error in the body. True if it is to be answered; else the response is to be aborted.
    mutating func refusesBody() -> Bool {
        guard isPending else { return false }
        refuse()
        return true
    }

    /// The message's end is unknown, so the connection ends behind the answer, which comes at once: no limit runs.
    mutating func refuse() {
        if !isAnswering { response = .pending }
        ending = .afterRefusal
        request = .complete
        limit = .none
    }

    private static func resemblesBrowser(_ inbox: ByteBuffer) -> Bool {
        let window = inbox.getSlice(at: inbox.readerIndex, length: min(inbox.readableBytes, 16 * 1024))
        return window?.readableBytesView.firstRange(of: "text/html".utf8) != nil
    }

    // MARK: Request body

    /// The body is wanted from now on.
    mutating func startBody(limit bodyLimit: Int?, expectsContinue: Bool, at now: UInt64) -> HTTP1Actions {
        guard !isClosed else { return [] }
        if isRequestComplete { return .reportEnd }
        guard request == .body, body.delivery.start() else { return [] }
        body.limit = bodyLimit
        startBodyLimit(at: now)
        let isAsked = expectsContinue && isPending && inbox.isEmpty
        return isAsked ? [.setDeadline, .sendContinue, .process] : [.setDeadline, .process]
    }

    /// Stops and resumes the body, or the tunnel's bytes from the client.
    mutating func pause(_ isPaused: Bool, at now: UInt64) -> HTTP1Actions {
        guard !isClosed else { return [] }
        switch request {
        case .head, .complete: return []
        case .tunnel:
            switch (tunnel.phase, isPaused) {
            case (.open, true): tunnel.phase = .paused
            case (.paused, false): tunnel.phase = .open
            case (.ending, true): tunnel.phase = .endingPaused
            case (.endingPaused, false): tunnel.phase = .ending
            default: return []
            }
            return isPaused ? [] : .process
        case .body:
            switch body.delivery.pause(isPaused) {
            case .nothing: return []
            case .stopped: return stopBodyLimit()
            case .resumed:
                startBodyLimit(at: now)
                return [.setDeadline, .process]
            }
        }
    }

    private mutating func startBodyLimit(at now: UInt64) {
        limit = .body(BodyProgress(at: now))
    }
}

import Exchanges
import HTTPWire
import NIOCore

/// One stream of a client as a value (RFC 9113 sections 5.1 and 8.1): what of the request has arrived, what may be sent, and how the stream
/// ends.
///
/// Each event is a function, which changes the state and returns what is to be done. `HTTP2Stream` does it. The codec below has checked that
/// frames may stand where they stand; this checks what they mean. END_STREAM of the client is the end of `inbox`: together with `response`
/// it is the state of section 5.1 ("half-closed (remote)" after it, "half-closed (local)" once the response is `sent`).
struct HTTP2StreamMachine {
    enum Request {
        /// A body follows, or its end.
        case body
        /// The delegate has got all of it, or gets no more.
        case complete
    }

    struct Body {
        var delivery = BodyDelivery.unwanted
        /// The bytes of `content-length` that are still missing (section 8.1.1); nil without one.
        var missing: Int?
        var limit: Int?
        var received = 0
        var trailers: ByteBuffer?
    }

    enum Response {
        /// The head of the request is not accepted yet.
        case none
        /// The request waits for its response.
        case pending
        /// The head was sent.
        case streaming(Framing)
        case sent
        /// The stream is gone: whole, reset by either side, or with its connection.
        case closed
    }

    enum Framing {
        /// The bytes of `content-length` that are still missing.
        case length(Int)
        case untilEnd
    }

    /// What the client, or its windows, can take.
    enum Output { case writable, full }

    /// The frame with END_STREAM, once the codec has it.
    enum LastFrame {
        case none
        /// It has no bytes, and may wait behind others that do not fit into a window.
        case mayWait
        case sendable
    }

    /// The work on received bytes.
    enum Burst { case none, delivering }

    /// What the delegate was given since `passedOn`.
    enum Handover { case nothing, parts }

    var request = Request.body
    var body = Body()
    var response = Response.none
    var limit = TimeLimit.none
    var output = Output.writable
    var lastFrame = LastFrame.none
    private var burst = Burst.none
    private var handover = Handover.nothing
    var inbox = ByteInbox()
    private(set) var window = ReceiveWindow(size: HTTP2Limits.streamWindow, open: HTTP2Limits.streamWindow)
    /// Bytes of the response that the codec or the socket has and has not sent.
    var unsent = 0

    // MARK: Questions

    var isPending: Bool { if case .pending = response { true } else { false } }

    var isClosed: Bool { if case .closed = response { true } else { false } }

    /// Something of the response may follow.
    var isAnswering: Bool {
        switch response {
        case .pending, .streaming: true
        case .none, .sent, .closed: false
        }
    }

    /// Something of the response may be collected.
    var hasBegunResponse: Bool {
        switch response {
        case .streaming, .sent: true
        case .none, .pending, .closed: false
        }
    }

    var isWritable: Bool { output == .writable && !isClosed }

    /// The client has not ended its body. It may go on sending until it hears that the stream has ended.
    var mayBeSentMore: Bool { !inbox.isEnded }

    // MARK: Flow control

    /// The increment for WINDOW_UPDATE, if the client is to be given more of the window.
    mutating func credit() -> Int? {
        guard mayBeSentMore, !isClosed else { return nil }
        return window.increment(unread: inbox.count)
    }

    // MARK: Request

    /// The head of a request was accepted.
    mutating func begin(_ framing: BodyFraming, isEnd: Bool) {
        if case .length(let length) = framing { body.missing = length }
        if isEnd {
            inbox.end()
            request = .complete
        }
        response = .pending
    }

    /// The head of a request was refused: its body is thrown away.
    mutating func refuse(isEnd: Bool) {
        if isEnd { inbox.end() }
        request = .complete
        response = .pending
    }

    enum Receipt {
        /// The request breaks a rule: the stream is reset.
        case malformed
        /// The body is thrown away, and its bytes are free again.
        case unwanted
        /// `next` follows.
        case wanted
    }

    /// DATA. Bytes that are wanted are taken. `padding`: its length; nil without the field of it, which counts for the window as well.
    mutating func receive(_ bytes: inout ByteBuffer, padding: Int?, isEnd: Bool) -> Receipt {
        if isEnd { inbox.end() }
        let count = bytes.readableBytes
        window.use(count + (padding.map { $0 + 1 } ?? 0))
        if let missing = body.missing {
            body.missing = missing - count
            if count > missing || isEnd && count < missing { return .malformed }
        }
        guard isAnswering, request == .body else { return .unwanted }
        inbox.take(&bytes)
        return .wanted
    }

    /// A further field section. `lines`: nil for one that is malformed. The codec has checked where it stands.
    mutating func receive(trailers lines: ByteBuffer?, isEnd: Bool) -> Receipt {
        guard isEnd, (body.missing ?? 0) == 0, let lines else { return .malformed }
        inbox.end()
        if lines.readableBytes > 0 { body.trailers = lines }
        return isAnswering && request == .body ? .wanted : .unwanted
    }

    enum Step {
        /// Nothing more for now.
        case wait
        case part(ByteBuffer)
        /// The end of the body.
        case end(trailers: ByteBuffer?, HTTP2StreamActions)
        /// The body exceeds its limit with so many bytes: `refusesBody` follows.
        case tooLarge(Int)
    }

    /// Whether received bytes are to be looked at now: a call of `next` is not interrupted by another.
    mutating func beginBurst() -> Bool {
        guard burst == .none else { return false }
        burst = .delivering
        return true
    }

    mutating func endBurst() { burst = .none }

    /// The next part of the body. `now`: the wheel's tick.
    mutating func next(at now: UInt64) -> Step {
        guard isBodyAwaited else { return .wait }
        if let bytes = inbox.moveOut() {
            body.received += bytes.readableBytes
            if let most = body.limit, body.received > most {
                request = .complete
                // The answer comes at once.
                _ = limit.stopBody()
                return .tooLarge(bytes.readableBytes)
            }
            limit.received(bytes.readableBytes, at: now)
            return .part(bytes)
        }
        guard inbox.isEnded else { return .wait }
        request = .complete
        return .end(trailers: body.trailers, limit.stopBody() ? .clearDeadline : [])
    }

    /// The delegate was given a part. True for the first one since `passedOn`.
    mutating func gavePart() -> Bool {
        guard handover == .nothing else { return false }
        handover = .parts
        return true
    }

    /// The frames of one burst were read. True if the delegate has got parts of them.
    mutating func passedOn() -> Bool {
        defer { handover = .nothing }
        return handover == .parts
    }

    /// The body is wanted from now on.
    mutating func startBody(limit bodyLimit: Int?, expectsContinue: Bool, at now: UInt64) -> HTTP2StreamActions {
        // A deadline that is set now would outlive the stream, or replace that of its response.
        guard isAnswering else { return [] }
        guard request == .body else { return .reportEnd }
        body.limit = bodyLimit
        _ = body.delivery.start()
        let isAsked = expectsContinue && isPending && inbox.isEmpty && !inbox.isEnded
        return [isAsked ? .sendContinue : [], startBodyLimit(at: now), .deliver]
    }

    /// Stops and resumes the body.
    mutating func pause(_ isPaused: Bool, at now: UInt64) -> HTTP2StreamActions {
        guard isAnswering else { return [] }
        switch body.delivery.pause(isPaused) {
        case .nothing: return []
        case .stopped: return limit.stopBody() ? .clearDeadline : []
        case .resumed: return [startBodyLimit(at: now), .deliver]
        }
    }

    // MARK: The limit of the body

    /// More of the body is wanted.
    var isBodyAwaited: Bool {
        guard request == .body, isAnswering, case .running = body.delivery else { return false }
        return true
    }

    /// Not while the body is paused. While the client takes none of the response, that limit runs.
    mutating func startBodyLimit(at now: UInt64) -> HTTP2StreamActions {
        guard isBodyAwaited, output == .writable else { return [] }
        limit = .body(BodyProgress(at: now))
        return .setDeadline
    }

    mutating func stopLimit() -> HTTP2StreamActions {
        limit = .none
        return .clearDeadline
    }
}

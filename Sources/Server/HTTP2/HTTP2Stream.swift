import Exchanges
import HTTPWire
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The handler of an HTTP/2 stream: one request of a connection and its response.
///
/// `HTTP2StreamMachine` decides; this type passes it the frames and the exchange's calls, and does what it returns.
final class HTTP2Stream: Exchange, DeadlineOwner {
    /// A body that is collected up to here goes to the codec.
    private static let handOverLimit = 32 * 1024

    let id: HTTP2StreamID
    let connection: HTTP2Connection
    private let deadline = Deadline()
    var machine = HTTP2StreamMachine()
    /// The head of the response until its body, or a flush, follows.
    private var pendingHead: HPACKHeaders?
    private var outbox = ByteOutbox()

    init(id: HTTP2StreamID, connection: HTTP2Connection) {
        self.id = id
        self.connection = connection
        super.init(eventLoop: connection.eventLoop, peer: connection.peer, isSecure: connection.tls != nil)
        tls = connection.tls
        speaksHTTP2 = true
        deadline.owner = self
    }

    @available(*, unavailable)
    override init(eventLoop: any EventLoop, peer: PeerAddress, isSecure: Bool) {
        preconditionFailure("a stream needs its connection")
    }

    private var wheel: DeadlineWheel { connection.loop.wheel }

    // MARK: Request

    func begin(_ parsed: consuming RequestHead, isEnd: Bool) {
        head = parsed
        machine.begin(head.framing, isEnd: isEnd)
        beginExchange()
        connection.handler.handle(self)
    }

    /// Answers a request that broke a rule.
    func refuse(_ error: WireError, isEnd: Bool, resemblesBrowser: Bool) {
        machine.refuse(isEnd: isEnd)
        beginExchange()
        connection.handler.refuse(self, error, resemblesBrowser: resemblesBrowser)
    }

    private func beginExchange() {
        ticket = 1
        record.startedAt = eventLoop.now
    }

    func receive(_ bytes: ByteBuffer, padding: Int?, isEnd: Bool) {
        var bytes = bytes
        let count = bytes.readableBytes
        switch machine.receive(&bytes, padding: padding, isEnd: isEnd) {
        case .wanted: deliver()
        case .unwanted: connection.took(count, of: self)
        case .malformed:
            connection.took(count, of: self)
            connection.malformed(self)
        }
    }

    func receive(trailers section: HPACKHeaders, isEnd: Bool) {
        switch machine.receive(trailers: HTTP2FieldLines.trailers(section), isEnd: isEnd) {
        case .wanted: deliver()
        case .unwanted: break
        case .malformed: connection.malformed(self)
        }
    }

    private func deliver() {
        guard machine.beginBurst() else { return }
        while deliverStep() {}
        machine.endBurst()
    }

    /// True while progress is made.
    private func deliverStep() -> Bool {
        switch machine.next(at: wheel.now) {
        case .wait: return false
        case .part(let bytes):
            took(bytes.readableBytes)
            delegate?.exchange(self, received: bytes)
            if machine.gavePart() { connection.touch(self) }
        case .end(let trailers, let actions):
            execute(actions)
            delegate?.exchangeReceivedEnd(self, trailers: trailers)
        case .tooLarge(let count):
            took(count)
            let delegate = self.delegate.take()
            delegate?.exchange(self, failed: .bodyTooLarge)
            if machine.refusesBody { connection.handler.refuse(self, .bodyTooLarge, resemblesBrowser: false) } else { abort() }
        }
        return true
    }

    private func took(_ count: Int) {
        record.receivedBodyBytes += count
        connection.took(count, of: self)
    }

    /// Passes on the frames of one burst.
    func passedOn() {
        if machine.passedOn() { delegate?.exchangeReadComplete(self) }
    }

    override func startBody(limit: Int?) {
        execute(machine.startBody(limit: limit, expectsContinue: head.expectsContinue, at: wheel.now))
    }

    override func pauseBody(_ isPaused: Bool) { execute(machine.pause(isPaused, at: wheel.now)) }

    // MARK: Response

    /// A stream ends by itself; nothing of one request can be taken for another's (RFC 9113 section 5.1).
    override func closeAfterResponse() {}

    /// A WebSocket would need RFC 8441, which is not offered.
    override func startTunnel() { abort() }

    override var isWritable: Bool { machine.isWritable }

    override func sendInterim(status: Int, lines: (inout LineBytes) -> Void) {
        guard machine.isPending, status != 101 else { return }
        var section = HPACKHeaders([(":status", String(status))])
        let loop = connection.loop
        loop.lines.removeAll()
        lines(&loop.lines)
        HTTP2FieldLines.append(loop.lines.bytes, to: &section)
        connection.write(.headers(.init(headers: section)), on: id, promise: headPromise())
        connection.flush()
    }

    override func sendHead(
        status: Int, reason: RawSpan?, framing: ResponseFraming, hasDate: Bool, lines: (inout LineBytes) -> Void
    ) {
        switch machine.beginResponse(status: status, framing) {
        case .drop: return
        case .abort: return abort()
        case .take: break
        }
        self.status = status
        record.respondedAt = eventLoop.now
        let loop = connection.loop
        loop.lines.removeAll()
        lines(&loop.lines)
        if !hasDate { loop.lines.put(loop.dateLine()) }
        var section = HPACKHeaders()
        section.reserveCapacity(16)
        section.add(name: ":status", value: status == 200 ? "200" : String(status))
        HTTP2FieldLines.append(loop.lines.bytes, to: &section)
        switch framing {
        case .none, .stream: break
        case .lengthOnly(let length), .length(let length): section.add(name: "content-length", value: String(length))
        }
        pendingHead = section
    }

    override func sendBody(_ bytes: ByteBuffer) {
        switch machine.sendPart(bytes.readableBytes) {
        case .drop: return
        case .abort: return abort()
        case .take: break
        }
        record.sentBodyBytes += bytes.readableBytes
        if !outbox.append(bytes) {
            writeOut()
            write(bytes, isEnd: false)
        }
        if outbox.bytes.readableBytes > Self.handOverLimit { writeOut() }
        execute(machine.checkOutput(collected: outbox.bytes.readableBytes))
    }

    override func flush() {
        guard machine.hasBegunResponse else { return }
        writeOut()
        connection.flush()
    }

    override func sendEnd(trailers: ByteBuffer?) {
        switch machine.endResponse() {
        case .drop: return
        case .abort: return abort()
        case .take: break
        }
        delegate = nil
        let frame = writeEnd(trailers)
        connection.handler.finished(self)
        execute(machine.wroteEnd(frame))
        connection.flush()
    }

    private func writeEnd(_ trailers: ByteBuffer?) -> HTTP2StreamMachine.LastFrame {
        let hasTrailers = trailers.map { $0.readableBytes > 0 } ?? false
        if !hasTrailers, outbox.isEmpty, pendingHead != nil {
            writeHead(isEnd: true)
            return .sendable
        }
        // Without trailers for a client whose windows may be negative: see `windowsShrunk`.
        if hasTrailers || outbox.isEmpty && connection.machine.streamWindows == .shrunk {
            writeOut()
            var section = HPACKHeaders()
            if let trailers { HTTP2FieldLines.append(trailers.byteSpan, to: &section) }
            connection.write(.headers(.init(headers: section, endStream: true)), on: id, promise: endPromise())
            return machine.unsent > 0 ? .mayWait : .sendable
        }
        let isEmpty = outbox.isEmpty
        writeHead(isEnd: false)
        write(outbox.take(), isEnd: true)
        return isEmpty ? .mayWait : .sendable
    }

    private func writeHead(isEnd: Bool) {
        guard let section = pendingHead.take() else { return }
        // Where bytes follow at once, what becomes of them tells what became of the head.
        let promise = isEnd ? endPromise() : outbox.isEmpty ? headPromise() : nil
        connection.write(.headers(.init(headers: section, endStream: isEnd)), on: id, promise: promise)
    }

    private func writeOut() {
        writeHead(isEnd: false)
        if !outbox.isEmpty { write(outbox.take(), isEnd: false) }
    }

    private func write(_ bytes: ByteBuffer, isEnd: Bool) {
        let count = bytes.readableBytes
        machine.wrote(count)
        // After the last bytes of both sides the stream's end is all there is to know, and the codec tells of that.
        let promise = isEnd && !machine.mayBeSentMore ? nil : sentPromise(count, isEnd: isEnd)
        connection.write(.data(.init(data: .byteBuffer(bytes), endStream: isEnd)), on: id, promise: promise)
    }

    /// A head that the codec refuses ends the stream visibly; the client would wait for it for ever.
    private func headPromise() -> EventLoopPromise<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        promise.futureResult.whenFailure { bound.value.unsendable($0) }
        return promise
    }

    private func endPromise() -> EventLoopPromise<Void> { sentPromise(0, isEnd: true) }

    private func sentPromise(_ count: Int, isEnd: Bool) -> EventLoopPromise<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        promise.futureResult.whenComplete { bound.value.sent(count, isEnd: isEnd, $0) }
        return promise
    }

    private func sent(_ count: Int, isEnd: Bool, _ result: Result<Void, any Error>) {
        switch result {
        case .success: execute(machine.sent(count, isEnd: isEnd, collected: outbox.bytes.readableBytes, at: wheel.now))
        case .failure(let error):
            machine.failed(count)
            if !machine.isClosed { unsendable(error) }
        }
    }

    /// The codec did not take a frame: the stream is gone already, or what was to be sent is not well-formed.
    private func unsendable(_ error: any Error) {
        if error is NIOHTTP2Errors.StreamClosed || error is ChannelError { ended() } else { abort() }
    }

    // MARK: Ends

    override func abort() { execute(machine.abort()) }

    func reset(_ code: HTTP2ErrorCode) {
        guard !machine.isClosed else { return }
        connection.write(.rstStream(code), on: id)
        connection.flush()
        ended()
    }

    /// The stream is gone: whole, reset by either side, or with its connection.
    func ended() {
        guard case .closed(let unread, let actions) = machine.close() else { return }
        _ = outbox.take()
        pendingHead = nil
        wheel.cancel(deadline)
        execute(actions)
        ticket &+= 1
        connection.takeBack(&head, &connectionState)
        connection.remove(self, unread: unread)
    }

    func deadlineExpired() {
        if case .body = machine.limit, let more = limitMilliseconds { return wheel.set(deadline, milliseconds: more) }
        execute(machine.deadlineExpired())
    }

    private var limitMilliseconds: Int64? {
        milliseconds(of: &machine.limit, at: wheel.now, connection.settings, isPending: machine.isPending)
    }

    // MARK: Actions

    private func execute(_ actions: HTTP2StreamActions) {
        if actions.isEmpty { return }
        if actions.contains(.setDeadline) { wheel.set(deadline, milliseconds: limitMilliseconds ?? 0) }
        if actions.contains(.clearDeadline) { wheel.clear(deadline) }
        if actions.contains(.sendContinue) { sendInterim(status: 100) { _ in } }
        if actions.contains(.reportEnd) { delegate?.exchangeReceivedEnd(self, trailers: nil) }
        if actions.contains(.deliver) { deliver() }
        if actions.contains(.noteAborted) { record.wasAborted = true }
        if actions.contains(.writeOut) { writeOut() }
        if actions.contains(.flush) { connection.flush() }
        if actions.contains(.sendNow) { connection.sendNow() }
        if actions.contains(.reportWritable) { delegate?.exchange(self, isWritable: true) }
        if actions.contains(.reportFull), machine.output == .full { delegate?.exchange(self, isWritable: false) }
        if actions.contains(.reportClosed) { reportClosed() }
        if actions.contains(.reportFinished) { connection.handler.finished(self) }
        if actions.contains(.answerLate) { connection.handler.refuseLate(self) }
        if actions.contains(.resetBroken) { reset(.internalError) }
        if actions.contains(.resetAnswered) { reset(.noError) }
    }
}

import Exchanges
import HTTPWire
import NIOCore
import NIOHPACK
import NIOHTTP2

/// One request of an HTTP/2 connection and its response.
final class HTTP2Stream: Exchange, DeadlineOwner {
    enum ResponsePhase { case pending, streaming, sent, closed }
    enum Limit {
        case none
        case body(BodyProgress)
        case write
    }

    let id: HTTP2StreamID
    let connection: HTTP2Connection
    let deadline = Deadline()
    var limit = Limit.none

    // The request.
    private var inbox = ByteBuffer()
    private var hasEnd = false
    private var trailers: ByteBuffer?
    /// The bytes of `content-length` that are still missing (RFC 9113 section 8.1.1).
    private var announced: Int?
    var isComplete = false
    private var isBodyWanted = false
    private var isBodyPaused = false
    private var bodyLimit: Int?
    private var isDelivering = false
    private var hasBodyToFlush = false
    /// The stream's receive window, as the codec counts it.
    var inboundWindow = HTTP2Limits.streamWindow

    // The response.
    var response = ResponsePhase.pending
    private var pendingHead: HPACKHeaders?
    private var output = ByteBuffer()
    /// The bytes of `content-length` that are still missing; nil for a stream.
    private var promised: Int?
    /// Bytes that the codec or the socket has and has not sent.
    private var unsent = 0
    private var isThrottled = false

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

    var waitingBytes: Int { inbox.readableBytes }
    /// The client has not ended its body. It may go on sending until it hears that the stream has ended.
    var mayBeSentMore: Bool { !hasEnd }
    /// The client may be given more of the stream's window.
    var mayReceive: Bool { !hasEnd && response != .closed }

    // MARK: Request

    func begin(_ parsed: consuming RequestHead, isEnd: Bool) {
        head = parsed
        if case .length(let length) = head.framing { announced = length }
        hasEnd = isEnd
        isComplete = isEnd
        ticket = 1
        startedAt = eventLoop.now
        connection.handler.handle(self)
    }

    /// Answers a request that broke a rule.
    func refuse(_ error: WireError, isEnd: Bool, resemblesBrowser: Bool) {
        hasEnd = isEnd
        isComplete = true
        ticket = 1
        startedAt = eventLoop.now
        connection.handler.refuse(self, error, resemblesBrowser: resemblesBrowser)
    }

    func receive(_ bytes: ByteBuffer, isEnd: Bool) {
        if isEnd { hasEnd = true }
        if let rest = announced {
            announced = rest - bytes.readableBytes
            if bytes.readableBytes > rest || isEnd && bytes.readableBytes < rest {
                connection.took(bytes.readableBytes, of: self)
                return connection.malformed(self)
            }
        }
        guard response == .pending || response == .streaming, !isComplete else {
            // The body is unwanted.
            return connection.took(bytes.readableBytes, of: self)
        }
        if inbox.readableBytes == 0 { inbox = bytes } else { inbox.writeImmutableBuffer(bytes) }
        deliver()
    }

    /// The codec has checked where the section stands; this checks what is in it.
    func receive(trailers section: HPACKHeaders, isEnd: Bool) {
        guard isEnd, (announced ?? 0) == 0, let lines = HTTP2FieldLines.trailers(section) else { return connection.malformed(self) }
        hasEnd = true
        if lines.readableBytes > 0 { trailers = lines }
        if !isComplete { deliver() }
    }

    private func deliver() {
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        while !isComplete, isBodyWanted, !isBodyPaused, response == .pending || response == .streaming {
            if inbox.readableBytes > 0 {
                let bytes = inbox
                let count = bytes.readableBytes
                inbox = ByteBuffer()
                receivedBodyBytes += count
                connection.took(count, of: self)
                if let bodyLimit, receivedBodyBytes > bodyLimit { return fail(.bodyTooLarge) }
                delegate?.exchange(self, received: bytes)
                if !hasBodyToFlush {
                    hasBodyToFlush = true
                    connection.touch(self)
                }
                if case .body(var progress) = limit {
                    progress.received(count, at: connection.loop.wheel.now)
                    limit = .body(progress)
                }
            } else if hasEnd {
                isComplete = true
                if case .body = limit { clearLimit() }
                delegate?.exchangeReceivedEnd(self, trailers: trailers)
            } else {
                return
            }
        }
    }

    /// Passes on the frames of one burst.
    func passedOn() {
        guard hasBodyToFlush else { return }
        hasBodyToFlush = false
        delegate?.exchangeReadComplete(self)
    }

    private func fail(_ error: WireError) {
        let delegate = self.delegate
        self.delegate = nil
        isComplete = true
        delegate?.exchange(self, failed: error)
        if response == .pending { connection.handler.refuse(self, error, resemblesBrowser: false) } else { abort() }
    }

    override func startBody(limit: Int?) {
        // A deadline that is set now would outlive the stream.
        guard response != .closed else { return }
        guard !isComplete else { return delegate?.exchangeReceivedEnd(self, trailers: nil) ?? () }
        bodyLimit = limit
        isBodyWanted = true
        startBodyLimit()
        if head.expectsContinue, response == .pending, inbox.readableBytes == 0, !hasEnd { sendInterim(status: 100) { _ in } }
        deliver()
    }

    override func pauseBody(_ isPaused: Bool) {
        guard isBodyPaused != isPaused, response != .closed else { return }
        isBodyPaused = isPaused
        if isPaused {
            if case .body = limit { clearLimit() }
        } else if !isComplete {
            startBodyLimit()
            deliver()
        }
    }

    // MARK: Response

    /// A stream ends by itself; nothing of one request can be taken for another's (RFC 9113 section 5.1).
    override func closeAfterResponse() {}

    /// A WebSocket would need RFC 8441, which is not offered.
    override func startTunnel() { abort() }

    override var isWritable: Bool { !isThrottled && response != .closed }

    override func sendInterim(status: Int, lines: (inout LineBytes) -> Void) {
        guard response == .pending, status != 101 else { return }
        var section = HPACKHeaders([(":status", String(status))])
        connection.loop.lines.removeAll()
        lines(&connection.loop.lines)
        HTTP2FieldLines.append(connection.loop.lines.bytes, to: &section)
        connection.write(.headers(.init(headers: section)), on: id, promise: headPromise())
        connection.flush()
    }

    override func sendHead(
        status: Int, reason: UnsafeRawBufferPointer?, framing: ResponseFraming, hasDate: Bool, lines: (inout LineBytes) -> Void
    ) {
        guard response == .pending else { return }
        guard status != 101 else { return abort() }
        response = .streaming
        self.status = status
        respondedAt = eventLoop.now
        connection.loop.lines.removeAll()
        lines(&connection.loop.lines)
        if !hasDate { connection.loop.lines.put(connection.loop.dateLine()) }
        var section = HPACKHeaders()
        section.reserveCapacity(16)
        section.add(name: ":status", value: status == 200 ? "200" : String(status))
        HTTP2FieldLines.append(connection.loop.lines.bytes, to: &section)
        switch framing {
        case .none: promised = 0
        case .lengthOnly(let length):
            promised = 0
            section.add(name: "content-length", value: String(length))
        case .length(let length):
            promised = length
            section.add(name: "content-length", value: String(length))
        case .stream: promised = nil
        }
        pendingHead = section
    }

    override func sendBody(_ bytes: ByteBuffer) {
        let count = bytes.readableBytes
        guard response == .streaming, count > 0 else { return }
        if let rest = promised {
            guard count <= rest else { return abort() }
            promised = rest - count
        }
        sentBodyBytes += count
        if count <= 16 * 1024 {
            output.writeImmutableBuffer(bytes)
        } else {
            writeOutput()
            write(bytes, isEnd: false)
        }
        if output.readableBytes > 32 * 1024 { writeOutput() }
        throttleIfNeeded()
    }

    override func flush() {
        guard response == .streaming || response == .sent else { return }
        writeHead(isEnd: false)
        writeOutput()
        connection.flush()
    }

    override func sendEnd(trailers: ByteBuffer?) {
        guard response == .streaming else { return }
        if let rest = promised, rest > 0 { return abort() }
        response = .sent
        delegate = nil
        if let trailers, trailers.readableBytes > 0 {
            writeHead(isEnd: false)
            writeOutput()
            var section = HPACKHeaders()
            trailers.withUnsafeReadableBytes { HTTP2FieldLines.append($0, to: &section) }
            connection.write(.headers(.init(headers: section, endStream: true)), on: id, promise: endPromise())
        } else if output.readableBytes == 0, pendingHead != nil {
            writeHead(isEnd: true)
        } else {
            writeHead(isEnd: false)
            let bytes = output
            output = ByteBuffer()
            write(bytes, isEnd: true)
        }
        connection.handler.finished(self)
        if response == .sent, unsent > 0 { startWriteLimit() } else { clearLimit() }
        connection.flush()
    }

    private func writeHead(isEnd: Bool) {
        guard let section = pendingHead else { return }
        pendingHead = nil
        // Where bytes follow at once, what becomes of them tells what became of the head.
        let promise = isEnd ? endPromise() : output.readableBytes > 0 ? nil : headPromise()
        connection.write(.headers(.init(headers: section, endStream: isEnd)), on: id, promise: promise)
    }

    private func writeOutput() {
        writeHead(isEnd: false)
        guard output.readableBytes > 0 else { return }
        let bytes = output
        output = ByteBuffer()
        write(bytes, isEnd: false)
    }

    private func write(_ bytes: ByteBuffer, isEnd: Bool) {
        let count = bytes.readableBytes
        unsent += count
        // After the last bytes of both sides the stream's end is all there is to know, and the codec tells of that.
        if isEnd, hasEnd { return connection.write(.data(.init(data: .byteBuffer(bytes), endStream: true)), on: id) }
        let promise = eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        promise.futureResult.whenComplete { result in bound.value.sent(count, isEnd: isEnd, result) }
        connection.write(.data(.init(data: .byteBuffer(bytes), endStream: isEnd)), on: id, promise: promise)
    }

    /// A head that the codec refuses ends the stream visibly; the client would wait for it for ever.
    private func headPromise() -> EventLoopPromise<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        promise.futureResult.whenFailure { bound.value.unsendable($0) }
        return promise
    }

    /// The codec did not take a frame: the stream is gone already, or what was to be sent is not well-formed.
    private func unsendable(_ error: any Error) {
        if error is NIOHTTP2Errors.StreamClosed || error is ChannelError { ended() } else { abort() }
    }

    private func endPromise() -> EventLoopPromise<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        promise.futureResult.whenComplete { bound.value.sent(0, isEnd: true, $0) }
        return promise
    }

    private func sent(_ count: Int, isEnd: Bool, _ result: Result<Void, any Error>) {
        unsent -= count
        guard response != .closed else { return }
        if case .failure(let error) = result { return unsendable(error) }
        if isEnd, !hasEnd {
            // The answer is whole; the rest of the request is of no use (RFC 9113 section 8.1).
            return reset(.noError)
        }
        guard isThrottled, unsent + output.readableBytes <= HTTP2Limits.outputLow else { return }
        isThrottled = false
        if case .write = limit { clearLimit() }
        delegate?.exchange(self, isWritable: true)
    }

    /// The client, or its windows, take less than comes.
    private func throttleIfNeeded() {
        guard !isThrottled, unsent + output.readableBytes > HTTP2Limits.outputHigh else { return }
        isThrottled = true
        startWriteLimit()
        writeOutput()
        connection.flush()
        if isThrottled { delegate?.exchange(self, isWritable: false) }
    }

    // MARK: Ends

    override func abort() {
        wasAborted = true
        // The client gets what was received before the reset. Sent now: the codec drops what a stream has not sent when it is reset.
        if response == .streaming {
            writeOutput()
            connection.sendNow()
        }
        reset(.internalError)
    }

    func reset(_ code: HTTP2ErrorCode) {
        guard response != .closed else { return }
        connection.write(.rstStream(code), on: id)
        connection.flush()
        ended()
    }

    /// The stream is gone: whole, reset by either side, or with its connection.
    func ended() {
        guard response != .closed else { return }
        let before = response
        response = .closed
        let waiting = inbox.readableBytes
        inbox = ByteBuffer()
        output = ByteBuffer()
        pendingHead = nil
        connection.loop.wheel.cancel(deadline)
        if before != .sent, ticket > 0 {
            wasAborted = true
            let delegate = self.delegate
            self.delegate = nil
            delegate?.exchangeClosed(self)
            connection.handler.finished(self)
        }
        ticket &+= 1
        connection.takeBack(&head, &connectionState)
        connection.remove(self, waiting: waiting)
    }
}

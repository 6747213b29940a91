import Exchanges
import HTTPWire
import NIOCore
import Transport

// Executes what the machine decides.
extension HTTP1Connection {
    func execute(_ actions: HTTP1Actions) {
        if actions.isEmpty { return }
        if actions.contains(.setDeadline) { setDeadline() }
        if actions.contains(.clearDeadline) { wheel.clear(deadline) }
        if actions.contains(.sendContinue) { sendInterim(status: 100) { _ in } }
        if actions.contains(.noteAborted) { record.wasAborted = true }
        if actions.contains(.reportEnd) { delegate?.exchangeReceivedEnd(self, trailers: nil) }
        if actions.contains(.sendGoingAway) { outbox.bytes.writeImmutableBuffer(WebSocketFrames.goingAway) }
        if actions.contains(.reportClosed) { reportClosed() }
        if actions.contains(.reportFinished) { handler.finished(self) }
        if actions.contains(.reportWritability) { delegate?.exchange(self, isWritable: machine.output == .writable) }
        if actions.contains(.beginExchange) {
            head = RequestHead()
            beginExchange()
        }
        if actions.contains(.answerLate) { handler.refuseLate(self) }
        if actions.contains(.endResponse) { sendEnd() }
        if actions.contains(.process) { process() }
        if actions.contains(.finish) { finish() }
        executeEnd(actions)
    }

    private func executeEnd(_ actions: HTTP1Actions) {
        if actions.contains(.closeOutput) { channel.context?.close(mode: .output, promise: nil) }
        if actions.contains(.resumeReading) { channel.context?.read() }
        if actions.contains(.discardOutput) { outbox.bytes.clear() }
        if actions.contains(.resetOnClose), let context = channel.context {
            context.channel.resetOnClose()
            // Under TLS a close would even say that nothing is missing.
            if isSecure { return TLSHandshake.closeBeneath(context) }
        }
        if actions.contains(.close) { close() }
    }

    /// Writes out the last response. A close would throw away what the socket has not taken yet.
    private func finish() {
        guard let context = channel.context else { return }
        let written = context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in
            if bound.value.channel.context != nil { bound.value.execute(bound.value.machine.written()) }
        }
        outbox.noteFlushed()
        context.writeAndFlush(wrapOutboundOut(outbox.take()), promise: written)
    }

    func close() {
        // An answer that waits for the end of the turn is not lost.
        if outbox.isSendDue { send() }
        channel.context?.close(promise: nil)
    }

    // MARK: Limits

    private func setDeadline() { wheel.set(deadline, milliseconds: limitMilliseconds ?? 0) }

    private var limitMilliseconds: Int64? {
        milliseconds(of: &machine.limit, at: wheel.now, settings, isPending: machine.isPending)
    }

    func deadlineExpired() {
        if case .body = machine.limit, let more = limitMilliseconds { return wheel.set(deadline, milliseconds: more) }
        execute(machine.deadlineExpired())
    }

    var idleness: Idleness? {
        guard machine.isIdle else { return nil }
        let since: UInt64? =
            switch machine.limit {
            case .idle: deadline.start(milliseconds: settings.idleTimeout)
            // The head of a request has begun, and does not end.
            case .head: deadline.start(milliseconds: settings.headerTimeout)
            case .none, .body, .write, .linger: nil
            }
        return since.map { Idleness(since: $0, isUsed: ticket > 0) }
    }

    // MARK: Ends

    func terminate() { if channel.context != nil { execute(machine.terminate()) } }

    func closeIdle() {
        guard let context = channel.context else { return }
        machine.closeIdle()
        TLSHandshake.closeAtOnce(context)
    }

    /// No further request is taken; an idle connection closes at once.
    func drain() { execute(machine.drain()) }
}

import Exchanges
import NIOCore
import NIOHTTP2

// Executes what the machine decides: the limits, and the end of the connection.
extension HTTP2Connection {
    func execute(_ actions: HTTP2ConnectionActions) {
        if actions.isEmpty { return }
        if actions.contains(.setDeadline) { setDeadline() }
        if actions.contains(.clearDeadline) { loop.wheel.clear(deadline) }
        if actions.contains(.announce) { announceEnd() }
        if actions.contains(.nameLastStream) { sendGoAway(.noError) }
        if actions.contains(.endStreams) { endStreams() }
        if actions.contains(.finish) { finish() }
        if actions.contains(.close) { context?.close(promise: nil) }
    }

    private func announceEnd() {
        // The codec must not see this GOAWAY: it would take no new stream from now on.
        meter?.writeShutdownNotice()
        write(.ping(HTTP2PingData(withInteger: 0), ack: false), on: .rootStream)
        context?.flush()
    }

    private func sendGoAway(_ code: HTTP2ErrorCode) {
        write(.goAway(lastStreamID: machine.lastStreamID, errorCode: code, opaqueData: nil), on: .rootStream)
        context?.flush()
    }

    private func endStreams() { for stream in Array(streams.values) { stream.ended() } }

    private func finish() {
        endStreams()
        context?.flush()
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        meter?.whenWritten { bound.value.context?.close(mode: .output, promise: nil) }
    }

    /// Ends the connection with GOAWAY.
    func fail(_ code: HTTP2ErrorCode) {
        guard !machine.isEnding else { return }
        sendGoAway(code)
        execute(machine.finish())
    }

    /// The channel has closed.
    func ended() {
        guard machine.close() else { return }
        endStreams()
        loop.wheel.cancel(deadline)
        loop.connections.remove(self)
    }

    /// No further stream is opened; those that are end first.
    func drain() { execute(machine.drain()) }

    func terminate() { if context != nil { execute(machine.terminate()) } }

    func closeIdle() {
        guard let context else { return }
        machine.closeIdle()
        sendGoAway(.noError)
        TLSHandshake.closeAtOnce(context)
    }

    var idleness: Idleness? { idleSince.map { Idleness(since: $0, isUsed: machine.lastStreamID != .rootStream) } }

    private var idleSince: UInt64? {
        guard machine.isIdle else { return nil }
        switch machine.limit {
        case .idle, .preface, .head: return deadline.start(milliseconds: milliseconds(of: machine.limit))
        case .none, .goAway, .linger: return nil
        }
    }

    // MARK: Limits

    private func setDeadline() { loop.wheel.set(deadline, milliseconds: milliseconds(of: machine.limit)) }

    private func milliseconds(of limit: HTTP2ConnectionMachine.Limit) -> Int64 {
        switch limit {
        case .none: 0
        case .preface, .head: settings.headerTimeout
        case .idle: settings.idleTimeout
        case .goAway: 1_000
        case .linger: TimeLimit.lingering
        }
    }

    func deadlineExpired() {
        switch machine.deadlineExpired() {
        case .act(let actions): execute(actions)
        case .fail(let code): fail(code)
        }
    }

    // MARK: What the meter sees

    func prefaceReceived() { execute(machine.prefaceReceived()) }

    func headerBlockBegan() { execute(machine.headerBlockBegan()) }

    func headerBlockEnded() { execute(machine.headerBlockEnded()) }

    /// The meter reads ahead: a stream whose HEADERS are still to be decoded has not ended.
    func hasEnded(_ id: Int) -> Bool { id > 0 && id <= Int(machine.lastStreamID) && streams[HTTP2StreamID(id)] == nil }
}

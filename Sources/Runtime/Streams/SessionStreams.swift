import Accounts
import Logging
import NIOCore
import Proxy
import Server
import Sessions

/// The tunnels and event streams of one event loop that belong to a session. Each ends when its session does (contract section 7, "What
/// counts as a live session").
///
/// One timer looks at all of them twice a second, and only while there are any: requests cost nothing. A look compares counters; the
/// session itself is checked when its time is over, when any session was revoked, and when a reload brought other providers or limits.
final class SessionStreams {
    private static let interval = TimeAmount.milliseconds(500)
    /// How long a WebSocket may take to finish the frame that it is in.
    private static let frameTimeout: Int64 = 1_000

    private let eventLoop: any EventLoop
    private let now: () -> Int64
    private var streams: [ObjectIdentifier: SessionStream] = [:]
    private var timer: RepeatedTask?
    private var core: GatewayCore?
    /// Of the revocations, when all sessions were checked last; nil: they are to be checked.
    private var checkedEpoch: Int?

    init(eventLoop: any EventLoop, now: @escaping () -> Int64 = wallClock) {
        self.eventLoop = eventLoop
        self.now = now
    }

    var count: Int { streams.count }

    /// The next configuration decides which sessions live.
    func adopt(_ core: GatewayCore) {
        self.core = core
        checkedEpoch = nil
    }

    func insert(_ stream: SessionStream) {
        guard let core else { return }
        streams[ObjectIdentifier(stream)] = stream
        core.sessions.activity.addStream(of: stream.session.id, now: now())
        startTimer()
    }

    func remove(_ stream: SessionStream) {
        guard streams.removeValue(forKey: ObjectIdentifier(stream)) != nil else { return }
        core?.sessions.activity.removeStream(of: stream.session.id)
    }

    private func startTimer() {
        guard timer == nil else { return }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        timer = eventLoop.scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) { _ in bound.value.look() }
    }

    /// Ends the streams whose sessions have ended.
    func look() {
        guard let core, !streams.isEmpty else {
            timer?.cancel()
            timer = nil
            return
        }
        let now = now()
        let epoch = core.sessions.epoch
        let mustCheckAll = epoch != checkedEpoch
        checkedEpoch = epoch
        // A stream that ends takes itself out: `streams` is another dictionary then.
        for stream in streams.values {
            if let since = stream.endsSince {
                // A clock that was set back must not keep the stream.
                if now < since || now - since >= Self.frameTimeout { stream.exchange.abort() }
                continue
            }
            stream.noteTraffic(now)
            guard mustCheckAll || stream.mustBeChecked || now >= stream.endsAt(core.snapshot.limits) else { continue }
            stream.mustBeChecked = false
            guard let reason = Self.refusal(of: stream, core, now) else { continue }
            end(stream, reason, core, now)
        }
    }

    /// Why the stream must end; nil: its session lives.
    private static func refusal(of stream: SessionStream, _ core: GatewayCore, _ now: Int64) -> String? {
        if let expiresAt = stream.tokenExpiresAt {
            if now >= expiresAt { return "token-expired" }
            if core.sessions.isEnded(stream.session, limits: core.snapshot.limits, now: now) { return Authentication.Refusal.revoked.rawValue }
            return core.authenticator.providerRefusal(stream.session.identity)?.rawValue
        }
        if let seenAt = core.sessions.activity.lastSeen(stream.session.id) { stream.noteActivity(seenAt) }
        guard case .invalid(let refusal) = core.sessions.check(stream.session, by: core.authenticator, now: now) else { return nil }
        return refusal.rawValue
    }

    private func end(_ stream: SessionStream, _ reason: String, _ core: GatewayCore, _ now: Int64) {
        stream.endsSince = now
        core.log.write(
            .info, "stream-ended", "a tunnel or event stream was closed because its session has ended",
            [
                ("reason", .text(reason)), ("kind", .text(stream.kind.rawValue)), ("uid", .text(stream.session.uid)),
                ("provider", .text(stream.session.identity.provider)), ("request_id", .text(stream.requestID.text)),
            ])
        stream.exchange.endEarly()
    }
}

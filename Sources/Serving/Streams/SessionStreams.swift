import Primitives

import Accounts
import Decisions
import Endpoints
import Exchanges
import Logging
import NIOCore
import Proxy
import Server
import Sessions
import SignIn
import Telemetry

/// The tunnels and event streams of one event loop that belong to a session. Each ends when its session does (contract section 7, "What
/// counts as a live session").
///
/// One timer looks at all of them twice a second, and only while there are any: requests cost nothing. A look compares counters; the
/// session itself is checked when its time is over, when any session was revoked, and when a reload brought other providers or limits.
/// The provider is asked anew about a token that it was asked about before, at the pace at which requests would ask.
final class SessionStreams {
    private static let interval = TimeAmount.milliseconds(500)
    /// The time a WebSocket has to finish its current frame.
    private static let frameTimeout: Int64 = 1_000

    private let eventLoop: any EventLoop
    private let now: () -> Int64
    private var streams: [ObjectIdentifier: SessionStream] = [:]
    private var timer: RepeatedTask?
    private var context: ServingContext?
    /// Of the revocations, when all sessions were checked last; nil: they are to be checked.
    private var checkedEpoch: Int?

    init(eventLoop: any EventLoop, now: @escaping () -> Int64 = wallClock) {
        self.eventLoop = eventLoop
        self.now = now
    }

    var count: Int { streams.count }

    /// The next configuration decides which sessions live.
    func adopt(_ context: ServingContext) {
        self.context = context
        checkedEpoch = nil
    }

    func insert(_ stream: SessionStream) {
        guard let context else { return }
        streams[ObjectIdentifier(stream)] = stream
        context.sessions.activity.addStream(of: stream.session.id, now: now())
        startTimer()
    }

    func remove(_ stream: SessionStream) {
        guard streams.removeValue(forKey: ObjectIdentifier(stream)) != nil else { return }
        context?.sessions.activity.removeStream(of: stream.session.id)
    }

    private func startTimer() {
        guard timer == nil else { return }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        timer = eventLoop.scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) { _ in bound.value.look() }
    }

    /// Ends the streams whose sessions have ended.
    func look() {
        guard let context, !streams.isEmpty else {
            timer?.cancel()
            timer = nil
            return
        }
        let now = now()
        let epoch = context.sessions.ends.value
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
            guard mustCheckAll || stream.mustBeChecked || now >= stream.nextCheck(context.endpoints.site.limits) else { continue }
            stream.mustBeChecked = false
            switch Self.standing(of: stream, context, now) {
            case .ended(let reason): end(stream, reason, context, now)
            case .ask: ask(stream, context.sessions, now)
            case .alive:
                if let token = stream.token, token.step(context.endpoints.site.limits, now: now) == .verify {
                    verify(stream, token, by: context.bearerTokens)
                }
            }
        }
    }

    // MARK: Tokens

    private func verify(_ stream: SessionStream, _ token: StreamToken, by tokens: BearerTokens) {
        guard let presented = token.presented else { return }
        stream.token?.beginVerification()
        let bound = NIOLoopBound((streams: self, stream: stream), eventLoop: eventLoop)
        let eventLoop = eventLoop
        let provider = stream.session.identity.provider
        Task {
            let verdict = await tokens.verify(presented, providers: [provider], from: token.client)
            eventLoop.execute { bound.value.streams.verified(bound.value.stream, verdict) }
        }
    }

    private func verified(_ stream: SessionStream, _ verdict: BearerTokens.Verdict) {
        guard let context, streams[ObjectIdentifier(stream)] === stream, stream.endsSince == nil else { return }
        let now = now()
        switch verdict {
        case .accepted(let accepted) where sameBytes(accepted.session.uid, stream.session.uid):
            stream.token?.verified(until: accepted.until, expiresAt: accepted.expiresAt)
        case .accepted, .refused:
            end(stream, "token-refused", context, now)
        case .unavailable:
            stream.token?.wasNotAnswered(now: now)
        }
    }

    private enum Standing {
        case alive
        case ended(reason: String)
        /// Only the session store can tell.
        case ask
    }

    private static func standing(of stream: SessionStream, _ context: ServingContext, _ now: Int64) -> Standing {
        let sessions = context.sessions
        if let token = stream.token {
            if case .end(let reason) = token.step(context.endpoints.site.limits, now: now) { return .ended(reason: reason) }
            if let presented = token.presented {
                switch sessions.knownEnd(ofToken: presented.text, presenting: stream.session, now: now) {
                case .none: break
                case .session, .shared: return .ended(reason: Authentication.Refusal.revoked.rawValue)
                case .ask: return .ask
                }
            }
            return sessions.providerRefusal(stream.session.identity).map { .ended(reason: $0.rawValue) } ?? .alive
        }
        if let seenAt = sessions.activity.lastSeen(stream.session.id) { stream.noteActivity(seenAt) }
        switch sessions.standing(of: stream.session, now: now) {
        case nil: return .ask
        case .invalid(let refusal): return .ended(reason: refusal.rawValue)
        case .session, .anonymous: return .alive
        }
    }

    private func ask(_ stream: SessionStream, _ sessions: SessionService, _ now: Int64) {
        let session = stream.session
        let token = stream.token?.presented?.text
        let bound = NIOLoopBound((streams: self, stream: stream), eventLoop: eventLoop)
        let eventLoop = eventLoop
        Task {
            let hasEnded: Bool
            if let token {
                hasEnded = await sessions.problem(of: token, presenting: session, now: now) != nil
            } else {
                switch await sessions.check(session, now: now) {
                // The next look asks again.
                case .invalid(.storeUnavailable), .session, .anonymous: hasEnded = false
                case .invalid: hasEnded = true
                }
            }
            guard hasEnded else { return }
            eventLoop.execute { bound.value.streams.wasEnded(bound.value.stream) }
        }
    }

    private func wasEnded(_ stream: SessionStream) {
        guard let context, streams[ObjectIdentifier(stream)] === stream, stream.endsSince == nil else { return }
        end(stream, Authentication.Refusal.revoked.rawValue, context, now())
    }

    private func end(_ stream: SessionStream, _ reason: String, _ context: ServingContext, _ now: Int64) {
        stream.endsSince = now
        context.log.write(
            .info, "stream-ended", "closed a tunnel or event stream: its session has ended",
            [
                ("reason", .text(reason)), ("kind", .text(stream.kind.rawValue)), ("uid", .text(stream.session.uid)),
                ("provider", .text(stream.session.identity.provider)), ("request_id", .text(stream.requestID.text)),
            ])
        stream.exchange.endEarly()
    }
}

package import Config
import Decisions
import Logging
import NIOCore
package import Primitives
import Process
import Sessions
package import Stores
import Telemetry
import Transport

/// The connections to the session store, which go on across reloads while their settings and files stay the same.
final class RedisRuntime: Sendable {
    let sessions: RedisSessions
    private let fingerprint: [UInt8]

    /// The reason why the store can never work.
    struct Failure: Error {
        let reason: String
    }

    private init(_ sessions: RedisSessions, fingerprint: [UInt8]) {
        self.sessions = sessions
        self.fingerprint = fingerprint
    }

    /// The event loops that ask a store: those that serve requests, and before them one of `others` for everything else.
    static func loops(_ group: any TransportGroup, others: any EventLoopGroup) -> [any EventLoop] { [others.next()] + group.eventLoops }

    /// nil without a store. Throws if it can never work, whether or not the server responds.
    static func opened(
        _ configuration: Configuration, continuing earlier: RedisRuntime?, _ log: EventLog, _ operations: Operations,
        loops: [any EventLoop]
    ) throws(Failure) -> RedisRuntime? {
        guard let store = configuration.session.store else { return nil }
        let fingerprint = ValueFingerprint.of((store, store.files.map { FileIdentity(path: $0) }))
        if let earlier, earlier.fingerprint == fingerprint { return earlier }
        let settings: RedisSettings
        do throws(RedisURL.Problem) {
            settings = try RedisSettings(store)
        } catch {
            throw Failure(reason: "session.store cannot be used: its URL \(error.rawValue)")
        }
        do throws(SessionStoreError) {
            let sessions = try RedisSessions(
                settings, loops: loops, now: wallClock, observe: operations.observe,
                caller: { operations.tracer == nil ? nil : EventContext.current?.trace }
            ) { log.report($0) }
            return RedisRuntime(sessions, fingerprint: fingerprint)
        } catch {
            guard case .unavailable(let reason) = error else { throw Failure(reason: "session.store cannot be used") }
            throw Failure(reason: "session.store cannot be used: \(reason)")
        }
    }
}

extension Operations {
    /// Counts and traces what a store did.
    fileprivate func observe(_ event: RedisEvent) {
        switch event {
        case .invalidation(let kind): sessionStore.invalidation(kind.rawValue)
        case .unusableReply: sessionStore.error(RedisFailureKind.reply.rawValue)
        case .call(let operation, let failure, let nanoseconds, let caller):
            sessionStore.call(operation.rawValue, error: failure?.rawValue, nanoseconds: nanoseconds)
            guard let tracer, let trace = caller as? TraceState, trace.isSampled else { return }
            let end = UnixTime.nanoseconds()
            var attributes: [(name: String, value: Span.Value)] = [
                ("db.system", .text("redis")), ("db.operation", .text(operation.rawValue)),
            ]
            if let failure { attributes.append(("error.type", .text(failure.rawValue))) }
            tracer.record(
                Span(
                    traceHigh: trace.high, traceLow: trace.low, id: UInt64.random(in: 1 ... .max), parent: trace.span, kind: .client,
                    name: "session-store \(operation.rawValue)", start: end - min(end, nanoseconds), end: end, attributes: attributes,
                    isError: failure != nil))
        }
    }
}

extension RedisSettings {
    package init(_ store: SessionStoreConfiguration) throws(RedisURL.Problem) {
        try self.init(
            url: store.url.exposed, tls: TLS(authorities: store.ca, certificate: store.certificate, key: store.key))
        prefix = store.prefix
        timeout = .milliseconds(store.timeout)
        sentinelPassword = store.sentinelPassword?.exposed
    }
}

extension EventLog {
    fileprivate func report(_ status: SessionStoreStatus) {
        if !status.isServing {
            write(
                .error, "session-store-unavailable", "the session store does not respond; requests that need a session return 503",
                [("reason", .text(status.detail))])
        } else if status.detail.isEmpty {
            write(.notice, "session-store-available", "the session store responds", [])
        } else {
            write(
                .warning, "session-store-unheard", "ends of sessions on other replicas are not heard; each request asks the session store",
                [("reason", .text(status.detail))])
        }
    }
}

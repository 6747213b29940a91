import Access
import Decisions
import Exchanges
import HTTPWire
import NIOCore
import Primitives
import Sessions
import Telemetry

/// Work that leaves the event loop, and the session of a request.
extension Endpoints {
    /// Goes on on the event loop with what `work` returns, unless the request is gone by then.
    func after<Value: Sendable>(
        _ request: EndpointRequest, _ work: @escaping @Sendable () async -> Value,
        _ next: @escaping @Sendable (Endpoints, EndpointRequest, Value) -> Void
    ) {
        let pending = request.pending
        let bound = NIOLoopBound((endpoints: self, request: request), eventLoop: request.exchange.eventLoop)
        Task {
            let value = await work()
            pending.onLoop { _ in next(bound.value.endpoints, bound.value.request, value) }
        }
    }

    private enum PresentedCookie {
        case none
        case refused(Authentication.Refusal)
        /// Its pieces joined.
        case value([UInt8])
    }

    private func sessionCookie(of head: RequestHead) -> PresentedCookie {
        guard head.has(.cookie) else { return .none }
        let bytes = head.bytes.byteSpan
        switch head.sessionCookies(site.cookies, in: bytes).value(in: bytes) {
        case .absent: return .none
        case .refused(let refusal): return .refused(refusal)
        case .whole(let range): return .value(Array(bytes.extracting(range)))
        case .joined(let cookie): return .value(cookie)
        }
    }

    /// Goes on with the session that a request presents, opened without the cache: requests to own endpoints are rare. At once where the
    /// store knows it. Where the store does not respond, the answer is 503.
    func withAuthentication(
        of request: EndpointRequest, _ next: @escaping @Sendable (Endpoints, EndpointRequest, Authentication) -> Void
    ) {
        let now = wallClock()
        switch sessionCookie(of: request.head) {
        case .none: next(self, request, .anonymous)
        case .refused(let refusal): next(self, request, .invalid(refusal))
        case .value(let cookie):
            let sessions = context.sessions
            switch sessions.open(cookie.span.bytes, now: now) {
            case .known(let known): next(self, request, known)
            case .ask(let question):
                after(request, { await sessions.ask(question, now: now) }) { endpoints, request, authentication in
                    if case .invalid(.storeUnavailable) = authentication { return endpoints.refuseWithoutStore(request) }
                    next(endpoints, request, authentication)
                }
            }
        }
    }

    /// Goes on with the live session of a request.
    func withSession(of request: EndpointRequest, _ next: @escaping @Sendable (Endpoints, EndpointRequest, Session?) -> Void) {
        withAuthentication(of: request) { endpoints, request, authentication in
            if case .session(let session) = authentication {
                next(endpoints, request, session)
            } else {
                next(endpoints, request, nil)
            }
        }
    }

    /// The session that a request's cookies hold, whether or not it was ended or counts at present.
    func uncheckedSession(of head: RequestHead, now: Int64) -> @Sendable () async throws(SessionStoreError) -> Session? {
        guard case .value(let cookie) = sessionCookie(of: head) else { return { () async throws(SessionStoreError) in nil } }
        let sessions = context.sessions
        return { () async throws(SessionStoreError) in try await sessions.loadUnchecked(cookie, now: now) }
    }

    /// The return path in `rd`; `/` for anything but exactly one safe value.
    func returnPath(_ fields: [(name: String, value: String)]?) -> String {
        let values = (fields ?? []).filter { $0.name == "rd" }
        return values.count == 1 ? site.returnPaths.validate(values[0].value).text : "/"
    }
}

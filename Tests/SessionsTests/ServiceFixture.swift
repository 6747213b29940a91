import Accounts
import KeptSessions
import Sessions
import Synchronization

/// A session service with a provider that a test scripts and a clock that a test moves.
struct ServiceFixture: Sendable {
    static let limits = SessionLimits(idle: 3_600_000, absolute: 86_400_000)
    static let seal = SessionSeal(keys: Example.keys, cookieName: "__Host-session", publicURL: Example.publicURL)

    let service: SessionService
    let provider = ScriptedProvider()
    let clock = Clock()
    let events = Events()

    enum StoreKind: CaseIterable, Sendable { case sealed, waiting }

    init(
        _ kind: StoreKind = .sealed, memory: SharedSessions = SharedSessions(),
        contents: SessionContents = SessionContents(
            keepsAccessToken: true, referencedClaims: ["department"], referencedGroups: ["staff"], groupClaims: [:])
    ) {
        let store: any SessionStore =
            switch kind {
            case .sealed: SealedCookieStore(seal: Self.seal, limits: Self.limits, memory: memory)
            case .waiting: WaitingStore(limits: Self.limits)
            }
        let (clock, events) = (clock, events)
        let refresher = SessionRefresher(
            providers: ["oidc.acme": provider], contents: contents, now: { clock.now }, report: { event, _ in events.add(event) })
        service = SessionService(
            store: store, cookies: SessionCookies(publicURL: true), limits: Self.limits, contents: contents, activity: SessionActivity(),
            refresher: refresher, providerRefusal: { $0.provider == "oidc.acme" ? nil : .unknownProvider })
    }

    /// The outcome of a request with these cookies.
    func authenticate(_ pairs: [(String, String)], now: Int64 = Example.start) async -> Authentication {
        let cookie: [UInt8]
        switch service.cookies.assembled(pairs) {
        case .absent: return .anonymous
        case .refused(let refusal): return .invalid(refusal)
        case .whole(let value), .joined(let value): cookie = value
        }
        switch service.open(cookie.span.bytes, now: now) {
        case .known(let known): return known
        case .ask(let question): return await service.ask(question, now: now)
        }
    }
}

final class Clock: Sendable {
    private let milliseconds = Mutex(Example.start)
    private let readings = Mutex(0)

    var now: Int64 {
        readings.withLock { $0 += 1 }
        return milliseconds.withLock { $0 }
    }
    var readingCount: Int { readings.withLock { $0 } }
    func advance(by delta: Int64) { milliseconds.withLock { $0 += delta } }
}

final class Events: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func add(_ event: RefreshEvent) { list.withLock { $0.append("\(event)") } }
}

/// Answers refreshes when the test says so.
final class ScriptedProvider: SessionRenewer {
    private struct State {
        var calls = 0
        var answer: RefreshOutcome?
        var waiting: [CheckedContinuation<RefreshOutcome, Never>] = []
    }

    private let state = Mutex(State())
    var calls: Int { state.withLock(\.calls) }

    func refresh(_ session: Session) async -> RefreshOutcome {
        await withCheckedContinuation { continuation in
            let answer: RefreshOutcome? = state.withLock {
                $0.calls += 1
                if $0.answer == nil { $0.waiting.append(continuation) }
                return $0.answer
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// For the calls that wait, and all later ones.
    func answer(_ outcome: RefreshOutcome) {
        let waiting = state.withLock { state in
            state.answer = outcome
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }
}

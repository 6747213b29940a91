import NIOConcurrencyHelpers

/// Counters of rare events (sign-ins, refreshes, refusals), by labels from closed sets and the configuration.
///
/// Behind a lock, which nothing on the way of an ordinary request takes.
package final class EventCounters: Sendable {
    package enum Counter: String, Sendable, CaseIterable {
        case loginsStarted = "gateway_logins_started"
        case logins = "gateway_logins"
        case passkeys = "gateway_passkey_logins"
        case refreshes = "gateway_token_refresh"
        case sessionsCreated = "gateway_sessions_created"
        case sessionsRevoked = "gateway_sessions_revoked"
        case sessionsRefused = "gateway_sessions_refused"
        case tokensRefused = "gateway_bearer_tokens_refused"
        case strippedHeaders = "gateway_stripped_identity_headers"
        case parametersDropped = "gateway_login_parameters_dropped"
        case providerRequests = "gateway_idp_requests"
        case callbackErrors = "gateway_callback_errors"
        case accountEvents = "gateway_account_events"
        case mails = "gateway_mails"
        case messages = "gateway_text_messages"

        package var help: String {
            switch self {
            case .loginsStarted: "Sign-ins that were begun."
            case .logins: "Sign-ins that ended, by provider, outcome and error code."
            case .passkeys: "Sign-ins with a passkey instead of the password, by outcome and error code; also among all sign-ins."
            case .refreshes: "Refreshes of sessions: success, refused by the provider, or failure (tried again)."
            case .sessionsCreated: "Sessions that were issued."
            case .sessionsRevoked: "Sessions that ended before their time."
            case .sessionsRefused: "Session cookies that did not count."
            case .tokensRefused: "Tokens of programs that did not count."
            case .strippedHeaders: "Identity headers that a client sent itself; they never reach an upstream."
            case .parametersDropped: "Parameters of /login that were not passed on to the provider."
            case .providerRequests: "Calls to identity providers."
            case .callbackErrors: "Callbacks that did not end in a session, by error code."
            case .accountEvents: "Changes of accounts, refusals, failed hooks, and outages of the account store."
            case .messages: "Text messages with codes: sent, failed or limited."
            case .mails: "Mails about accounts: sent, delayed (tried again), failed or limited."
            }
        }

        package var labels: [String] {
            switch self {
            case .loginsStarted: ["provider"]
            case .logins: ["provider", "outcome", "reason"]
            case .passkeys: ["outcome", "reason"]
            case .refreshes: ["provider", "outcome"]
            case .sessionsCreated: ["provider"]
            case .sessionsRevoked, .sessionsRefused: ["reason"]
            case .tokensRefused: []
            case .strippedHeaders: ["header"]
            case .parametersDropped: ["provider", "reason"]
            case .providerRequests: ["provider", "endpoint", "outcome"]
            case .callbackErrors: ["provider", "error"]
            case .accountEvents: ["event"]
            case .mails, .messages: ["outcome"]
            }
        }
    }

    private struct Series: Hashable {
        var counter: Counter
        var values: [String]
    }

    private struct State {
        var counts: [Series: Int] = [:]
        var providerCalls: [[String]: DurationHistogram] = [:]
    }

    /// Labels come from closed sets; should one ever not, memory still ends here.
    private static let mostSeries = 10_000
    private let state = NIOLockedValueBox(State())

    package init() {}

    package func add(_ counter: Counter, _ values: String..., count: Int = 1) {
        let series = Series(counter: counter, values: values)
        state.withLockedValue { state in
            if state.counts[series] == nil, state.counts.count >= Self.mostSeries { return }
            state.counts[series, default: 0] += count
        }
    }

    package func providerCall(provider: String, endpoint: String, nanoseconds: UInt64) {
        state.withLockedValue { state in
            if state.providerCalls.count < Self.mostSeries {
                state.providerCalls[[provider, endpoint], default: DurationHistogram()].add(nanoseconds)
            }
        }
    }

    package var families: [MetricFamily] {
        let state = self.state.withLockedValue { $0 }
        var families = Counter.allCases.map { counter in
            var family = MetricFamily(counter.rawValue, .counter, counter.help)
            family.samples = state.counts.filter { $0.key.counter == counter }.sorted {
                $0.key.values.lexicographicallyPrecedes($1.key.values)
            }
            .map { .init(labels: Array(zip(counter.labels, $0.key.values)).map { (name: $0, value: $1) }, value: .integer($0.value)) }
            return family
        }
        var calls = MetricFamily("gateway_idp_request_duration_seconds", .histogram, "Time that identity providers took to answer.")
        for (labels, histogram) in state.providerCalls.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            calls.add(.histogram(histogram), ("provider", labels[0]), ("endpoint", labels[1]))
        }
        families.append(calls)
        return families
    }
}

import NIOConcurrencyHelpers

/// Counts calls to the servers of a session store, and the messages of other replicas. The labels come from closed sets.
///
/// Behind a lock: most requests need no call.
package final class SessionStoreCounters: Sendable {
    private struct State {
        var calls: [String: DurationHistogram] = [:]
        var errors: [String: Int] = [:]
        var invalidations: [String: Int] = [:]
    }

    private let state = NIOLockedValueBox(State())

    init() {}

    /// Counts a call. `error`: the kind of its failure; nil after a success.
    package func call(_ operation: String, error: String?, nanoseconds: UInt64) {
        state.withLockedValue { state in
            state.calls[operation, default: DurationHistogram()].add(nanoseconds)
            if let error { state.errors[error, default: 0] += 1 }
        }
    }

    package func error(_ kind: String) { state.withLockedValue { $0.errors[kind, default: 0] += 1 } }

    package func invalidation(_ kind: String) { state.withLockedValue { $0.invalidations[kind, default: 0] += 1 } }

    package var families: [MetricFamily] {
        let state = state.withLockedValue { $0 }
        var calls = MetricFamily(
            "gateway_session_store_duration_seconds", .histogram, "Time that the session store took to answer, or to fail.")
        for (operation, histogram) in state.calls.sorted(by: { $0.key < $1.key }) {
            calls.add(.histogram(histogram), ("operation", operation))
        }
        var errors = MetricFamily("gateway_session_store_errors", .counter, "Calls to the session store that failed.")
        for (kind, count) in state.errors.sorted(by: { $0.key < $1.key }) { errors.add(.integer(count), ("kind", kind)) }
        var messages = MetricFamily(
            "gateway_session_store_invalidations", .counter, "Messages of replicas about sessions that ended or changed.")
        for (kind, count) in state.invalidations.sorted(by: { $0.key < $1.key }) { messages.add(.integer(count), ("kind", kind)) }
        return [calls, errors, messages]
    }
}

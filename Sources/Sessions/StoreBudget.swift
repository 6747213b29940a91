import Synchronization

/// The time that one request may still wait for the session store, over all calls that are made for it.
///
/// Carried by the task, so that no function on the way has to pass it on. A store that waits for servers reads it.
package final class StoreBudget: Sendable {
    /// nil: the work belongs to no request.
    @TaskLocal package static var current: StoreBudget?

    private let used = Mutex(Duration.zero)

    package init() {}

    /// What is left of a time limit.
    package func rest(of limit: Duration) -> Duration { used.withLock { max(.zero, limit - $0) } }

    package func use(_ time: Duration) { used.withLock { $0 += time } }
}

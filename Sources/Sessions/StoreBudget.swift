import Synchronization

/// The time that one request may still wait for the session store, over all calls that are made for it, and whether it is over.
///
/// Carried by the task, so that no function on the way has to pass it on. A store that waits for servers reads it, and the queue of the
/// threads that hash passwords.
package final class StoreBudget: Sendable {
    /// nil: the work belongs to no request.
    @TaskLocal package static var current: StoreBudget?

    private let used = Mutex(Duration.zero)
    private let hasEnded = Atomic(false)

    package init() {}

    /// What is left of a time limit.
    package func rest(of limit: Duration) -> Duration { used.withLock { max(.zero, limit - $0) } }

    /// The request was answered, or its client has disconnected: nobody waits for work that has not begun.
    package var isOver: Bool { hasEnded.load(ordering: .relaxed) }

    package func end() { hasEnded.store(true, ordering: .relaxed) }

    package func use(_ time: Duration) { used.withLock { $0 += time } }
}

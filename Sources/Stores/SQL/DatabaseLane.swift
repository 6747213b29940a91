import Dispatch
import Synchronization

/// A thread that works off a bounded queue, apart from event loops and Swift's own threads. No caller waits beyond the time limit.
final class DatabaseLane: Sendable {
    private struct State {
        var nextNumber: UInt64 = 0
        /// The callers without an answer, by their numbers.
        var callers: [UInt64: Caller] = [:]
        /// Work that has not ended, whether or not its caller still waits.
        var unfinished = 0
        var isWatching = false
    }

    private struct Caller {
        let deadline: ContinuousClock.Instant
        let refuse: @Sendable () -> Void
    }

    private let queue: DispatchQueue
    private let watch: DispatchQueue
    private let longest: Int
    private let limit: Duration
    private let state = Mutex(State())

    /// `longest`: more callers are refused at once.
    init(label: String, longest: Int, limit: Duration) {
        queue = DispatchQueue(label: label)
        watch = DispatchQueue(label: label + ".watch")
        self.longest = longest
        self.limit = limit
    }

    /// Runs `work` when its turn comes. A caller that has waited too long gets an error; work that has not begun by then never runs.
    func run<T: Sendable>(_ work: @escaping @Sendable () -> Result<T, SQLError>) async throws(SQLError) -> T {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<T, SQLError>, Never>) in
            let refusal = SQLError.unavailable("the account store did not answer in time")
            guard let number = enter({ continuation.resume(returning: .failure(refusal)) }) else {
                continuation.resume(returning: .failure(.unavailable("too many requests wait for the account store")))
                return
            }
            queue.async {
                defer { self.state.withLock { $0.unfinished -= 1 } }
                guard self.isWaiting(number) else { return }
                let result = work()
                if self.leave(number) { continuation.resume(returning: result) }
            }
        }
        return try result.get()
    }

    private func enter(_ refuse: @escaping @Sendable () -> Void) -> UInt64? {
        let (number, mustWatch) = state.withLock { state -> (UInt64?, Bool) in
            guard state.unfinished < longest else { return (nil, false) }
            state.unfinished += 1
            state.nextNumber += 1
            state.callers[state.nextNumber] = Caller(deadline: .now + limit, refuse: refuse)
            defer { state.isWatching = true }
            return (state.nextNumber, !state.isWatching)
        }
        if mustWatch { scheduleWatch() }
        return number
    }

    private func isWaiting(_ number: UInt64) -> Bool { state.withLock { $0.callers[number] != nil } }

    /// Whether the caller had no answer yet.
    private func leave(_ number: UInt64) -> Bool { state.withLock { $0.callers.removeValue(forKey: number) != nil } }

    private func scheduleWatch() {
        watch.asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in
            if self?.refuseLate() == true { self?.scheduleWatch() }
        }
    }

    /// Answers the callers that have waited too long. Returns whether any others wait.
    private func refuseLate() -> Bool {
        let now = ContinuousClock.now
        let (late, isWatching) = state.withLock { state -> ([Caller], Bool) in
            let late = state.callers.filter { $0.value.deadline <= now }
            for number in late.keys { state.callers[number] = nil }
            state.isWatching = !state.callers.isEmpty
            return (Array(late.values), state.isWatching)
        }
        for caller in late { caller.refuse() }
        return isWatching
    }
}

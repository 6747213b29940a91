import NIOConcurrencyHelpers
import NIOPosix
package import Sessions
import TokenCrypto

/// Keeps the file of `session.revocations` in step with the memory, on a thread of its own.
///
/// The memory is changed first. After a failed write the file is rewritten from the memory, at most once a second while requests wait for it
/// and every five seconds otherwise, until that succeeds. A hanging disk delays a request up to a limit only.
package final class RevocationJournal: EndedSessionJournal {
    private struct Waiter {
        let number: UInt64
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var waiting: [RevocationRecord] = []
        /// In the order of their numbers.
        var waiters: [Waiter] = []
        var nextNumber: UInt64 = 0
        var isWatching = false
        /// The memory may have grown between `begin` and the journal's use.
        var mustRewrite = true
        var isScheduled = false
        var ring: SealingKeyRing
        var report: RevocationReporter
        var failure: String?
        var attempts = Pacing(interval: 1_000)
        var retry: Task<Void, Never>?
        var isClosed = false

        /// Takes out the waiters that the condition holds for: the first ones.
        mutating func takeWaiters(while condition: (Waiter) -> Bool) -> [Waiter] {
            let taken = Array(waiters.prefix(while: condition))
            waiters.removeFirst(taken.count)
            return taken
        }
    }

    /// The work of one turn.
    private struct Turn {
        let records: [RevocationRecord]
        /// Waiters with smaller numbers wait for this turn.
        let end: UInt64
        let mustRewrite: Bool
    }

    private static let retryInterval: Duration = .seconds(5)
    private static let watchInterval: Duration = .milliseconds(500)
    /// More requests are refused at once, and more records are left to a rewrite.
    private static let longestQueue = 10_000

    package let path: String
    private let digester: RevocationDigester
    private let state: NIOLockedValueBox<State>
    private let file: RevocationFile
    private let memory: @Sendable () -> [RevocationRecord]
    private let waitLimit: Duration
    /// Unix milliseconds.
    private let now: @Sendable () -> Int64
    private let pool = NIOThreadPool(numberOfThreads: 1)

    /// `memory`: everything that the file is to hold.
    init(
        _ file: RevocationFile, digester: RevocationDigester, ring: SealingKeyRing, now: @escaping @Sendable () -> Int64,
        report: @escaping RevocationReporter, waitLimit: Duration = .seconds(5), memory: @escaping @Sendable () -> [RevocationRecord]
    ) {
        path = file.path
        self.digester = digester
        self.memory = memory
        self.waitLimit = waitLimit
        self.now = now
        state = NIOLockedValueBox(State(ring: ring, report: report))
        self.file = file
    }

    /// Writes the memory into a new file. Blocks; for the start, where a failure is one of the configuration.
    func begin() throws(RevocationFile.Failure) {
        try file.rewrite(contents(state.withLockedValue { $0.ring }))
        pool.start()
    }

    /// Takes records that the memory has taken; they are written soon.
    package func append(_ records: [RevocationRecord]) {
        guard !records.isEmpty else { return }
        schedule {
            if $0.waiting.count < Self.longestQueue {
                $0.waiting += records
            } else {
                $0.waiting = []
                $0.mustRewrite = true
            }
        }
    }

    /// Returns when everything that the memory held before the call is on disk, or false when it cannot be written, or not in time.
    package func synchronise() async -> Bool {
        await withCheckedContinuation { continuation in
            var isAccepted = true
            schedule {
                isAccepted = $0.waiters.count < Self.longestQueue
                guard isAccepted else { return }
                $0.waiters.append(Waiter(number: $0.nextNumber, deadline: .now + waitLimit, continuation: continuation))
                $0.nextNumber += 1
                watch(&$0)
            }
            if !isAccepted { continuation.resume(returning: false) }
        }
    }

    /// Answers those that have waited too long, while there are any that wait.
    private func watch(_ state: inout State) {
        guard !state.isWatching else { return }
        state.isWatching = true
        Task { [weak self] in
            repeat { try? await Task.sleep(for: Self.watchInterval) } while self?.refuseLate() == true
        }
    }

    /// Whether any are left.
    private func refuseLate() -> Bool {
        let now = ContinuousClock.now
        let (late, isWatching) = state.withLockedValue { state in
            let late = state.takeWaiters { $0.deadline <= now }
            state.isWatching = !state.waiters.isEmpty
            return (late, state.isWatching)
        }
        for waiter in late { waiter.continuation.resume(returning: false) }
        return isWatching
    }

    /// The next configuration's keys seal the file from now on.
    func adopt(_ ring: SealingKeyRing?, report: @escaping RevocationReporter) {
        schedule {
            $0.report = report
            guard let ring else { return }
            $0.ring = ring
            $0.mustRewrite = true
        }
    }

    /// The reason why the file cannot be written at present; nil while it can.
    package var failure: String? { state.withLockedValue { $0.failure } }

    /// Writes what is waiting, and ends. A disk that does not answer is not waited for beyond `limit`.
    package func close() async { await close(limit: .seconds(5)) }

    func close(limit: Duration) async {
        state.withLockedValue {
            $0.isClosed = true
            $0.attempts.reset()
            $0.retry?.cancel()
        }
        let (ends, continuation) = AsyncStream<Void>.makeStream()
        Task {
            _ = await self.synchronise()
            try? await self.pool.shutdownGracefully()
            continuation.finish()
        }
        Task {
            try? await Task.sleep(for: limit)
            continuation.finish()
        }
        for await _ in ends {}
    }

    private func schedule(_ change: (inout State) -> Void) {
        let mustSubmit = state.withLockedValue { state -> Bool in
            change(&state)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard mustSubmit else { return }
        pool.submit { workState in
            if workState == .active { self.work() } else { self.refuse() }
        }
    }

    /// On the journal's thread, until nothing is left to do.
    private func work() {
        while true {
            let turn = state.withLockedValue { state -> Turn? in
                guard !state.waiting.isEmpty || !state.waiters.isEmpty || state.mustRewrite else {
                    state.isScheduled = false
                    return nil
                }
                defer {
                    state.waiting = []
                    state.mustRewrite = false
                }
                return Turn(records: state.waiting, end: state.nextNumber, mustRewrite: state.mustRewrite || state.failure != nil)
            }
            guard let turn else { return }
            answer(before: turn.end, with: write(turn.records, mustRewrite: turn.mustRewrite))
        }
    }

    private func answer(before end: UInt64, with isWritten: Bool) {
        let waiters = state.withLockedValue { $0.takeWaiters { $0.number < end } }
        for waiter in waiters { waiter.continuation.resume(returning: isWritten) }
    }

    /// The pool has been shut down.
    private func refuse() {
        let waiters = state.withLockedValue { state in
            state.isScheduled = false
            return state.takeWaiters { _ in true }
        }
        for waiter in waiters { waiter.continuation.resume(returning: false) }
    }

    private func write(_ records: [RevocationRecord], mustRewrite: Bool) -> Bool {
        let now = self.now()
        let (ring, isTooEarly) = state.withLockedValue { ($0.ring, $0.failure != nil && $0.attempts.isTooSoon(at: now)) }
        guard !isTooEarly else { return false }
        do throws(RevocationFile.Failure) {
            if mustRewrite || file.needsRewrite {
                try file.rewrite(contents(ring))
            } else if !records.isEmpty {
                try file.append(records.flatMap { RevocationFileFormat.encode($0, digester) })
            }
            succeeded()
            return true
        } catch {
            failed(error.reason, now)
            return false
        }
    }

    private func contents(_ ring: SealingKeyRing) -> [UInt8] {
        memory().reduce(into: RevocationFileFormat.head(digester, ring: ring)) { $0 += RevocationFileFormat.encode($1, digester) }
    }

    private func succeeded() {
        let report = state.withLockedValue { state -> RevocationReporter? in
            defer { state.failure = nil }
            return state.failure == nil ? nil : state.report
        }
        report?(.recovered(path: path))
    }

    private func failed(_ reason: String, _ now: Int64) {
        let report = state.withLockedValue { state -> RevocationReporter? in
            _ = state.attempts.begin(at: now)
            defer { state.failure = reason }
            guard state.failure == nil, !state.isClosed else { return nil }
            state.retry = Task { [weak self] in
                repeat {
                    try? await Task.sleep(for: Self.retryInterval)
                    guard !Task.isCancelled, let self else { return }
                    if await self.synchronise() { return }
                } while true
            }
            return state.report
        }
        report?(.writeFailed(path: path, reason: reason))
    }
}

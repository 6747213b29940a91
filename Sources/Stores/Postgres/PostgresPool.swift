import Glibc
import NIOPosix
import Synchronization

/// Threads and connections that run transactions, one connection for each busy thread.
///
/// Neither an event loop nor Swift's cooperative threads wait for the server: calls wait in a queue, and the pool's threads resume them.
/// While no connection can be opened, calls fail at once; one call after each pause makes the next attempt.
final class PostgresPool: Sendable {
    typealias Instant = ContinuousClock.Instant
    typealias Opener = @Sendable () throws(PostgresFailure) -> PostgresSession

    private struct Waiting {
        let job: any PostgresJob
        let deadline: Instant
    }

    private enum Source {
        case idle(PostgresSession)
        /// The pool counts the attempt.
        case new
    }

    private enum Acquired {
        case session(PostgresSession, isNew: Bool)
        case refused(SQLError)
        /// Others have connections; the job waits for one of those.
        case wait
    }

    private struct State {
        /// Earliest deadline first.
        var waiting: [Waiting] = []
        /// Most recently used last, so that a pool with little to do needs few connections.
        var idle: [PostgresSession] = []
        /// Threads that run a job.
        var running = 0
        /// Open connections, idle or in use.
        var live = 0
        /// Attempts to connect.
        var connecting = 0
        /// Failed attempts to connect since the last success.
        var failures = 0
        /// No attempt is made before.
        var retryAt: Instant?
        var lastError = SQLError.unavailable("the PostgreSQL server cannot be reached")
        var isClosed = false
        /// A task removes calls that have waited too long.
        var isSweeping = false

        /// Connections cannot be opened, and the next attempt is not due.
        var isPausing: Bool { live == 0 && connecting == 0 && retryAt.map { Instant.now < $0 } ?? false }
        /// The same, or the one call that makes the next attempt is on its way.
        var isRefusing: Bool { isPausing || live == 0 && failures > 0 && (connecting > 0 || !waiting.isEmpty) }
    }

    private static let closed = SQLError.unavailable("the PostgreSQL database is closed")

    private let settings: PostgresSettings
    private let open: Opener
    private let threads: NIOThreadPool
    private let state = Mutex(State())

    init(_ settings: PostgresSettings, open: @escaping Opener) {
        self.settings = settings
        self.open = open
        threads = NIOThreadPool(numberOfThreads: max(1, settings.connections))
        threads.start()
    }

    deinit { threads.shutdownGracefully { _ in } }

    /// The reason why calls fail at the moment, or nil.
    var problem: SQLError? {
        state.withLock { state in
            if state.isClosed { return Self.closed }
            return state.live == 0 && state.failures > 0 ? state.lastError : nil
        }
    }

    var openConnections: Int { state.withLock { $0.live } }

    // MARK: - Queue

    /// Puts the job into the queue, or finishes it with the reason why not.
    func submit(_ job: any PostgresJob) {
        let refusal: SQLError? = state.withLock { state in
            if state.isClosed { return Self.closed }
            if state.isRefusing { return state.lastError }
            guard state.waiting.count < settings.queueLimit else {
                return .unavailable("too many calls wait for a connection to the PostgreSQL database")
            }
            state.waiting.append(Waiting(job: job, deadline: .now + settings.queueTimeout))
            return nil
        }
        if let refusal { return job.finish(refusal) }
        wakeThread()
        if state.withLock({ $0.waiting.count + $0.running > settings.connections }) { sweep() }
    }

    private func wakeThread() {
        threads.submit { [self] state in
            if state == .active { runNext() } else { leaveWaiting() }
        }
    }

    /// Finishes calls at the end of their time in the queue, until the queue is empty.
    private func sweep() {
        let isFirst = state.withLock { state in
            defer { state.isSweeping = true }
            return !state.isSweeping
        }
        guard isFirst else { return }
        Task { [self] in
            while let next = removeExpired() { try? await Task.sleep(until: next, clock: .continuous) }
        }
    }

    /// Returns the next deadline; nil when nothing waits.
    private func removeExpired() -> Instant? {
        let (expired, next): ([Waiting], Instant?) = state.withLock { state in
            let now = Instant.now
            let expired = Array(state.waiting.prefix { $0.deadline <= now })
            state.waiting.removeFirst(expired.count)
            state.isSweeping = !state.waiting.isEmpty
            return (expired, state.waiting.first?.deadline)
        }
        for waiting in expired {
            waiting.job.finish(.unavailable("no connection to the PostgreSQL database became free in time"))
        }
        return next
    }

    /// Closes idle connections at once and waits for the transactions that run.
    func close() async {
        let (waiting, idle) = state.withLock { state in
            state.isClosed = true
            defer {
                state.live -= state.idle.count
                state.waiting = []
                state.idle = []
            }
            return (state.waiting, state.idle)
        }
        for waiting in waiting { waiting.job.finish(Self.closed) }
        // Outside of the lock, because it writes to the sockets.
        withExtendedLifetime(idle) {}
        // It throws only for the shared pool of the process.
        try? await threads.shutdownGracefully()
    }

    // MARK: - Threads

    private func runNext() {
        let taken: (Waiting, Source)? = state.withLock { state in
            guard !state.waiting.isEmpty, let source = nextSource(&state) else { return nil }
            state.running += 1
            return (state.waiting.removeFirst(), source)
        }
        guard let (waiting, source) = taken else { return leaveWaiting() }
        let isPutBack = perform(waiting.job, source)
        let isQueueEmpty = state.withLock { state in
            state.running -= 1
            if isPutBack { state.waiting.insert(waiting, at: 0) }
            return state.waiting.isEmpty
        }
        if !isQueueEmpty { wakeThread() }
    }

    /// The jobs in the queue wait for the connections of others, or fail if there are none.
    private func leaveWaiting() {
        let refused: [Waiting] = state.withLock { state in
            guard state.isClosed || state.isPausing else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiting in refused { waiting.job.finish(problem ?? Self.closed) }
        if state.withLock({ !$0.waiting.isEmpty }) { sweep() }
    }

    /// An idle connection, or permission to open one; nil if there is neither.
    private func nextSource(_ state: inout State) -> Source? {
        if let session = state.idle.popLast() { return .idle(session) }
        guard !state.isClosed, state.retryAt.map({ $0 <= Instant.now }) ?? true else { return nil }
        state.connecting += 1
        return .new
    }

    /// Runs the job until it has succeeded or failed; true if it must wait for a connection first.
    private func perform(_ job: any PostgresJob, _ source: Source) -> Bool {
        let deadline = Instant.now + job.kind.timeout(settings)
        var acquired = acquire(source)
        var attempts = 0
        var isReplaced = false
        while true {
            guard case .session(let session, let isNew) = acquired else {
                guard case .refused(let error) = acquired else { return true }
                job.finish(error)
                return false
            }
            attempts += 1
            do throws(PostgresSession.TransactionFailure) {
                try session.attempt(job, settings, until: deadline)
                release(session)
                job.finish(nil)
                return false
            } catch {
                let isLate = Instant.now >= deadline
                switch error.failure.consequence {
                case .conflict where attempts < settings.attempts && !isLate:
                    pause(afterConflict: attempts)
                    acquired = .session(session, isNew: isNew)
                    continue
                case .refused, .conflict: release(session)
                case .wrongServer, .outdated: remove(session)
                case .lost: removeAll(session)
                }
                // A connection that was idle may have ended unnoticed. The body has not run, so another connection may run it.
                let wasIdle = error.failure.consequence == .lost && error.phase == .begin && !isNew
                guard wasIdle || error.failure.consequence == .outdated, !isReplaced, !isLate else {
                    job.finish(error.failure.error)
                    return false
                }
                isReplaced = true
                acquired = acquire(state.withLock { nextSource(&$0) })
            }
        }
    }

    private func pause(afterConflict attempts: Int) {
        // 2 ms at most after the first attempt, 64 ms at most after the sixth.
        usleep(UInt32.random(in: 0...(1_000 << UInt32(min(attempts, 6)))))
    }

    // MARK: - Connections

    private func acquire(_ first: Source?) -> Acquired {
        var source = first
        while let current = source {
            switch current {
            case .idle(let session):
                if session.isAlive { return .session(session, isNew: false) }
                removeAll(session)
            case .new:
                do throws(PostgresFailure) {
                    let session = try open()
                    connected()
                    return .session(session, isNew: true)
                } catch {
                    return connectFailed(error.error)
                }
            }
            source = state.withLock { nextSource(&$0) }
        }
        return state.withLock { $0.live > 0 ? .wait : .refused($0.isClosed ? Self.closed : $0.lastError) }
    }

    private func connected() {
        state.withLock { state in
            state.connecting -= 1
            state.live += 1
            state.failures = 0
            state.retryAt = nil
        }
    }

    private func connectFailed(_ error: SQLError) -> Acquired {
        let (result, refused): (Acquired, [Waiting]) = state.withLock { state in
            state.connecting -= 1
            state.failures += 1
            state.lastError = error
            state.retryAt = .now + pause(beforeAttempt: state.failures)
            if state.live > 0 { return (.wait, []) }
            defer { state.waiting = [] }
            return (.refused(error), state.waiting)
        }
        for waiting in refused { waiting.job.finish(error) }
        return result
    }

    /// Doubles with each failure; by chance up to a half shorter, so that many gateways do not connect at the same time.
    private func pause(beforeAttempt failures: Int) -> Duration {
        let longest = min(settings.firstPause * (1 << min(failures - 1, 10)), settings.longestPause)
        return longest * Double.random(in: 0.5...1)
    }

    private func release(_ session: PostgresSession) {
        state.withLock { state in
            if state.isClosed { state.live -= 1 } else { state.idle.append(session) }
        }
    }

    /// The caller holds the last reference, which closes the connection.
    private func remove(_ session: PostgresSession) { state.withLock { $0.live -= 1 } }

    /// Removes the lost connection and the idle ones, which probably ended for the same reason.
    private func removeAll(_ session: PostgresSession) {
        let idle = state.withLock { state in
            state.live -= 1 + state.idle.count
            defer { state.idle = [] }
            return state.idle
        }
        withExtendedLifetime(idle) {}
    }
}

import NIOConcurrencyHelpers
package import NIOCore
import NIOPosix
import Primitives
import Sessions
package import TokenCrypto

/// Hashes passwords on threads of its own, in a bounded queue that is fair between client addresses.
///
/// Neither an event loop nor a thread of Swift's pool ever waits for a hash. The threads bound the memory: each computes one hash at a time.
package final class PasswordPool: Sendable {
    /// The reason why nothing was computed. The caller answers 503 with `Retry-After`.
    package enum Failure: Error, Sendable, Hashable {
        /// Too many are waiting: this one was refused, or displaced by another client's.
        case busy
        /// It waited for its turn until the time limit.
        case late
        /// Its client has disconnected: nobody waits for the result.
        case abandoned
        case closed
        case hashing(PasswordHashingError)
    }

    package enum Verification: Sendable, Hashable {
        case wrong
        /// `renewed`: the hash to store in place of an imported or weaker one.
        case right(renewed: HashedPassword?)
    }

    private struct Job: Sendable {
        let deadline: NIODeadline
        /// The request that it is for; nil for work of no request.
        let request: StoreBudget?
        /// Computes the result, or reports why it is not computed.
        let run: @Sendable (Failure?) -> Void

        /// The reason why it is not worth its hash; nil while it is.
        func end(now: NIODeadline) -> Failure? {
            if request?.isOver ?? false { return .abandoned }
            return now >= deadline ? .late : nil
        }
    }

    private struct State {
        /// By the network that a provider gives to one site, and the client in it.
        var queue: FairQueue<String, String, Job>
        var isClosed = false
        /// Submitted to the threads and not begun: as many as jobs wait, or more after some have ended.
        var turns = 0
    }

    package static let defaultThreads = 2
    package static let defaultCapacity = 64
    /// The longest wait for a turn. Then the client is better off with an answer.
    package static let longestWait = TimeAmount.seconds(10)

    package let hasher: PasswordHasher
    /// The bytes that new hashes can take at the same time.
    package let memory: Int
    private let state: NIOLockedValueBox<State>
    /// The functions of the hashes that the account store has.
    private let known = NIOLockedValueBox<Set<PasswordFunction>>([])
    private let pool: NIOThreadPool
    private let now: @Sendable () -> NIODeadline

    /// `capacity`: how many may wait.
    package init(
        hasher: PasswordHasher, threads: Int = defaultThreads, capacity: Int = defaultCapacity,
        now: @escaping @Sendable () -> NIODeadline = { NIODeadline.now() }
    ) {
        self.hasher = hasher
        self.now = now
        memory = threads * hasher.memoryPerHash
        state = NIOLockedValueBox(State(queue: FairQueue(capacity: capacity)))
        pool = NIOThreadPool(numberOfThreads: threads)
        pool.start()
    }

    /// Hashes a new password. `client`: the client's address, or of IPv6 its /64 network.
    package func hash(_ password: Password, for client: String) async throws(Failure) -> HashedPassword {
        try await run(for: client) { [hasher] () throws(PasswordHashingError) in try hasher.hash(password) }
    }

    /// The functions of stored hashes: each verification does the work of all of them.
    package func know(_ functions: Set<PasswordFunction>) { known.withLockedValue { $0 = functions } }

    /// Verifies a password. Without a hash, of an account that does not exist or has no password, it does the same work and is wrong.
    package func verify(_ password: Password, against hash: HashedPassword?, for client: String) async throws(Failure) -> Verification {
        try await run(for: client) { [hasher, known] () throws(PasswordHashingError) in
            // A hash that was stored since the functions were read: from now on, its function is one of them.
            let functions = known.withLockedValue { known in
                if let hash { known.insert(hash.kind) }
                return known
            }
            let isRight = if let hash { try hasher.verify(password, against: hash) } else { false }
            var renewed: HashedPassword?
            for step in hasher.steps(for: hash, isRight: isRight, among: functions) {
                switch step {
                case .compare: break
                case .renew: renewed = try hasher.hash(password)
                // An OpenSSL without the function cannot compare hashes of it either.
                case .imitate(let function): try? hasher.imitate(function, password)
                }
            }
            return isRight ? .right(renewed: renewed) : .wrong
        }
    }

    /// Runs a function on one of the threads when it is the client's turn.
    func run<Value: Sendable>(
        for client: String, _ work: @escaping @Sendable () throws(PasswordHashingError) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            enqueue(for: client) { failure in
                if let failure { return continuation.resume(returning: .failure(failure)) }
                do throws(PasswordHashingError) {
                    continuation.resume(returning: .success(try work()))
                } catch {
                    continuation.resume(returning: .failure(.hashing(error)))
                }
            }
        }
        return try result.get()
    }

    private func enqueue(for client: String, _ run: @escaping @Sendable (Failure?) -> Void) {
        let now = now()
        let job = Job(deadline: now + Self.longestWait, request: StoreBudget.current, run: run)
        var ended: [(Job, Failure)] = []
        let mustSubmit = state.withLockedValue { state in
            guard !state.isClosed else {
                ended = [(job, .closed)]
                return false
            }
            ended = Self.removeEnded(&state, now)
            switch state.queue.append(job, for: client, in: Self.site(of: client)) {
            case .accepted: break
            case .refused: ended.append((job, .busy))
            case .displaced(let other): ended.append((other, .busy))
            }
            // The turns of jobs that have ended serve others: the threads' own queue is as bounded as ours.
            guard state.turns < state.queue.count else { return false }
            state.turns += 1
            return true
        }
        for (job, failure) in ended { job.run(failure) }
        if mustSubmit { pool.submit { state in self.takeTurn(mayRun: state == .active) } }
    }

    private func takeTurn(mayRun: Bool) {
        let now = now()
        let (ended, next) = state.withLockedValue { state in
            state.turns -= 1
            return (Self.removeEnded(&state, now), state.queue.popFirst())
        }
        for (job, failure) in ended { job.run(failure) }
        next?.run(mayRun ? nil : .closed)
    }

    /// Jobs that nobody waits for, or that have waited too long: they take no turn, and no place in the queue.
    private static func removeEnded(_ state: inout State, _ now: NIODeadline) -> [(Job, Failure)] {
        state.queue.removeAll { $0.end(now: now) != nil }.map { ($0, $0.end(now: now) ?? .late) }
    }

    /// The network that a client's own network belongs to: of IPv6 the /48, which one customer can have whole.
    static func site(of client: String) -> String { NetworkAddress(client)?.site.description ?? client }

    /// How many wait for a thread.
    package var waitingCount: Int { state.withLockedValue { $0.queue.count } }

    /// Refuses what waits and what comes, and returns when the hashes that are being computed are done.
    package func close() async {
        let waiting = state.withLockedValue { state in
            state.isClosed = true
            return state.queue.removeAll()
        }
        for job in waiting { job.run(.closed) }
        try? await pool.shutdownGracefully()
    }
}

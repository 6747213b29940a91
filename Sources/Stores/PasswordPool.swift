import NIOConcurrencyHelpers
import NIOPosix
package import TokenCrypto

/// Hashes passwords on threads of its own, in a bounded queue that is fair between client addresses.
///
/// Neither an event loop nor a thread of Swift's pool ever waits for a hash. The threads bound the memory: each computes one hash at a time.
package final class PasswordPool: Sendable {
    /// The reason why nothing was computed. The caller answers 503 with `Retry-After`.
    package enum Failure: Error, Sendable, Hashable {
        /// Too many are waiting: this one was refused, or displaced by another client's.
        case busy
        case closed
        case hashing(PasswordHashingError)
    }

    package enum Verification: Sendable, Hashable {
        case wrong
        /// `renewed`: the hash to store in place of an imported or weaker one.
        case right(renewed: HashedPassword?)
    }

    private struct State {
        var queue: FairQueue<String, @Sendable (Bool) -> Void>
        var isClosed = false
    }

    package static let defaultThreads = 2
    package static let defaultCapacity = 64

    package let hasher: PasswordHasher
    /// The bytes that new hashes can take at the same time.
    package let memory: Int
    private let state: NIOLockedValueBox<State>
    /// The functions of the hashes that the account store has.
    private let known = NIOLockedValueBox<Set<PasswordFunction>>([])
    private let pool: NIOThreadPool

    /// `capacity`: how many may wait.
    package init(hasher: PasswordHasher, threads: Int = defaultThreads, capacity: Int = defaultCapacity) {
        self.hasher = hasher
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
            enqueue(for: client) { mayRun in
                guard mayRun else { return continuation.resume(returning: .failure(.busy)) }
                do throws(PasswordHashingError) {
                    continuation.resume(returning: .success(try work()))
                } catch {
                    continuation.resume(returning: .failure(.hashing(error)))
                }
            }
        }
        if case .failure(.busy) = result, state.withLockedValue({ $0.isClosed }) { throw .closed }
        return try result.get()
    }

    private func enqueue(for client: String, _ job: @escaping @Sendable (Bool) -> Void) {
        let (refused, mustSubmit) = state.withLockedValue { state -> ((@Sendable (Bool) -> Void)?, Bool) in
            guard !state.isClosed else { return (job, false) }
            return switch state.queue.append(job, for: client) {
            case .accepted: (nil, true)
            case .refused: (job, false)
            // The turn that was submitted for the displaced one remains.
            case .displaced(let other): (other, false)
            }
        }
        refused?(false)
        // A turn for each job that waits: the pool's own queue is as bounded as ours.
        if mustSubmit { pool.submit { state in self.takeTurn(mayRun: state == .active) } }
    }

    private func takeTurn(mayRun: Bool) {
        state.withLockedValue { $0.queue.popFirst() }?(mayRun)
    }

    /// How many wait for a thread.
    package var waitingCount: Int { state.withLockedValue { $0.queue.count } }

    /// Refuses what waits and what comes, and returns when the hashes that are being computed are done.
    package func close() async {
        let waiting = state.withLockedValue { state in
            state.isClosed = true
            return state.queue.removeAll()
        }
        for job in waiting { job(false) }
        try? await pool.shutdownGracefully()
    }
}

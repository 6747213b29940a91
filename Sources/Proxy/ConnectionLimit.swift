import Synchronization

/// How many connections this process may have to a target, and the requests that wait for one.
///
/// One for all event loops. It is asked when a connection would be opened, not for each request. While requests wait, no pool keeps an
/// unused connection: all pools are asked for theirs as soon as the first request waits, and hand on each that becomes unused. So a request
/// on one event loop does not starve while another event loop keeps connections.
package final class ConnectionLimit: Sendable {
    /// A request in the queue.
    struct Entry: Sendable {
        /// Tells the entries of a limit apart.
        var number: UInt64
        /// The pool that it belongs to.
        var pool: ObjectIdentifier
        /// It can use a stream of an HTTP/2 connection.
        var takesStream: Bool
        /// Called once, on any thread, with the connection that may be opened now.
        var grant: @Sendable (ConnectionSlot) -> Void
    }

    enum Outcome {
        case granted(ConnectionSlot)
        case queued
        /// Too many wait already.
        case refused
    }

    /// What becomes of a connection that is not in use any more.
    enum Handover: Equatable {
        /// Nobody waits: the pool keeps it.
        case keep
        /// The pool's own request with this number gets it.
        case serve(UInt64)
        /// A request of another event loop is next: closing the connection lets that one open its own.
        case close
    }

    private struct State {
        var open = 0
        /// The first has waited longest.
        var queue: [Entry] = []
        /// Connections handed on within an event loop while a request of another one was first in the queue.
        var handoversInARow = 0
        /// Asks each pool to give up its unused connections.
        var surveys: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    /// Requests that wait at once; further ones are refused.
    static let queueLimit = 1_024
    /// Handing a connection on within its event loop saves a handshake, but must not starve the others.
    static let mostHandoversInARow = 16

    private let most: Int
    private let state = Mutex(State())
    private let waiting = Atomic<Int>(0)
    private let lastNumber = Atomic<UInt64>(0)

    package init(most: Int) { self.most = max(1, most) }

    /// Whether requests wait. Cheap, and at worst a moment behind; each pool is asked to look again when the first request waits.
    var hasWaiting: Bool { waiting.load(ordering: .relaxed) > 0 }

    func makeNumber() -> UInt64 { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

    // MARK: Pools

    func register(_ pool: ObjectIdentifier, survey: @escaping @Sendable () -> Void) {
        state.withLock { $0.surveys[pool] = survey }
    }

    func unregister(_ pool: ObjectIdentifier) {
        state.withLock { $0.surveys[pool] = nil }
    }

    // MARK: Connections

    /// A connection that may be opened now; nil when the limit is reached, or requests wait already.
    func tryAcquire() -> ConnectionSlot? {
        let isFree = state.withLock { state in
            guard state.queue.isEmpty, state.open < most else { return false }
            state.open += 1
            return true
        }
        return isFree ? ConnectionSlot(self) : nil
    }

    /// The same; puts the request in the queue when there is none.
    func acquire(_ entry: Entry) -> Outcome {
        let (outcome, surveys): (Outcome, [@Sendable () -> Void]) = state.withLock { state in
            if state.queue.isEmpty, state.open < most {
                state.open += 1
                return (.granted(ConnectionSlot(self)), [])
            }
            guard state.queue.count < Self.queueLimit else { return (.refused, []) }
            state.queue.append(entry)
            waiting.store(state.queue.count, ordering: .relaxed)
            // Pools that know of waiting requests keep no unused connection, so the first one is enough to ask.
            return (.queued, state.queue.count == 1 ? state.surveys.filter { $0.key != entry.pool }.map(\.value) : [])
        }
        for survey in surveys { survey() }
        return outcome
    }

    /// Takes a request out of the queue; one that is not in it any more has been granted a connection, or will be.
    func cancel(_ number: UInt64) {
        // An entry may hold the last reference to its pool, which must not go away under the lock.
        let entry = state.withLock { state in
            state.queue.firstIndex { $0.number == number }.map { take(at: $0, from: &state) }
        }
        _ = entry
    }

    /// A connection of `pool` has become unused.
    func handOver(by pool: ObjectIdentifier) -> Handover {
        state.withLock { state in
            guard !state.queue.isEmpty else { return .keep }
            guard let index = state.queue.firstIndex(where: { $0.pool == pool }),
                index == 0 || state.handoversInARow < Self.mostHandoversInARow
            else {
                state.handoversInARow = 0
                return .close
            }
            state.handoversInARow = index == 0 ? 0 : state.handoversInARow + 1
            return .serve(take(at: index, from: &state).number)
        }
    }

    /// The longest waiting request of `pool` that can use a stream, for an HTTP/2 connection of that pool.
    func nextForStream(of pool: ObjectIdentifier) -> UInt64? {
        state.withLock { state in
            state.queue.firstIndex { $0.pool == pool && $0.takesStream }.map { take(at: $0, from: &state).number }
        }
    }

    private func take(at index: Int, from state: inout State) -> Entry {
        let entry = state.queue.remove(at: index)
        waiting.store(state.queue.count, ordering: .relaxed)
        return entry
    }

    /// A connection has been closed: the request that has waited longest may open one.
    fileprivate func release() {
        let next: Entry? = state.withLock { state in
            guard !state.queue.isEmpty else {
                state.open -= 1
                return nil
            }
            state.handoversInARow = 0
            return take(at: 0, from: &state)
        }
        next?.grant(ConnectionSlot(self))
    }
}

/// One of the connections that a target may have. Released once: when the connection is closed, at the latest when nobody holds this.
final class ConnectionSlot: Sendable {
    private let limit: ConnectionLimit
    private let isReleased = Atomic<Bool>(false)

    fileprivate init(_ limit: ConnectionLimit) { self.limit = limit }

    deinit { release() }

    func release() {
        if !isReleased.exchange(true, ordering: .relaxed) { limit.release() }
    }
}

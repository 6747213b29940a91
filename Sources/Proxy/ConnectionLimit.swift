import Synchronization

/// The limit of the connections to a target, and the queue of the requests that wait for one.
///
/// Shared by all event loops. Used when a connection is opened, not for each request. Invariant: while requests wait, no pool keeps an
/// unused connection. When the first request starts to wait, all pools are asked to give up theirs; from then on they hand over each
/// connection that becomes unused. So a request on one event loop does not starve while another event loop keeps idle connections.
package final class ConnectionLimit: Sendable {
    /// A request in the queue.
    struct Entry: Sendable {
        /// Unique within the limit.
        var number: UInt64
        /// The pool of the request.
        var pool: ObjectIdentifier
        /// It can use a stream of an HTTP/2 connection.
        var takesStream: Bool
        /// Called once, on any thread, with the connection that may be opened now.
        var grant: @Sendable (ConnectionSlot) -> Void
    }

    enum Outcome {
        case granted(ConnectionSlot)
        case queued
        /// The queue is full.
        case refused
    }

    /// The use of a connection that has become idle.
    enum Handover: Equatable {
        /// No request waits.
        case keep
        /// Use it for the pool's own request with this number.
        case serve(UInt64)
        /// Close it, so that a request of another event loop can open its own.
        case close
    }

    private struct State {
        var open = 0
        /// The first entry has waited longest.
        var queue: [Entry] = []
        /// Connections handed on within an event loop while a request of another one was first in the queue.
        var handoversInARow = 0
        /// Asks each pool to give up its unused connections.
        var surveys: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    /// Requests that wait at once; further ones are refused.
    static let queueLimit = 1_024
    /// Handing a connection over within its event loop saves a handshake, but must not starve the other event loops.
    static let mostHandoversInARow = 16

    private let most: Int
    private let state = Mutex(State())
    private let waiting = Atomic<Int>(0)
    private let lastNumber = Atomic<UInt64>(0)

    package init(most: Int) { self.most = max(1, most) }

    /// Whether requests wait. May lag for a moment; the survey of the pools covers that.
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

    /// A slot for a new connection; nil when the limit is reached or requests wait already.
    func tryAcquire() -> ConnectionSlot? {
        let isFree = state.withLock { state in
            guard state.queue.isEmpty, state.open < most else { return false }
            state.open += 1
            return true
        }
        return isFree ? ConnectionSlot(self) : nil
    }

    /// A slot for a new connection, or a position in the queue.
    func acquire(_ entry: Entry) -> Outcome {
        let (outcome, surveys): (Outcome, [@Sendable () -> Void]) = state.withLock { state in
            if state.queue.isEmpty, state.open < most {
                state.open += 1
                return (.granted(ConnectionSlot(self)), [])
            }
            guard state.queue.count < Self.queueLimit else { return (.refused, []) }
            state.queue.append(entry)
            waiting.store(state.queue.count, ordering: .relaxed)
            // Pools keep no unused connection while requests wait, so one survey for the first request is enough.
            return (.queued, state.queue.count == 1 ? state.surveys.filter { $0.key != entry.pool }.map(\.value) : [])
        }
        for survey in surveys { survey() }
        return outcome
    }

    /// Removes a request from the queue. A request that is no longer in the queue has been granted a slot.
    func cancel(_ number: UInt64) {
        // An entry may hold the last reference to its pool, which must not be released under the lock.
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

    /// Removes and returns the longest waiting request of `pool` that can use a stream.
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

    /// A connection has been closed: grants its slot to the request that has waited longest.
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

/// One of the connections that a target may have. Released once: when the connection is closed, at the latest on deinitialization.
final class ConnectionSlot: Sendable {
    private let limit: ConnectionLimit
    private let isReleased = Atomic<Bool>(false)

    fileprivate init(_ limit: ConnectionLimit) { self.limit = limit }

    deinit { release() }

    func release() {
        if !isReleased.exchange(true, ordering: .relaxed) { limit.release() }
    }
}

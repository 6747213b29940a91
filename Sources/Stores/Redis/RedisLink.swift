import NIOCore
import Synchronization

/// Keeps one connection open to the server that `locate` names, and opens it again after a failure.
///
/// It is the circuit breaker as well: while no connection can be opened, commands fail at once, and only the attempts to connect ask the
/// server. The first attempt after a working connection is waited for.
///
/// Unchecked: its state is used on the event loop only, except what is in the lock.
final class RedisLink: @unchecked Sendable {
    typealias Completion = RedisConnection.Completion

    private enum State {
        case connecting
        case ready(RedisConnection)
        case down
        case closed
    }

    private struct Waiting {
        let commands: [RedisCommand]
        let deadline: NIODeadline
        let completion: Completion
    }

    struct Status: Sendable {
        var isReady = false
        /// nil: none was ever made, or it is ready.
        var failure: RedisFailure?
    }

    /// The interval between two `PING` commands, so that no firewall drops an idle connection.
    private static let longestRest = TimeAmount.seconds(30)
    static let firstPause = TimeAmount.milliseconds(50)
    static let longestPause = TimeAmount.seconds(1)
    private static let mostWaiting = 1_000

    let eventLoop: any EventLoop
    private let opening: RedisOpening
    private let locate: @Sendable () -> EventLoopFuture<RedisTarget>
    private var state = State.down
    /// Failed attempts since the last connection that worked.
    private var failures = 0
    private var waiting: [Waiting] = []
    private var retry: Scheduled<Void>?
    /// The target of the next attempt, instead of the result of `locate`, which may come from a partitioned Sentinel.
    private var announced: RedisTarget?
    private var pinging: RepeatedTask?
    private var lastFailure = RedisFailure("no connection was made yet")
    private let shared = Mutex(Status())

    init(_ opening: RedisOpening, on eventLoop: any EventLoop, locate: @escaping @Sendable () -> EventLoopFuture<RedisTarget>) {
        self.opening = opening
        self.eventLoop = eventLoop
        self.locate = locate
    }

    var status: Status { shared.withLock { $0 } }

    // MARK: On the event loop

    func start() {
        guard case .down = state else { return }
        if pinging == nil {
            pinging = eventLoop.scheduleRepeatedTask(initialDelay: Self.longestRest, delay: Self.longestRest) { [weak self] _ in
                self?.ping()
            }
        }
        connect()
    }

    private func ping() {
        guard case .ready(let connection) = state else { return }
        connection.send([RedisCommand("PING")], deadline: .now() + opening.timeout) { _ in }
    }

    func close() {
        let earlier = state
        state = .closed
        retry?.cancel()
        pinging?.cancel()
        let failure = RedisFailure("the gateway stops")
        if case .ready(let connection) = earlier { connection.close(failure) }
        failWaiting(failure)
    }

    /// `completion` is called once, at the time limit at the latest.
    func send(_ commands: [RedisCommand], deadline: NIODeadline, _ completion: @escaping Completion) {
        switch state {
        case .ready(let connection): connection.send(commands, deadline: deadline, completion)
        case .connecting where failures == 0 && waiting.count < Self.mostWaiting:
            waiting.append(Waiting(commands: commands, deadline: deadline, completion: completion))
            if waiting.count == 1 { scheduleSweep(deadline) }
        case .connecting, .down: completion(.failure(RedisFailure(lastFailure.reason, .circuitOpen)))
        case .closed: completion(.failure(RedisFailure("the gateway stops")))
        }
    }

    /// Closes the connection unless it leads to this target, which the next attempt uses.
    func leave(unless target: RedisTarget) {
        guard case .ready(let connection) = state, connection.target != target else { return }
        announced = target
        connection.close(RedisFailure("another server has become the master", .replication))
    }

    private func scheduleSweep(_ deadline: NIODeadline) {
        eventLoop.scheduleTask(deadline: deadline) { self.sweep() }
    }

    private func sweep() {
        let now = NIODeadline.now()
        let late = waiting.filter { $0.deadline <= now }
        waiting.removeAll { $0.deadline <= now }
        if let next = waiting.first { scheduleSweep(next.deadline) }
        for command in late { command.completion(.failure(RedisFailure("no connection is made in time", .timeout))) }
    }

    private func connect() {
        state = .connecting
        let eventLoop = eventLoop
        let limit = eventLoop.makePromise(of: RedisConnection.self)
        let opening = opening
        let located = announced.map { eventLoop.makeSucceededFuture($0) } ?? locate()
        announced = nil
        let opened = located.hop(to: eventLoop).flatMap { target in
            RedisConnection.open(target, opening, on: eventLoop).flatMapErrorThrowing { error in
                throw RedisFailure("\(target.words): \((error as? RedisFailure)?.reason ?? "the connection fails")")
            }
        }
        opened.cascade(to: limit)
        limit.futureResult.whenComplete { self.connected($0) }
    }

    private func connected(_ result: Result<RedisConnection, any Error>) {
        if case .closed = state {
            if case .success(let connection) = result { connection.close(RedisFailure("the gateway stops")) }
            return
        }
        switch result {
        case .failure(let error):
            failures += 1
            lost(error as? RedisFailure ?? RedisFailure("the connection fails"))
        case .success(let connection):
            failures = 0
            state = .ready(connection)
            connection.onClose = { failure in self.ended(connection, failure) }
            shared.withLock { $0 = Status(isReady: true) }
            let waiting = waiting
            self.waiting = []
            for command in waiting { connection.send(command.commands, deadline: command.deadline, command.completion) }
        }
    }

    private func ended(_ connection: RedisConnection, _ failure: RedisFailure) {
        guard case .ready(let current) = state, current === connection else { return }
        lastFailure = failure
        guard connection.hasServed else {
            failures += 1
            return lost(failure)
        }
        shared.withLock { $0 = Status(failure: failure) }
        // At once: most servers that end a connection take another.
        connect()
    }

    private func lost(_ failure: RedisFailure) {
        state = .down
        lastFailure = failure
        shared.withLock { $0 = Status(failure: failure) }
        failWaiting(failure)
        retry = eventLoop.scheduleTask(in: Self.pause(after: failures)) { self.start() }
    }

    private func failWaiting(_ failure: RedisFailure) {
        let waiting = waiting
        self.waiting = []
        for command in waiting { command.completion(.failure(failure)) }
    }

    /// Doubles with each failure; by chance up to a half shorter, so that many gateways do not connect at the same time.
    static func pause(after failures: Int) -> TimeAmount {
        let doubled = firstPause.nanoseconds << Int64(min(max(failures - 1, 0), 10))
        return .nanoseconds(Int64(Double(min(doubled, longestPause.nanoseconds)) * Double.random(in: 0.5...1)))
    }
}

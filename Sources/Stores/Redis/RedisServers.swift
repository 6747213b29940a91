import NIOCore
import Primitives

/// The servers of a store, whatever their topology. Its functions run on its event loop, except `status`.
protocol RedisServers: AnyObject, Sendable {
    func start()
    func close()
    /// `completion` is called once, at the time limit at the latest, with one reply for each command.
    func send(_ commands: [RedisCommand], deadline: NIODeadline, _ completion: @escaping RedisConnection.Completion)
    /// A server that delivers all messages of the channels.
    func locateForMessages() -> EventLoopFuture<RedisTarget>
    var status: RedisLink.Status { get }
    /// Closes connections to any other server: an earlier master may still accept commands.
    func leave(unless master: RedisTarget)
}

/// One server, or the master that Sentinels name.
final class RedisSingle: RedisServers {
    private let link: RedisLink
    private let locate: @Sendable () -> EventLoopFuture<RedisTarget>

    init(_ opening: RedisOpening, on eventLoop: any EventLoop, locate: @escaping @Sendable () -> EventLoopFuture<RedisTarget>) {
        self.locate = locate
        link = RedisLink(opening, on: eventLoop, locate: locate)
    }

    func start() { link.start() }
    func close() { link.close() }
    func send(_ commands: [RedisCommand], deadline: NIODeadline, _ completion: @escaping RedisConnection.Completion) {
        link.send(commands, deadline: deadline, completion)
    }
    func locateForMessages() -> EventLoopFuture<RedisTarget> { locate() }
    var status: RedisLink.Status { link.status }
    func leave(unless master: RedisTarget) { link.leave(unless: master) }
}

/// Asks Sentinels for the address of the master. The one that answered last is asked first.
final class RedisSentinels: Sendable {
    private let servers: [RedisURL.Server]
    private let master: String
    private let opening: RedisOpening
    private let eventLoop: any EventLoop
    private let preferred: NIOLoopBoundBox<Int>

    /// On `eventLoop`.
    init(_ servers: [RedisURL.Server], master: String, _ opening: RedisOpening, on eventLoop: any EventLoop) {
        self.servers = servers
        self.master = master
        self.opening = opening
        self.eventLoop = eventLoop
        preferred = .makeBoxSendingValue(0, eventLoop: eventLoop)
    }

    func locate() -> EventLoopFuture<RedisTarget> { ask(preferred.value, remaining: servers.count, nil) }

    /// The master that more than half of all Sentinels name; nil: none. A partitioned Sentinel may name an earlier master.
    func agreedMaster() -> EventLoopFuture<RedisTarget?> {
        let needed = servers.count / 2 + 1
        return EventLoopFuture.whenAllComplete(servers.map(address), on: eventLoop).map { answers in
            let named = answers.compactMap { try? $0.get() }
            return named.first { target in named.count { $0 == target } >= needed }
        }
    }

    private func ask(_ index: Int, remaining: Int, _ failure: RedisFailure?) -> EventLoopFuture<RedisTarget> {
        guard remaining > 0 else {
            return eventLoop.makeFailedFuture(failure ?? RedisFailure("no Sentinel is known"))
        }
        let server = servers[index % servers.count]
        return address(from: server).map { target in
            self.preferred.value = index % self.servers.count
            return target
        }.flatMapError { error in
            let reason = (error as? RedisFailure)?.reason ?? "the connection fails"
            return self.ask(
                index + 1, remaining: remaining - 1, RedisFailure("Sentinel \(server.host):\(server.port): \(reason)"))
        }
    }

    private func address(from server: RedisURL.Server) -> EventLoopFuture<RedisTarget> {
        let (eventLoop, opening, master) = (eventLoop, opening, master)
        return RedisConnection.open(.server(server), opening, on: eventLoop).flatMap { connection in
            let promise = eventLoop.makePromise(of: RedisTarget.self)
            connection.send([RedisCommand("SENTINEL", "get-master-addr-by-name", master)], deadline: .now() + opening.timeout) { result in
                promise.completeWith(result.flatMap { Self.target($0) }.mapError { $0 as any Error })
                connection.close(RedisFailure("the answer is complete"))
            }
            return promise.futureResult
        }
    }

    private static func target(_ replies: [RedisReply]) -> Result<RedisTarget, RedisFailure> {
        switch replies.first {
        case .array(let parts):
            guard parts.count == 2, case .text(let host) = parts[0], case .text(let port) = parts[1], (1...255).contains(host.count),
                let name = String(validating: host, as: UTF8.self), let number = Int(String(decoding: port, as: UTF8.self)),
                (1...65_535).contains(number)
            else { return .failure(RedisFailure("it sends no address")) }
            return .success(.server(RedisURL.Server(host: name, port: number)))
        case .null: return .failure(RedisFailure("it does not know the master"))
        case .error(let code): return .failure(RedisFailure(code))
        default: return .failure(RedisFailure("it sends no address"))
        }
    }
}

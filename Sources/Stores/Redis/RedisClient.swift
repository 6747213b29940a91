import NIOCore
import Primitives
import TokenCrypto

/// The connections of one process to a store: one for the commands of each event loop to each server, and one that listens.
///
/// A request asks the store on its own event loop, so that no thread waits for a server or for another thread. Commands go in a pipeline.
final class RedisClient: Sendable {
    /// The connections of one event loop.
    private final class Home: Sendable {
        let eventLoop: any EventLoop
        let servers: any RedisServers

        init(_ eventLoop: any EventLoop, _ servers: any RedisServers) {
            self.eventLoop = eventLoop
            self.servers = servers
        }
    }

    private let timeout: TimeAmount
    /// One for each event loop. The first also listens, and serves tasks that run on no event loop.
    private let homes: [Home]
    private let subscription: RedisSubscription
    /// Asks the Sentinels for the master every second; nil without Sentinels.
    private let watch: RepeatedTask?

    /// Connects in the background. `loops`: at least one.
    init(
        _ settings: RedisSettings, loops: [any EventLoop], _ listener: RedisSubscription.Listener
    ) throws(RedisFailure) {
        let library = try HiredisLibrary.shared.get()
        let tls = try settings.tls.map { settings throws(RedisFailure) in try RedisTLS(settings) }
        let timeout = TimeAmount(settings.timeout)
        func opening(_ commands: [RedisCommand]) -> RedisOpening {
            RedisOpening(library: library, tls: tls, timeout: timeout, commands: commands, tolerated: Self.writeProblems)
        }
        let listening = opening(Self.authentication(settings) + [RedisCommand("PING")])
        let commands = opening(Self.authentication(settings) + Self.preparation(settings))
        func servers(on eventLoop: any EventLoop) -> any RedisServers {
            switch settings.topology {
            case .server(let server): return RedisSingle(commands, on: eventLoop) { eventLoop.makeSucceededFuture(.server(server)) }
            case .socket(let path): return RedisSingle(commands, on: eventLoop) { eventLoop.makeSucceededFuture(.socket(path: path)) }
            case .sentinels(let list, let master):
                let sentinels = RedisSentinels(list, master: master, opening(Self.sentinelAuthentication(settings)), on: eventLoop)
                return RedisSingle(commands, on: eventLoop) { sentinels.locate() }
            case .cluster(let seeds): return RedisCluster(seeds, listening, on: eventLoop)
            }
        }
        self.timeout = timeout
        let homes = loops.map { Home($0, servers(on: $0)) }
        self.homes = homes
        subscription = RedisSubscription(
            homes[0].servers, listening, prefix: settings.prefix, on: homes[0].eventLoop, status: { Self.status(of: homes) }, listener)
        if case .sentinels(let list, let master) = settings.topology {
            let sentinels = RedisSentinels(
                list, master: master, opening(Self.sentinelAuthentication(settings)), on: homes[0].eventLoop)
            watch = homes[0].eventLoop.scheduleRepeatedAsyncTask(initialDelay: Self.watchInterval, delay: Self.watchInterval) { _ in
                sentinels.agreedMaster().map { target in
                    guard let target else { return }
                    for home in homes { home.eventLoop.execute { home.servers.leave(unless: target) } }
                }
            }
        } else {
            watch = nil
        }
        for home in homes { home.eventLoop.execute { home.servers.start() } }
        homes[0].eventLoop.execute { [subscription] in subscription.start() }
    }

    /// The connections of the event loop that runs the caller; else the first ones.
    private var home: Home { homes.first { $0.eventLoop.inEventLoop } ?? homes[0] }

    /// A master that was replaced while it ran is made a replica by the Sentinels ten seconds later, and what it took until then is lost.
    private static let watchInterval = TimeAmount.seconds(1)

    /// Errors of a server that still answers reads.
    private static let writeProblems: Set<String> = ["OOM", "MISCONF", "NOREPLICAS"]

    static func authentication(_ settings: RedisSettings) -> [RedisCommand] {
        guard let password = settings.password else { return [] }
        return [settings.user.isEmpty ? RedisCommand("AUTH", password) : RedisCommand("AUTH", settings.user, password)]
    }

    static func sentinelAuthentication(_ settings: RedisSettings) -> [RedisCommand] {
        (settings.sentinelPassword.map { [RedisCommand("AUTH", $0)] } ?? []) + [RedisCommand("PING")]
    }

    /// Selects the database and writes, which only a master takes that has loaded its data.
    private static func preparation(_ settings: RedisSettings) -> [RedisCommand] {
        let select = settings.database == 0 ? [] : [RedisCommand("SELECT", String(settings.database))]
        return select + [RedisCommand("SET", settings.prefix + "probe", "1", "PX", "1000")]
    }

    // MARK: Commands

    /// Sends commands together. The completion hears one reply for each, or why there is none; a reply that is an error is such a reason. It is
    /// called once: on the caller's event loop if the store has connections there, else on another thread.
    ///
    /// `limit`: of the caller's wait; nil: the time limit of the store. A shorter one is no reason to give the connection up.
    func run(_ commands: [RedisCommand], limit: Duration? = nil, _ completion: @escaping RedisConnection.Completion) {
        let deadline = NIODeadline.now() + timeout
        let limit = limit.map { min(TimeAmount($0), timeout) } ?? timeout
        guard limit > .zero else { return completion(.failure(Self.late)) }
        let home = home
        if home.eventLoop.inEventLoop { return send(commands, home, deadline, limit, completion) }
        home.eventLoop.execute { self.send(commands, home, deadline, limit, completion) }
    }

    private func send(
        _ commands: [RedisCommand], _ home: Home, _ deadline: NIODeadline, _ limit: TimeAmount,
        _ completion: @escaping RedisConnection.Completion
    ) {
        let count = commands.count
        guard limit < timeout else {
            return home.servers.send(commands, deadline: deadline) { completion(Self.checked($0, count)) }
        }
        let answer = Answer { completion(Self.checked($0, count)) }
        answer.timer = home.eventLoop.scheduleTask(in: limit) { answer.give(.failure(Self.late)) }
        home.servers.send(commands, deadline: deadline) { answer.give($0) }
    }

    private static let late = RedisFailure("it does not respond in time", .timeout)

    private static func checked(_ result: Result<[RedisReply], RedisFailure>, _ count: Int) -> Result<[RedisReply], RedisFailure> {
        guard case .success(let replies) = result else { return result }
        for case .error(let code) in replies { return .failure(RedisFailure(code)) }
        return replies.count == count ? result : .failure(RedisFailure("it sends too few replies", .reply))
    }

    /// Calls a completion once.
    ///
    /// Unchecked: only the event loop uses it.
    private final class Answer: @unchecked Sendable {
        private var completion: RedisConnection.Completion?
        var timer: Scheduled<Void>?

        init(_ completion: @escaping RedisConnection.Completion) { self.completion = completion }

        func give(_ result: Result<[RedisReply], RedisFailure>) {
            timer?.cancel()
            let completion = completion
            self.completion = nil
            completion?(result)
        }
    }

    func run(_ commands: [RedisCommand]) async throws(RedisFailure) -> [RedisReply] {
        try await withCheckedContinuation { continuation in run(commands) { continuation.resume(returning: $0) } }.get()
    }

    func run(_ command: RedisCommand) async throws(RedisFailure) -> RedisReply { try await run([command])[0] }

    /// The command that publishes to all replicas.
    func publication(of message: [UInt8]) -> RedisCommand { subscription.publication(of: message) }

    // MARK: Status

    /// Ready when each event loop is.
    var status: RedisLink.Status { Self.status(of: homes) }

    private static func status(of homes: [Home]) -> RedisLink.Status {
        for home in homes {
            let status = home.servers.status
            if !status.isReady { return status }
        }
        return RedisLink.Status(isReady: true)
    }

    /// The reason why it does not hear the other replicas.
    var subscriptionProblem: RedisFailure? { subscription.problem }

    /// Ends all connections; commands fail from then on.
    func close() async {
        watch?.cancel()
        try? await homes[0].eventLoop.submit { [subscription] in subscription.close() }.get()
        for home in homes { try? await home.eventLoop.submit { home.servers.close() }.get() }
    }
}

import NIOCore
import Primitives
import TokenCrypto

/// The connections of one process to a store: one for commands to each server, and one that listens.
///
/// All connections belong to one event loop and send their commands in a pipeline, so no thread ever waits for a server.
final class RedisClient: Sendable {
    private let settings: RedisSettings
    private let timeout: TimeAmount
    private let eventLoop: any EventLoop
    /// Runs tasks on the event loop of the connections.
    let executor: EventLoopTaskExecutor
    private let servers: any RedisServers
    private let subscription: RedisSubscription

    /// Connects in the background.
    init(
        _ settings: RedisSettings, group: any EventLoopGroup, _ listener: RedisSubscription.Listener
    ) throws(RedisFailure) {
        let library = try HiredisLibrary.shared.get()
        let tls = try settings.tls.map { settings throws(RedisFailure) in try RedisTLS(settings) }
        let timeout = TimeAmount(settings.timeout)
        let eventLoop = group.next()
        func opening(_ commands: [RedisCommand]) -> RedisOpening {
            RedisOpening(library: library, tls: tls, timeout: timeout, commands: commands, tolerated: Self.writeProblems)
        }
        let listening = opening(Self.authentication(settings) + [RedisCommand("PING")])
        let commands = opening(Self.authentication(settings) + Self.preparation(settings))
        switch settings.topology {
        case .server(let server):
            servers = RedisSingle(commands, on: eventLoop) { eventLoop.makeSucceededFuture(.server(server)) }
        case .socket(let path):
            servers = RedisSingle(commands, on: eventLoop) { eventLoop.makeSucceededFuture(.socket(path: path)) }
        case .sentinels(let list, let master):
            let sentinels = RedisSentinels(list, master: master, opening(Self.sentinelAuthentication(settings)), on: eventLoop)
            servers = RedisSingle(commands, on: eventLoop) { sentinels.locate() }
        case .cluster(let seeds): servers = RedisCluster(seeds, listening, on: eventLoop)
        }
        self.settings = settings
        self.timeout = timeout
        self.eventLoop = eventLoop
        executor = EventLoopTaskExecutor(eventLoop)
        subscription = RedisSubscription(
            servers, listening, prefix: settings.prefix, on: eventLoop, listener)
        eventLoop.execute { [servers, subscription] in
            servers.start()
            subscription.start()
        }
    }

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

    /// Sends commands together. Returns one reply for each; throws when there is none, and for a reply that is an error.
    ///
    /// `limit`: of the caller's wait; nil: the time limit of the store. A shorter one is no reason to give the connection up.
    func run(_ commands: [RedisCommand], limit: Duration? = nil) async throws(RedisFailure) -> [RedisReply] {
        let deadline = NIODeadline.now() + timeout
        let limit = limit.map { min(TimeAmount($0), timeout) } ?? timeout
        guard limit > .zero else { throw RedisFailure("it does not respond in time", .timeout) }
        let result: Result<[RedisReply], RedisFailure> = await withCheckedContinuation { continuation in
            let send: @Sendable () -> Void = { [eventLoop, servers, timeout] in
                let answer = Answer(continuation)
                if limit < timeout {
                    answer.timer = eventLoop.scheduleTask(in: limit) {
                        answer.give(.failure(RedisFailure("it does not respond in time", .timeout)))
                    }
                }
                servers.send(commands, deadline: deadline) { answer.give($0) }
            }
            if eventLoop.inEventLoop { send() } else { eventLoop.execute(send) }
        }
        let replies = try result.get()
        for case .error(let code) in replies { throw RedisFailure(code) }
        guard replies.count == commands.count else { throw RedisFailure("it sends too few replies", .reply) }
        return replies
    }

    /// Resumes a continuation once.
    ///
    /// Unchecked: only the event loop uses it.
    private final class Answer: @unchecked Sendable {
        private var continuation: CheckedContinuation<Result<[RedisReply], RedisFailure>, Never>?
        var timer: Scheduled<Void>?

        init(_ continuation: CheckedContinuation<Result<[RedisReply], RedisFailure>, Never>) { self.continuation = continuation }

        func give(_ result: Result<[RedisReply], RedisFailure>) {
            timer?.cancel()
            continuation?.resume(returning: result)
            continuation = nil
        }
    }

    func run(_ command: RedisCommand) async throws(RedisFailure) -> RedisReply { try await run([command])[0] }

    /// The command that publishes to all replicas.
    func publication(of message: [UInt8]) -> RedisCommand { subscription.publication(of: message) }

    // MARK: Status

    var status: RedisLink.Status { servers.status }

    /// The reason why it does not hear the other replicas.
    var subscriptionProblem: RedisFailure? { subscription.problem }

    /// Ends all connections; commands fail from then on.
    func close() async {
        try? await eventLoop.submit { [servers, subscription] in
            subscription.close()
            servers.close()
        }.get()
    }
}

package import NIOCore
import Primitives

/// Connects to a store once, as the gateway does, and asks for its version. Writes nothing.
package enum RedisCheck {
    package enum Outcome: Sendable, Equatable {
        /// Such as `Redis 7.0.15`.
        case usable(String)
        /// The reason, without a secret.
        case unusable(String)
    }

    private static let oldest = (6, 2)

    /// `limit`: of the whole check.
    package static func version(of settings: RedisSettings, limit: Duration, group: any EventLoopGroup) async -> Outcome {
        do throws(RedisFailure) {
            let library = try HiredisLibrary.shared.get()
            let tls = try settings.tls.map { settings throws(RedisFailure) in try RedisTLS(settings) }
            let limit = TimeAmount(limit)
            let eventLoop = group.next()
            let opening = { @Sendable (commands: [RedisCommand]) in
                RedisOpening(library: library, tls: tls, timeout: limit, commands: commands)
            }
            let select = settings.database == 0 ? [] : [RedisCommand("SELECT", String(settings.database))]
            let commands = RedisClient.authentication(settings) + select + [RedisCommand("PING")]
            let promise = eventLoop.makePromise(of: Outcome.self)
            let timer = eventLoop.scheduleTask(in: limit) { promise.fail(RedisFailure("it does not respond in time", .timeout)) }
            eventLoop.execute {
                located(settings, opening(RedisClient.sentinelAuthentication(settings)), on: eventLoop).flatMap { targets in
                    ask(targets[...], opening(commands), RedisFailure("it has no server"), on: eventLoop)
                }.cascade(to: promise)
            }
            let outcome: Result<Outcome, any Error>
            do { outcome = .success(try await promise.futureResult.get()) } catch { outcome = .failure(error) }
            timer.cancel()
            switch outcome {
            case .success(let outcome): return outcome
            case .failure(let error): throw error as? RedisFailure ?? RedisFailure("the connection fails")
            }
        } catch {
            return .unusable(error.reason)
        }
    }

    private static func located(
        _ settings: RedisSettings, _ sentinel: RedisOpening, on eventLoop: any EventLoop
    ) -> EventLoopFuture<[RedisTarget]> {
        switch settings.topology {
        case .server(let server): eventLoop.makeSucceededFuture([.server(server)])
        case .socket(let path): eventLoop.makeSucceededFuture([.socket(path: path)])
        case .sentinels(let list, let master): RedisSentinels(list, master: master, sentinel, on: eventLoop).locate().map { [$0] }
        case .cluster(let seeds): eventLoop.makeSucceededFuture(seeds.map { .server($0) })
        }
    }

    /// Asks the first server that answers. `failure`: of the one before.
    private static func ask(
        _ targets: ArraySlice<RedisTarget>, _ opening: RedisOpening, _ failure: RedisFailure, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Outcome> {
        guard let target = targets.first else { return eventLoop.makeFailedFuture(failure) }
        return RedisConnection.open(target, opening, on: eventLoop).flatMap { connection in
            let promise = eventLoop.makePromise(of: Outcome.self)
            connection.send([RedisCommand("HELLO", "2")], deadline: .now() + opening.timeout) { result in
                promise.completeWith(result.map { outcome($0.first) }.mapError { $0 as any Error })
                connection.close(RedisFailure("the answer is complete"))
            }
            return promise.futureResult
        }.flatMapError { error in
            let reason = (error as? RedisFailure)?.reason ?? "the connection fails"
            return ask(targets.dropFirst(), opening, RedisFailure("\(target.words): \(reason)"), on: eventLoop)
        }
    }

    /// Names and values alternate in the reply.
    private static func outcome(_ reply: RedisReply?) -> Outcome {
        guard case .array(let parts) = reply else { return .unusable("it is older than Redis 6.2, or no Redis") }
        var fields: [String: String] = [:]
        for index in stride(from: 0, to: parts.count - 1, by: 2) {
            guard case .text(let name) = parts[index], case .text(let value) = parts[index + 1] else { continue }
            fields[String(decoding: name.prefix(32), as: UTF8.self)] = String(decoding: value.prefix(32), as: UTF8.self)
        }
        guard let version = fields["version"], !version.isEmpty, version.utf8.allSatisfy({ (0x2E...0x39).contains($0) && $0 != 0x2F })
        else {
            return .unusable("it does not say its version")
        }
        let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
        let name = fields["server"] == "valkey" ? "Valkey" : "Redis"
        guard (numbers[0], numbers.count > 1 ? numbers[1] : 0) >= oldest else {
            return .unusable("it is \(name) \(version), and the gateway needs Redis 6.2 or newer, or Valkey")
        }
        return .usable("\(name) \(version)")
    }
}

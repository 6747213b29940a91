package import Sessions
import Synchronization
import TokenCrypto

/// The lock of refreshes, which all replicas share.
///
/// The holder of the lock has a fence, a random value. A process that was away for longer than an attempt may last has lost it: its failure
/// counts for nothing, because another holder has begun.
extension RedisSessionStore {
    private static let refreshLimits = RefreshCoordinator.Limits()

    package func lock(_ key: RefreshCoordinator.Key, now: Int64) async throws(SessionStoreError) -> RefreshCoordinator.Answer {
        let fence = SecureRandom.bytes(16)
        let limits = Self.refreshLimits
        let reply = try await run(
            .refresh,
            RedisCommand(
                script: RedisScripts.lock, keys: [names.refresh(key)], [fence, number(limits.attempt), number(limits.longestDelay)]))
        guard case .array(let parts) = reply, case .text(let kind) = parts.first else { throw unusable }
        switch (String(decoding: kind, as: UTF8.self), parts.count) {
        case ("s", 1):
            shared.fences.withLock { fences in
                // Attempts that were never reported; far more than can be under way.
                if fences.count >= limits.entries { fences = [:] }
                fences[key] = fence
            }
            return .start
        case ("r", 2): return .wait
        case ("e", 1): return .ended
        case ("o", 2):
            guard case .text(let text) = parts[1], let rest = Int64(String(decoding: text, as: UTF8.self)),
                (0...limits.longestDelay) ~= rest
            else { throw unusable }
            return .notNow(retryAt: now + rest)
        case ("d", 2):
            guard case .text(let sealed) = parts[1], let stored = tickets.open(sealed, id: key.sessionID, secret: key.secret) else {
                throw unusable
            }
            return .useResult(stored.session)
        default: throw unusable
        }
    }

    package func unlock(_ key: RefreshCoordinator.Key, _ result: RefreshResult, now: Int64) async throws(SessionStoreError) {
        let fence = shared.fences.withLock { $0.removeValue(forKey: key) } ?? []
        let (kind, value): (String, [UInt8]) =
            switch result {
            case .refreshed(let session): ("d", tickets.seal(session, names.sharedDigests(of: session)))
            case .failed(.invalidGrant): ("e", [])
            case .failed(.outage): ("o", [])
            }
        let limits = Self.refreshLimits
        _ = try await run(
            .refresh,
            RedisCommand(
                script: RedisScripts.unlock, keys: [names.refresh(key)],
                [
                    Array(kind.utf8), fence, value, number(limits.memory), number(limits.firstDelay), number(limits.longestDelay),
                ]))
    }
}

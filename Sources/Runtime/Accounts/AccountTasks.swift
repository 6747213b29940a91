import Accounts
import Backchannel
import Config
import Endpoints
import Logging
import Sessions
import Stores
import Telemetry

/// What runs beside requests while a configuration with accounts is served: the endings of other replicas, merges that the hook hears of,
/// and upkeep. Ends with its task.
struct AccountTasks: Sendable {
    /// Every replica knows an ending within this time and the store's own (contract section 8: 10 s).
    private static let pace: Duration = .seconds(2)
    private static let upkeep: Int64 = 60_000
    private static let lease: Int64 = 60_000
    /// A message that nobody took for so long is given up.
    private static let lifetime: Int64 = 7 * 86_400_000

    let runtime: AccountRuntime
    let service: AccountService
    let sessions: SessionService
    let hooks: HookClient
    /// nil: nobody hears of merges.
    let mergeHook: HookTarget?
    let log: EventLog

    func run() async {
        var adopted = false
        var lastUpkeep: Int64 = 0
        while !Task.isCancelled {
            let now = wallClock()
            await runtime.endings.follow(service, sessions, log)
            if runtime.endings.failure.isEmpty {
                if !adopted { adopted = await adoptPolicy() }
                await deliver(now: now)
                if now - lastUpkeep >= Self.upkeep {
                    let ages = SessionAges(session: sessions.limits.absolute, ending: sessions.limits.endingMemory)
                    let hasMore = try? await service.prune(now: now, ages)
                    if hasMore != true { lastUpkeep = now }
                    await runtime.learnPasswordFunctions(service)
                }
            }
            try? await Task.sleep(for: Self.pace)
        }
    }

    /// Makes the store's constraints follow `onePerEmail`.
    private func adoptPolicy() async -> Bool {
        guard let adoption = try? await service.adoptPolicy() else { return false }
        if adoption.withoutTheirAddress > 0 {
            log.write(
                .warning, "addresses-shared",
                "accounts share an address with another one, which owns it while accounts.onePerEmail is true",
                [("accounts", .number(adoption.withoutTheirAddress))])
        }
        return true
    }

    private func deliver(now: Int64) async {
        guard let entries = try? await service.claimOutbox(limit: 10, lease: Self.lease, now: now) else { return }
        for entry in entries { await deliver(entry, now: now) }
    }

    private func deliver(_ claimed: ClaimedEntry, now: Int64) async {
        let entry = claimed.entry
        guard entry.kind == MergeMessage.kind, let mergeHook else { return await giveUp(claimed, "no hook is configured for it") }
        do throws(HookClient.Failure) {
            let answer = try await hooks.send(Array(entry.payload.utf8), to: mergeHook)
            guard (200...299).contains(answer.status) else { throw .unusable("it answered with status \(answer.status)") }
            try? await service.settle(claimed, retryAt: nil)
        } catch {
            guard now - entry.createdAt < Self.lifetime else { return await giveUp(claimed, error.reason) }
            // 5 s, 10 s, 20 s, … up to an hour.
            let pause = min(Int64(5_000) << Int64(min(max(claimed.attempt, 1) - 1, 10)), 3_600_000)
            log.write(
                .warning, "hook-failed", "the merge hook was not told; the gateway tries again",
                [("hook", .text("mergeHook")), ("id", .text(entry.id)), ("reason", .text(error.reason)), ("retry_ms", .number(Int(pause)))])
            try? await service.settle(claimed, retryAt: wallClock() + pause)
        }
    }

    private func giveUp(_ claimed: ClaimedEntry, _ reason: String) async {
        log.write(
            .error, "hook-failed", "a message was given up", [("id", .text(claimed.entry.id)), ("reason", .text(reason))])
        try? await service.settle(claimed, retryAt: nil)
    }
}

extension HookTarget {
    init(_ hook: HookConfiguration) {
        self.init(url: hook.url, secret: Array(hook.secret.exposed.utf8), timeout: .milliseconds(hook.timeout))
    }
}

import Accounts
import Backchannel
import Config
import Endpoints
import NIOConcurrencyHelpers
import NIOCore
import Sessions
import Telemetry

/// The accounts of one configuration: what endpoints work with, and the tasks beside them.
final class ServedAccounts: Sendable {
    let runtime: AccountRuntime
    let context: AccountContext
    private let hooks: HookClient
    private let mail: MailQueue?
    private let sessions: SessionService
    private let tasks: AccountTasks
    private let log: EventLog
    private let running = NIOLockedValueBox<Task<Void, Never>?>(nil)

    /// nil without accounts. `group`: of the calls to hooks.
    init?(
        _ runtime: AccountRuntime?, _ configuration: Configuration, _ sessions: SessionService, _ log: EventLog, group: any EventLoopGroup,
        continuing earlier: ServedAccounts?
    ) {
        guard let runtime, let accounts = configuration.accounts, let policy = AccountPolicy(configuration) else { return nil }
        self.runtime = runtime
        self.sessions = sessions
        self.log = log
        hooks = earlier?.hooks ?? HookClient(group: group, now: { wallClock() / 1_000 })
        mail = accounts.mail.flatMap { settings in
            if let queue = earlier?.mail, queue.serves(settings) { return queue }
            return MailQueue(settings, log: log)
        }
        let service = AccountService(store: runtime.store, policy: policy)
        let mergeHook = accounts.mergeHook.map(HookTarget.init)
        context = AccountContext(
            service: service, keys: accounts.keys, passwords: runtime.passwordWork, mail: mail,
            hooks: AccountHooks(
                client: hooks, beforeCreate: accounts.beforeCreate.map(HookTarget.init),
                beforeSignIn: accounts.beforeSignIn.map(HookTarget.init), hearsOfMerges: mergeHook != nil),
            secondFactor: SecondFactorSettings(configuration, hooks)
        ) { await runtime.endings.follow(service, sessions, log) }
        tasks = AccountTasks(
            runtime: runtime, service: service, sessions: sessions, hooks: hooks, mergeHook: mergeHook, log: log)
    }

    /// Ends the sessions that were ended elsewhere, before the first request, and reads what passwords are compared with.
    func catchUp() async {
        await runtime.endings.follow(context.service, sessions, log)
        if runtime.endings.failure.isEmpty { await runtime.learnPasswordFunctions(context.service) }
    }

    func start() {
        let tasks = tasks
        running.withLockedValue { $0 = Task { await tasks.run() } }
    }

    /// `next`: the configuration that is served now; nil at the end of the process.
    func retire(for next: ServedAccounts?) async {
        let task = running.withLockedValue { $0 }
        task?.cancel()
        await task?.value
        if next?.mail !== mail { await mail?.close() }
        if next?.hooks !== hooks { try? await hooks.shutdown() }
        if next?.runtime !== runtime { await runtime.close() }
    }
}

package import Backchannel
package import Sessions
package import SignIn
package import Telemetry
package import TokenCrypto

/// What the gateway's own endpoints work with, of one configuration. Immutable; all event loops share it.
package final class EndpointContext: Sendable {
    package let site: SiteContext
    package let sessions: SessionService
    /// By the provider's id.
    package let clients: [String: ProviderClient]
    package let transactions: LoginTransactions
    /// Seals what a sign-out takes along through the provider.
    package let logoutRing: SealingKeyRing
    package let log: EventLog
    package let counters: EventCounters
    package let onceNotices: OnceNotices
    /// nil: nothing is refused when audit records are lost.
    package let auditGate: AuditGate?
    /// nil without an account store.
    package let accounts: AccountContext?

    package init(
        site: SiteContext, sessions: SessionService, clients: [String: ProviderClient], transactions: LoginTransactions,
        logoutRing: SealingKeyRing, log: EventLog, counters: EventCounters, onceNotices: OnceNotices, auditGate: AuditGate?,
        accounts: AccountContext? = nil
    ) {
        self.site = site
        self.sessions = sessions
        self.clients = clients
        self.transactions = transactions
        self.logoutRing = logoutRing
        self.log = log
        self.counters = counters
        self.onceNotices = onceNotices
        self.auditGate = auditGate
        self.accounts = accounts
    }

    /// The client of a provider by the form of its id in a URL, where `~` stands for `/`.
    func client(urlForm: String) -> ProviderClient? {
        clients[String(urlForm.map { $0 == "~" ? "/" : $0 })]
    }
}

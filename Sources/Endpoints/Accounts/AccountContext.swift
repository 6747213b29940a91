package import Accounts
package import Backchannel
package import Pages
import Sessions
package import TokenCrypto

/// Hashes and compares passwords without blocking the caller's thread. `client`: whose share of the queue a call takes.
package protocol PasswordWork: Sendable {
    func hash(_ password: Password, for client: String) async throws(AccountError) -> PasswordHash

    /// Nil: wrong. Without a hash it takes the same time and is wrong.
    func match(_ password: Password, _ hash: PasswordHash?, for client: String) async throws(AccountError) -> PasswordMatch?
}

/// The cause of a mail: mails that wait are shared out by it.
package struct MailSource: Sendable, Equatable {
    /// The client's network.
    package let client: String
    /// The account that the mail is about; nil if there was none yet.
    package let uid: String?
    package let requestID: String

    package init(client: String, uid: String?, requestID: String) {
        self.client = client
        self.uid = uid
        self.requestID = requestID
    }
}

/// Sends mails after the answer: a failure is logged, and repeated where that may help.
package protocol MailDelivery: Sendable {
    func send(_ mail: RenderedMail, to address: EmailAddress, about kind: String, from source: MailSource)
}

/// What the endpoints of accounts work with, of one configuration.
package struct AccountContext: Sendable {
    package let service: AccountService
    /// Of `accounts.keys`: seals what waits in a browser for the next sign-in.
    let ring: SealingKeyRing
    /// Hides the subjects of attempt limits in the store.
    let attemptKey: [UInt8]
    /// nil without the provider `password`.
    let passwords: (any PasswordWork)?
    /// nil without `mail`.
    let mail: (any MailDelivery)?
    let hooks: AccountHooks
    /// nil without `secondFactor`.
    let factors: SecondFactorContext?
    /// Applies the endings that the store has and this process does not know yet.
    let followEndings: @Sendable () async -> Void

    package init(
        service: AccountService, keys: [[UInt8]], passwords: (any PasswordWork)?, mail: (any MailDelivery)?, hooks: AccountHooks,
        secondFactor: SecondFactorSettings?, followEndings: @escaping @Sendable () async -> Void
    ) {
        self.service = service
        let ring = SealingKeyRing(keys: keys, purpose: "accounts")
        self.ring = ring
        // The last key: adding a key in front must not forget the attempts.
        let attemptKey = HMAC.sha256(key: keys.last ?? [], Array("gateway attempts v1".utf8))
        self.attemptKey = attemptKey
        self.passwords = passwords
        self.mail = mail
        self.hooks = hooks
        factors = secondFactor.map { SecondFactorContext($0, service, ring, attemptKey: attemptKey) }
        self.followEndings = followEndings
    }
}

/// The operator's endpoints that are asked about sign-ins.
package struct AccountHooks: Sendable {
    private let client: HookClient
    private let beforeCreate: HookTarget?
    private let beforeSignIn: HookTarget?
    /// Hears of merges; nil: nobody does.
    let hearsOfMerges: Bool

    package init(client: HookClient, beforeCreate: HookTarget?, beforeSignIn: HookTarget?, hearsOfMerges: Bool) {
        self.client = client
        self.beforeCreate = beforeCreate
        self.beforeSignIn = beforeSignIn
        self.hearsOfMerges = hearsOfMerges
    }

    /// Asks the hooks about a sign-in; returns the claims to keep with the session. Any failure refuses.
    func approve(_ signIn: HookSignIn, creates: Bool, signsIn: Bool = true) async throws(AccountError) -> [String: JSONValue] {
        var claims: [String: JSONValue] = [:]
        if creates, let beforeCreate {
            claims = try await ask(.beforeCreate(signIn), beforeCreate)
        }
        if signsIn, let beforeSignIn {
            claims.merge(try await ask(.beforeSignIn(signIn), beforeSignIn)) { _, later in later }
        }
        guard claims.isEmpty || JSONValue.object(claims).serializedBytes().count <= HookVerdict.maximumClaimBytes else {
            throw AccountError(.accessDenied, reason: "the hooks' claims have more than \(HookVerdict.maximumClaimBytes) bytes")
        }
        return claims
    }

    private func ask(_ event: HookEvent, _ target: HookTarget) async throws(AccountError) -> [String: JSONValue] {
        let verdict: HookVerdict
        do throws(HookClient.Failure) {
            verdict = try await client.decide(event, at: target)
        } catch {
            throw AccountError(.accessDenied, reason: "the hook \(event.name) failed: \(error.reason)")
        }
        switch verdict {
        case .allow(let claims): return claims.object ?? [:]
        case .deny(let reason):
            throw AccountError(.accessDenied, reason: "the hook \(event.name) refused" + (reason.map { ": \($0)" } ?? ""))
        }
    }
}

extension HookUser {
    init(_ account: Account) {
        self.init(
            uid: account.uid, email: account.email?.text, emailVerified: account.emailVerified, name: account.name,
            isAnonymous: account.isAnonymous, providers: account.providers)
    }
}

extension SessionAccount {
    init(_ account: Account, claims: [String: JSONValue] = [:]) {
        self.init(providers: account.providers, isAnonymous: account.isAnonymous, claims: claims)
    }

    /// The facts after a change of the account, for a session that goes on: how its user signed in stays.
    init(_ account: Account, continuing previous: SessionAccount?) {
        self.init(
            providers: account.providers, isAnonymous: account.isAnonymous, claims: previous?.claims ?? [:],
            secondFactor: previous?.secondFactor, methods: previous?.methods ?? [])
    }
}

extension Session {
    /// What the session proves, for a change of its account.
    var proof: SessionProof {
        SessionProof(
            provider: identity.provider, issuedAt: issuedAt, authTime: authTime, hasShownFactor: account?.secondFactor != nil)
    }
}

/// The limits of attempts (contract section 8), and of what strangers make the gateway store and send. Those of clients are `ClientLimit`.
enum AttemptLimit {
    static let window: Int64 = 15 * 60_000
    static let wrongPasswordsForAddress = 5
    /// Mails to one address, whatever asked for them. Those that announce a change have as many again.
    static let mailsToAddress = 5
    /// Resets among them, and all others among them: one mail of each kind is left for the owner of the address.
    static let mailsToAddressOfOneKind = 4
    /// Mails that one account causes, to whichever addresses.
    static let mailsOfAccount = 10
}

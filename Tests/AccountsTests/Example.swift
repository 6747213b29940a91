import TokenCrypto

@testable import Accounts

/// Accounts and identities for tests.
enum Example {
    static let now: Int64 = 1_800_000_000_000

    static func identity(
        _ provider: String = "github.com", _ subject: String = "1", email: String? = "ada@example.com", verified: Bool? = true,
        name: String? = "Ada"
    ) -> ProviderIdentity {
        ProviderIdentity(
            provider: provider, issuer: "https://\(provider)", subject: subject, email: email, emailVerified: verified, name: name)
    }

    static func linked(_ identity: ProviderIdentity) -> LinkedIdentity { LinkedIdentity(identity, linkedAt: now - 1_000) }

    static func account(
        _ uid: String = "holder", email: String? = "ada@example.com", verification: EmailVerification? = .mail,
        identities: [ProviderIdentity] = [], hasPassword: Bool = false, isAnonymous: Bool = false, isDisabled: Bool = false
    ) -> Account {
        Account(
            uid: uid, email: email.flatMap(EmailAddress.init), verification: verification, name: "Holder", isAnonymous: isAnonymous,
            isDisabled: isDisabled, createdAt: now - 10_000, lastSignInAt: now - 5_000, identities: identities.map(linked),
            hasPassword: hasPassword, revision: 7)
    }

    static let fresh = AccountRules.Fresh(uid: "fresh", pendingSecret: [UInt8](repeating: 3, count: 32))
    static let hash = PasswordHash(phc: "$x$1")

    static func rules(
        _ linking: AccountPolicy.Linking = .confirm, onePerEmail: Bool = true, signUp: AccountPolicy.SignUp = .open
    ) -> AccountRules {
        AccountRules(policy: AccountPolicy(onePerEmail: onePerEmail, linking: linking, signUp: signUp), now: now)
    }

    static func token(_ purpose: MailTokenPurpose, uid: String = "holder", email: String = "ada@example.com", at: Int64 = now)
        -> MailTokenRecord
    {
        MailToken(purpose, uid: uid, email: EmailAddress(email)!, random: [UInt8](repeating: 1, count: 32), now: at).record
    }
}

extension SignInDecision {
    var planned: PlannedSignIn? { if case .proceed(let planned) = self { planned } else { nil } }
    var conflict: AccountConflict? { if case .conflict(let conflict) = self { conflict } else { nil } }
    var error: AccountError? { if case .refuse(let error) = self { error } else { nil } }
}

/// Sessions that have shown a factor.
extension SessionProof {
    static let recent = SessionProof(authTime: Example.now, hasShownFactor: true)
    /// The oldest one that is recent.
    static let oldest = SessionProof(authTime: Example.now - 300_000, hasShownFactor: true)
    static let old = SessionProof(authTime: Example.now - 300_001, hasShownFactor: true)
}

extension AccountRules {
    func link(_ identity: ProviderIdentity, _ facts: AccountFacts) throws(AccountError) -> Plan {
        try link(identity, facts, by: .recent, begun: now)
    }
}

extension SessionProof {
    /// Of a session that began with its sign-in.
    init(authTime: Int64, hasShownFactor: Bool = false) {
        self.init(provider: "password", issuedAt: authTime, authTime: authTime, hasShownFactor: hasShownFactor)
    }
}

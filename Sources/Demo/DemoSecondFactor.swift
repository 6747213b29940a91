import Accounts
import Config
import DevProvider
import Primitives
import Runtime
import SecondFactors
import Stores
import Telemetry
import Telemetry
import TokenCrypto

/// The authenticator app of the demo's user who has a second factor.
struct DemoSecondFactor: Sendable {
    private let secret = TOTP.secret()

    /// The code that the app shows now.
    func currentCode(of person: Person) -> String? {
        person.id == Person.grace.id ? TOTP.currentCode(secret, now: wallClock()) : nil
    }

    /// Makes the user's account with the app, before the gateway starts. Without it, the demo works as for the others.
    func enrol(_ demo: DemoConfiguration, _ configuration: Configuration) async {
        guard let accounts = configuration.accounts, let policy = AccountPolicy(configuration) else { return }
        let store = accounts.store.store()
        if (try? await store.prepare()) != nil {
            let service = AccountService(store: store, policy: policy)
            let factors = SecondFactorService(
                accounts: service, policy: SecondFactorPolicy(mode: .enrolled), relyingParty: .none,
                ring: SealingKeyRing(keys: accounts.keys, purpose: "accounts"), attemptKey: [])
            _ = try? await service.import([record(demo)]) { document, uid throws(AccountError) in try factors.imported(document, uid: uid) }
        }
        await store.close()
    }

    private func record(_ demo: DemoConfiguration) -> AccountRecord {
        let (grace, now) = (Person.grace, wallClock())
        let email = grace.email.flatMap(EmailAddress.init)
        let identity = LinkedIdentity(
            provider: DemoConfiguration.acmeProvider, issuer: demo.acmeIssuer, subject: grace.subject, email: email, emailVerified: true,
            username: grace.username, name: grace.name, linkedAt: now)
        let app = Factor(
            id: Base64URL.encode(SecureRandom.bytes(16)), type: .totp, displayName: "Authenticator app of the demo", enrolledAt: now)
        return AccountRecord(
            account: Account(
                uid: UserID.derived(issuer: demo.acmeIssuer, subject: grace.subject), email: email, verification: .operation,
                name: grace.name, createdAt: now, identities: [identity]),
            passwordHash: nil, factors: [FactorDocument(factor: app, secret: secret.bytes)])
    }
}

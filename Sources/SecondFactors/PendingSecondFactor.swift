package import Accounts
import Primitives
package import TokenCrypto

/// A sign-in between the first and the second factor: there is no session yet.
///
/// Sealed in a cookie of this browser. Only a first factor leads to it: the caller makes it after `AccountService` has written the sign-in,
/// or for a session that needs a second factor.
package struct PendingSecondFactor: Sendable, Equatable {
    /// Milliseconds.
    package static let lifetime: Int64 = 600_000
    private static let purpose = "pending second factor"

    /// What the user must do.
    package enum Task: String, Sendable { case verify, enrol }

    /// The form of the answers: the sign-in began on a page or in a program.
    package enum AnswerForm: String, Sendable { case page, json }

    package let uid: String
    package let task: Task
    package let form: AnswerForm
    /// What the caller needs to make the session: opaque here, and as secret as the session.
    package let payload: [UInt8]
    /// When the first factor was proven. The session must not begin later: endings of the account's sessions end it, too.
    package let startedAt: Int64
    package let expiresAt: Int64
    /// The account's revision: a change of its password, providers or factors ends the pending sign-in.
    let revision: Int64
    let secret: CeremonySecret

    package init(
        _ account: Account, task: Task, form: AnswerForm, payload: [UInt8], now: Int64,
        random: (Int) -> [UInt8] = SecureRandom.bytes
    ) {
        uid = account.uid
        revision = account.revision
        self.task = task
        self.form = form
        self.payload = payload
        startedAt = now
        expiresAt = now + Self.lifetime
        secret = CeremonySecret(bytes: random(32))
    }

    private init?(_ members: [String: JSONValue]) {
        guard let uid = members["uid"]?.string, let task = members["task"]?.string.flatMap(Task.init),
            let form = members["form"]?.string.flatMap(AnswerForm.init), let payload = members.bytes("data"),
            let startedAt = members["at"]?.integer, let expiresAt = members["exp"]?.integer, let revision = members["rev"]?.integer,
            let secret = members.bytes("id"), secret.count == 32
        else { return nil }
        self.uid = uid
        self.task = task
        self.form = form
        self.payload = payload
        self.startedAt = startedAt
        self.expiresAt = expiresAt
        self.revision = revision
        self.secret = CeremonySecret(bytes: secret)
    }

    /// The form for a cookie. `browser`: what binds it to this browser. `ring`: of `accounts.keys`.
    package func sealed(with ring: SealingKeyRing, browser: [UInt8]) -> String {
        let members: [String: JSONValue] = [
            "uid": .string(uid), "task": .string(task.rawValue), "form": .string(form.rawValue), "data": .string(Base64URL.encode(payload)),
            "at": .integer(startedAt), "exp": .integer(expiresAt), "rev": .integer(revision), "id": .string(Base64URL.encode(secret.bytes)),
        ]
        return SealedSecret.seal(members, Self.purpose, for: browser, ring)
    }

    /// Nil if it was not sealed here, or for another browser, or has expired.
    package static func open(_ text: String, with ring: SealingKeyRing, browser: [UInt8], now: Int64) -> PendingSecondFactor? {
        guard let members = SealedSecret.open(text, purpose, for: browser, ring), let pending = PendingSecondFactor(members),
            now < pending.expiresAt
        else { return nil }
        return pending
    }

    /// Refused by the store after the sign-in was completed with it.
    var mark: OnceMark { secret.mark(Self.purpose, expiresAt: expiresAt) }
}

/// The browser whose user ticked "do not ask again on this browser" (`secondFactor.rememberBrowser`).
package enum RememberedBrowser {
    private static let purpose = "remembered browser"

    /// The form for a cookie. `factor`: the one that was used. `lifetime`: milliseconds.
    package static func sealed(uid: String, factor: String, lifetime: Int64, now: Int64, with ring: SealingKeyRing) -> String {
        SealedSecret.seal(["factor": .string(factor), "exp": .integer(now + lifetime)], purpose, for: Array(uid.utf8), ring)
    }

    /// Whether the cookie is for this account, has not expired, and the factor that was used then still exists: a reset of the factors
    /// makes every browser unknown.
    package static func isValid(_ text: String, _ account: AccountFactors, with ring: SealingKeyRing, now: Int64) -> Bool {
        guard let members = SealedSecret.open(text, purpose, for: Array(account.account.uid.utf8), ring),
            let factor = members["factor"]?.string, let expiresAt = members["exp"]?.integer
        else { return false }
        return now < expiresAt && account.factor(factor) != nil
    }
}

import Accounts
import Primitives
package import TokenCrypto

/// A sign-in with a passkey between its options and the assertion. Sealed in a cookie of this browser, and completed once.
package struct PendingPasskey: Sendable, Equatable {
    /// Milliseconds: as long as the browser's dialog stays open.
    package static let lifetime = CredentialCreationOptions.timeout
    private static let purpose = "pending passkey"

    /// The account that signs in again; nil: anybody signs in.
    package let uid: String?
    package let expiresAt: Int64
    let secret: CeremonySecret

    init(uid: String?, random: (Int) -> [UInt8], now: Int64) {
        self.uid = uid
        expiresAt = now + Self.lifetime
        secret = CeremonySecret(bytes: random(32))
    }

    /// `ring`: of `accounts.keys`. `browser`: what binds it to this browser.
    package func sealed(with ring: SealingKeyRing, browser: [UInt8]) -> String {
        var members: [String: JSONValue] = ["exp": .integer(expiresAt), "id": .string(Base64URL.encode(secret.bytes))]
        members["uid"] = uid.map { .string($0) }
        return SealedSecret.seal(members, Self.purpose, for: browser, ring)
    }

    /// Nil if it was not sealed here, or for another browser, or has expired.
    package static func open(_ text: String, with ring: SealingKeyRing, browser: [UInt8], now: Int64) -> PendingPasskey? {
        guard let members = SealedSecret.open(text, purpose, for: browser, ring), let expiresAt = members["exp"]?.integer, now < expiresAt,
            let secret = members.bytes("id"), secret.count == 32
        else { return nil }
        return PendingPasskey(uid: members["uid"]?.string, expiresAt: expiresAt, secret: CeremonySecret(bytes: secret))
    }

    private init(uid: String?, expiresAt: Int64, secret: CeremonySecret) {
        self.uid = uid
        self.expiresAt = expiresAt
        self.secret = secret
    }

    var challenge: [UInt8] { secret.webAuthnChallenge("") }

    /// Refused by the store after a sign-in was completed with it.
    var mark: OnceMark { secret.mark(Self.purpose, expiresAt: expiresAt) }
}

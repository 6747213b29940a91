package import Accounts
import Primitives
package import TokenCrypto

/// An enrolment between its start and the proof that the user has the factor. Sealed for its user, in a field of the page or the client.
package struct PendingEnrolment: Sendable, Equatable {
    /// Milliseconds.
    package static let lifetime: Int64 = 600_000
    private static let purpose = "second factor enrolment"

    /// What is to be proven.
    package enum Subject: Sendable, Equatable {
        case totp(TOTPSecret)
        case webauthn
        case phone(PhoneNumber)
    }

    package let uid: String
    package let subject: Subject
    package let displayName: String?
    package let expiresAt: Int64
    let secret: CeremonySecret

    init(uid: String, subject: Subject, displayName: String?, random: (Int) -> [UInt8], now: Int64) {
        self.uid = uid
        self.subject = subject
        self.displayName = displayName
        expiresAt = now + Self.lifetime
        secret = CeremonySecret(bytes: random(32))
    }

    private init?(uid: String, _ members: [String: JSONValue]) {
        guard let expiresAt = members["exp"]?.integer, let secret = members.bytes("id"), secret.count == 32 else { return nil }
        switch members["type"]?.string.flatMap(FactorType.init) {
        case .totp:
            guard let bytes = members.bytes("secret") else { return nil }
            subject = .totp(TOTPSecret(bytes: bytes))
        case .webauthn: subject = .webauthn
        case .phone:
            guard let number = members["phone"]?.string.flatMap(PhoneNumber.init) else { return nil }
            subject = .phone(number)
        case .recovery, nil: return nil
        }
        self.uid = uid
        self.expiresAt = expiresAt
        self.secret = CeremonySecret(bytes: secret)
        displayName = members["name"]?.string
    }

    package var type: FactorType {
        switch subject {
        case .totp: .totp
        case .webauthn: .webauthn
        case .phone: .phone
        }
    }

    /// `ring`: of `accounts.keys`.
    package func sealed(with ring: SealingKeyRing) -> String {
        var members: [String: JSONValue] = [
            "type": .string(type.rawValue), "exp": .integer(expiresAt), "id": .string(Base64URL.encode(secret.bytes)),
        ]
        members["name"] = displayName.map { .string($0) }
        switch subject {
        case .totp(let secret): members["secret"] = .string(Base64URL.encode(secret.bytes))
        case .webauthn: break
        case .phone(let number): members["phone"] = .string(number.text)
        }
        return SealedSecret.seal(members, Self.purpose, for: Array(uid.utf8), ring)
    }

    /// Nil if it was not sealed here, or for another user, or has expired.
    package static func open(_ text: String, uid: String, with ring: SealingKeyRing, now: Int64) -> PendingEnrolment? {
        guard let members = SealedSecret.open(text, purpose, for: Array(uid.utf8), ring),
            let enrolment = PendingEnrolment(uid: uid, members), now < enrolment.expiresAt
        else { return nil }
        return enrolment
    }

    var mark: OnceMark { secret.mark(Self.purpose, expiresAt: expiresAt) }
}

import Primitives
import TokenCrypto

/// A token to mail. The store keeps its digest only.
package struct MailToken: Sendable, Redacted {
    package static let lifetime: Int64 = 3_600_000

    /// 256 random bits in base64url. Belongs into the mail and nowhere else.
    package let text: String
    /// The address that gets the mail.
    package let email: EmailAddress
    package let purpose: MailTokenPurpose
    package let uid: String
    let record: MailTokenRecord

    init(
        _ purpose: MailTokenPurpose, uid: String, email: EmailAddress, passwordHash: PasswordHash? = nil, random: [UInt8], now: Int64
    ) {
        text = Base64URL.encode(random)
        self.email = email
        self.purpose = purpose
        self.uid = uid
        record = MailTokenRecord(
            digest: SHA2.sha256(random), purpose: purpose, uid: uid, email: email, expiresAt: now + Self.lifetime,
            passwordHash: passwordHash)
    }

    /// The digest of a token that a client presents; nil if it is none.
    static func digest(of text: String) -> [UInt8]? {
        guard text.utf8.count == 43, let bytes = Base64URL.decode(text), bytes.count == 32 else { return nil }
        return SHA2.sha256(bytes)
    }
}

import Accounts
import TokenCrypto

/// A code of six digits for a text message.
package struct MessageCode: Sendable, Redacted {
    /// Milliseconds.
    package static let lifetime: Int64 = 300_000

    /// Belongs into the message and nowhere else.
    package let text: String

    package init(_ random: (Int) -> [UInt8] = SecureRandom.bytes) {
        // The largest multiple of 10^6 below 2^32: numbers from there on would make small codes likelier, so they are drawn again.
        let limit: UInt32 = 4_294_000_000
        var number: UInt32
        repeat { number = random(4).reduce(0) { $0 << 8 | UInt32($1) } } while number >= limit
        let digits = String(number % 1_000_000)
        text = String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// What the store keeps of a code. `secret`: random bytes that only the browser's sealed cookie or form holds. `subject`: the factor or
    /// the number that the code is for.
    ///
    /// A plain digest of a million possible codes is no secret to a reader of the database; this one needs the browser's part.
    static func digest(_ code: String, secret: [UInt8], subject: String) -> [UInt8]? {
        OneTimeCode.normalized(code).map { HMAC.sha256(key: secret, Array("gateway message code v1\0\(subject)\0".utf8) + $0) }
    }

    /// The store's name of the challenge.
    static func challenge(secret: [UInt8], subject: String) -> [UInt8] {
        HMAC.sha256(key: secret, Array("gateway message challenge v1\0\(subject)".utf8))
    }
}

import Primitives
import TokenCrypto

package enum UserID {
    /// The permanent opaque id of a user without an account store: the first 26 characters of lower-case
    /// RFC 4648 base32 of SHA-256 over length-prefixed issuer and subject (contract section 4).
    package static func derived(issuer: String, subject: String) -> String {
        var input: [UInt8] = []
        for text in [issuer, subject] {
            let bytes = Array(text.utf8)
            for shift in stride(from: 56, through: 0, by: -8) {
                input.append(UInt8(truncatingIfNeeded: UInt64(bytes.count) >> UInt64(shift)))
            }
            input.append(contentsOf: bytes)
        }
        return String(Base32.lowercased(SHA2.sha256(input)).prefix(26))
    }

    /// The longest uid, which is also the longest of Firebase's.
    package static let longest = 128

    /// Whether an import may give this uid to an account: 1 to 128 ASCII letters, digits and `-._~:|`, and no `-` at the start.
    ///
    /// The uid goes into header fields, URLs, JWTs and command lines without escaping. An `@` is refused, so that no uid is an address.
    package static func isValid(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "-")
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ":"), UInt8(ascii: "|"):
                    true
                default: false
                }
            }
    }
}

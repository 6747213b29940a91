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
}

import Primitives
import TokenCrypto

/// A token as the bytes that its parts encode: base64url without padding, with dots between the parts (RFC 7515 section 7.1,
/// RFC 7516 section 7.1). An opaque token of base64url is one part.
enum TokenParts {
    /// Of an encrypted token.
    static let most = 5

    /// nil: not base64url in each part, so that `join` would give another text, or too many parts.
    static func split(_ token: String) -> [[UInt8]]? {
        var parts: [[UInt8]] = []
        for part in token.utf8.split(separator: UInt8(ascii: "."), maxSplits: most, omittingEmptySubsequences: false) {
            guard parts.count < most, let bytes = Base64URL.decode(String(Substring(part))) else { return nil }
            parts.append(bytes)
        }
        return parts
    }

    static func join(_ parts: [[UInt8]]) -> String { parts.map(Base64URL.encode).joined(separator: ".") }
}

/// A compact JWS taken apart, nothing verified. Never trust `payload` of this.
package struct UnverifiedJWS: Sendable {
    package let algorithm: String
    package let keyID: String?
    package let type: String?
    package let header: JSONValue
    package let payload: JSONValue
    /// Header and payload as they were sent, which is what the signature covers.
    let signingInput: [UInt8]
    let signature: [UInt8]

    /// Of the whole token.
    static let maximumBytes = 64 * 1024

    /// Refuses: not three parts, over 64 KiB, bad base64url, header or payload not a JSON object, duplicate members,
    /// a missing `alg`, `enc` or `zip` in the header.
    ///
    /// `alg`, `kid` and `typ` that are not strings are refused too.
    package init(compact: String) throws(JWSError) {
        guard compact.utf8.count <= Self.maximumBytes else { throw .tooLarge }
        let parts = compact.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformed("the token does not have three parts") }
        header = try Self.object(parts[0], "header")
        guard header["enc"] == nil else { throw .malformed("the token is encrypted") }
        guard header["zip"] == nil else { throw .malformed("the token is compressed") }
        guard let algorithm = try Self.text("alg", of: header) else { throw .malformed("the header has no alg") }
        self.algorithm = algorithm
        keyID = try Self.text("kid", of: header)
        type = try Self.text("typ", of: header)
        payload = try Self.object(parts[1], "payload")
        guard let signature = Base64URL.decode(String(parts[2]) ?? "=") else { throw .malformed("the signature is not base64url") }
        self.signature = signature
        signingInput = Array(compact.utf8[..<parts[1].endIndex])
    }

    private static func object(_ part: Substring.UTF8View, _ name: String) throws(JWSError) -> JSONValue {
        guard let text = String(part), let bytes = Base64URL.decode(text) else {
            throw .malformed("the \(name) is not base64url")
        }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes, limits: JSONValue.Limits(bytes: maximumBytes, depth: 32))
        } catch {
            throw .malformed("the \(name) is not JSON: \(error)")
        }
        guard value.object != nil else { throw .malformed("the \(name) is not a JSON object") }
        return value
    }

    private static func text(_ name: String, of header: JSONValue) throws(JWSError) -> String? {
        guard let member = header[name] else { return nil }
        guard let text = member.string else { throw .malformed("the header's \(name) is not a string") }
        return text
    }
}

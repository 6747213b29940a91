import Primitives

/// A parsed compact JWS whose signature has not been verified. Never trust its `payload`.
package struct UnverifiedJWS: Sendable {
    package let algorithm: String
    package let keyID: String?
    package let type: String?
    package let header: JSONValue
    package let payload: JSONValue
    /// Header and payload as received, which the signature covers.
    let signingInput: [UInt8]
    let signature: [UInt8]

    /// The maximum size of the token.
    static let maximumBytes = 64 * 1024

    /// Throws unless there are three parts of at most 64 KiB in valid base64url, with JSON objects without duplicate members as header and
    /// payload, and with `alg` and without `enc` and `zip` in the header.
    ///
    /// `alg`, `kid` and `typ` must be strings.
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

    /// The payload of a token that was verified before; nil unless it is a JSON object. Header and signature are not looked at.
    package static func payload(ofVerified compact: String) -> JSONValue? {
        let bytes = compact.utf8.span.bytes
        guard bytes.byteCount <= maximumBytes, let first = bytes.firstOffset(of: UInt8(ascii: ".")) else { return nil }
        let rest = bytes.extracting(droppingFirst: first + 1)
        guard let second = rest.firstOffset(of: UInt8(ascii: ".")),
            rest.extracting(droppingFirst: second + 1).firstOffset(of: UInt8(ascii: ".")) == nil,
            let payload = Base64URL.decode(rest.extracting(first: second)),
            let value = try? JSONValue(parsing: payload, limits: JSONValue.Limits(bytes: maximumBytes, depth: 32)), value.object != nil
        else { return nil }
        return value
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

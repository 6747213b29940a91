import HTTPWire
import Primitives

/// Writes a query without its confidential values.
enum QueryRedaction {
    /// Names stay, and so does a value whose name `isSecret` lets through. A part without `=` is a value.
    ///
    /// Writes about `limit` bytes, and `…` instead of the rest: `[redacted]` is longer than many a value.
    static func put(
        _ query: RawSpan, into lines: inout LineBytes, limit: Int = LogLimit.query,
        isSecret: (_ name: RawSpan, _ value: RawSpan) -> Bool
    ) {
        let first = lines.count
        var start = 0
        while start <= query.byteCount {
            let left = limit - (lines.count - first)
            guard left > 0 else { return lines.put("…") }
            var end = start
            var equals = -1
            while end < query.byteCount, query[end] != UInt8(ascii: "&") {
                if equals < 0, query[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            if start > 0 { lines.put(UInt8(ascii: "&")) }
            if equals >= 0 {
                let name = query.extracting(start..<equals)
                lines.put(escaped: name, limit: left)
                lines.put(UInt8(ascii: "="))
                let value = query.extracting(equals + 1..<end)
                if value.isEmpty {
                } else if isSecret(name, value) {
                    lines.put("[redacted]")
                } else {
                    lines.put(escaped: value, limit: left)
                }
            } else if end > start {
                lines.put("[redacted]")
            }
            start = end + 1
        }
    }
}

/// Names whose values are never logged, `query: full` or not.
enum SecretParameters {
    private static let words = [
        "code", "state", "token", "secret", "password", "passwd", "pwd", "assertion", "signature", "sig", "key", "auth", "session", "jwt",
        "nonce", "credential", "ticket", "otp",
    ]

    /// True when the name holds one of them, in any case: `access_token`, `X-Amz-Signature`, `apiKey`.
    static func contains(_ name: RawSpan) -> Bool {
        let text = String(decoding: name).lowercased()
        // Spelled with escapes it could be anything.
        return text.contains("%") || words.contains { text.contains($0) }
    }

    /// True when the value is an address with a query that has such a name: `rd=%2Fverify-email%3Ftoken%3D…`.
    static func areInside(_ value: RawSpan) -> Bool {
        guard value.byteOffsets.contains(where: { value[$0] == UInt8(ascii: "?") || value[$0] == UInt8(ascii: "%") }) else { return false }
        let text = String(decoding: value).lowercased().replacing("%3f", with: "?").replacing("%26", with: "&").replacing("%3d", with: "=")
        let parts = text.split(separator: "?", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return false }
        // An address inside of this one, escaped twice, could have any name.
        if text.contains("%25") { return true }
        let names = parts.dropFirst().joined(separator: "&").split(separator: "&").map { $0.prefix { $0 != "=" } }
        return names.contains { name in words.contains { name.contains($0) } }
    }
}

import Primitives
import TokenCrypto

/// A token is never taken without a key that fits, each of its parts has one spelling, and no key set stops the others.
/// The first line is a token, the second a key set, the third a base64url text.
enum JOSETarget {
    /// Public parameters of a key whose private half nobody has: no signature can be right.
    private static let secret = Array("a secret of more than sixty-four bytes, known to no writer of any corpus file at all".utf8)

    static func check(_ input: [UInt8]) throws(Broken) {
        let lines = input.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
        try checkBase64(lines.count > 2 ? text(lines[2]) : "")
        var keys = JWKSet.empty
        if lines.count > 1, let value = try? JSONValue(parsing: Array(lines[1])), let set = try? JWKSet(parsing: value) {
            let entries = value["keys"]?.array?.count ?? 0
            try hold(set.count + set.skipped.count >= min(entries, 100), "a key is neither taken nor skipped")
            keys = set
        }
        guard let token = try? UnverifiedJWS(compact: text(lines[0])) else { return }
        for part in text(lines[0]).split(separator: ".", omittingEmptySubsequences: false) { try checkBase64(String(part)) }
        for (keys, secret) in [(JWKSet.empty, nil), (JWKSet.empty, Self.secret), (keys, nil)] as [(JWKSet, [UInt8]?)] {
            let isTaken = (try? token.verified(with: keys, secret: secret, allowed: Set(JWSAlgorithm.allCases))) != nil
            try hold(!isTaken || keys.count > 0, "a token is taken without a key")
            try hold(!isTaken || token.algorithm.lowercased() != "none", "an unsigned token is taken")
        }
        try hold((try? token.verified(with: keys, secret: secret, allowed: [])) == nil, "an algorithm is taken that is not allowed")
    }

    private static func checkBase64(_ text: String) throws(Broken) {
        guard let bytes = Base64URL.decode(text) else { return }
        try hold(Base64URL.encode(bytes) == text, "a base64url text has two spellings")
    }
}

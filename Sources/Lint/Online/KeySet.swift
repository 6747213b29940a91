import TokenCrypto

/// The keys of a JWK set (RFC 7517) that can verify given algorithms.
enum KeySet {
    /// Returns the number of usable keys; nil if the body is not a JWK set.
    static func usableCount(_ body: [UInt8], algorithms: [String]) -> Int? {
        guard let keys = (try? JSONValue(parsing: body))?["keys"]?.array else { return nil }
        return keys.count { key in algorithms.contains { fits(key, $0) } }
    }

    private static func fits(_ key: JSONValue, _ algorithm: String) -> Bool {
        guard key["use"]?.string ?? "sig" == "sig", key["alg"]?.string ?? algorithm == algorithm else { return false }
        func has(_ names: String...) -> Bool { names.allSatisfy { key[$0]?.string?.isEmpty == false } }
        switch algorithm.prefix(2) {
        case "RS", "PS": return key["kty"]?.string == "RSA" && has("n", "e")
        case "ES":
            let curves = ["ES256": "P-256", "ES384": "P-384", "ES512": "P-521"]
            return key["kty"]?.string == "EC" && has("x", "y") && key["crv"]?.string == curves[algorithm]
        case "Ed": return key["kty"]?.string == "OKP" && has("x") && ["Ed25519", "Ed448"].contains(key["crv"]?.string)
        default: return false
        }
    }
}

import Primitives

/// A JWK set, parsed leniently: unusable keys are left out with a reason.
package struct JWKSet: Sendable {
    package struct Skipped: Sendable, Equatable {
        package var keyID: String?
        /// The reason; safe to log.
        package var reason: String

        package init(keyID: String?, reason: String) {
            self.keyID = keyID
            self.reason = reason
        }
    }

    /// The maximum number of keys; no issuer needs more. Further keys are skipped.
    static let maximumKeys = 100

    let keys: [VerificationKey]
    package let skipped: [Skipped]

    package var count: Int { keys.count }

    /// Throws only if the value is not a key set: not an object, or without an array `keys` (RFC 7517 section 5).
    package init(parsing json: JSONValue) throws(JWSError) {
        guard let entries = json["keys"]?.array else { throw .malformed("the key set has no array of keys") }
        var keys: [VerificationKey] = []
        var skipped: [Skipped] = []
        for (index, entry) in entries.enumerated() {
            guard index < Self.maximumKeys else {
                skipped.append(Skipped(keyID: nil, reason: "the set has more than \(Self.maximumKeys) keys; the rest is ignored"))
                break
            }
            do throws(PublicKey.Unusable) {
                keys.append(try VerificationKey(jwk: entry))
            } catch {
                skipped.append(Skipped(keyID: entry["kid"]?.string, reason: error.reason))
            }
        }
        self.keys = keys
        self.skipped = skipped
    }

    private init() {
        keys = []
        skipped = []
    }

    package static var empty: JWKSet { JWKSet() }

    /// Returns whether the issuer lists this `kid`, even with an unusable key.
    func lists(_ keyID: String) -> Bool {
        keys.contains { $0.keyID.map { sameBytes($0, keyID) } ?? false }
            || skipped.contains { $0.keyID.map { sameBytes($0, keyID) } ?? false }
    }
}

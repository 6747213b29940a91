import TokenCrypto

/// The claims of a session's ID token, for claims of the identity that repeat them.
///
/// Written as a bit for each member of the token in the order of their names, set where the identity has the same, then the
/// identity's other claims as JSON text.
struct TokenClaims {
    /// An object; an empty one without a token, or with one whose payload nobody can read.
    let payload: JSONValue
    private let names: [String]

    /// `idToken` was verified when the session was made; here it is only read.
    init(ofIDToken idToken: String?) {
        let members = idToken.flatMap { UnverifiedJWS.payload(ofVerified: $0) }?.object ?? [:]
        payload = .object(members)
        names = members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    func write(_ claims: JSONValue, to writer: inout FieldWriter) {
        var bits = [UInt8](repeating: 0, count: (names.count + 7) / 8)
        var rest = claims
        if var members = claims.object {
            for (index, name) in names.enumerated() where isSame(members[name], name) {
                bits[index / 8] |= 1 << UInt8(index % 8)
                members[name] = nil
            }
            rest = .object(members)
        }
        writer.write(fixed: bits)
        writer.write(rest.serialized())
    }

    /// nil also for claims spelled out that the token has.
    func read(from reader: inout FieldReader) -> JSONValue? {
        guard let bits = reader.fixed((names.count + 7) / 8), let text = reader.text(), let rest = try? JSONValue(parsing: text)
        else { return nil }
        if let last = bits.last, names.count % 8 != 0, last >> UInt8(names.count % 8) != 0 { return nil }
        guard var claims = rest.object else { return bits.allSatisfy { $0 == 0 } ? rest : nil }
        for (index, name) in names.enumerated() {
            let isTaken = bits[index / 8] & 1 << UInt8(index % 8) != 0
            guard isTaken ? claims[name] == nil : !isSame(claims[name], name) else { return nil }
            if isTaken { claims[name] = payload[name] }
        }
        return .object(claims)
    }

    /// By bytes: texts that Unicode calls equal may differ in them.
    private func isSame(_ claim: JSONValue?, _ name: String) -> Bool {
        guard let claim, let own = payload[name] else { return false }
        return claim.serializedBytes() == own.serializedBytes()
    }
}

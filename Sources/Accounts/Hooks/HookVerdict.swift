package import TokenCrypto

/// The decision of a hook about a sign-in.
package enum HookVerdict: Sendable, Equatable {
    /// `claims`: an object, empty without any, to keep with the session.
    case allow(claims: JSONValue)
    /// For the log. It is the operator's own text, at most 200 characters without controls; nil without a usable one.
    case deny(reason: String?)

    /// The reason why an answer is none of the three that a hook may give. The sign-in is refused then.
    package struct Problem: Error, Sendable, Hashable {
        /// For the operator's log; never quotes the answer.
        package let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    package static let maximumClaimBytes = 1_000
    package static let maximumAnswerBytes = 64 << 10
    private static let maximumReasonLength = 200
    private static let maximumDepth = 8

    /// Names that claims of a hook must not have: those of tokens and sessions, whose meaning a rule or an app trusts.
    package static let reservedClaims: Set<String> = [
        // RFC 7519, OpenID Connect Core 1.0 and its logout specifications.
        "acr", "amr", "at_hash", "aud", "auth_time", "azp", "c_hash", "cnf", "exp", "firebase", "iat", "iss", "jti", "nbf", "nonce",
        "s_hash",
        "sid", "sub",
        // The account itself.
        "email", "email_verified", "phone_number", "phone_number_verified", "second_factor", "uid", "user_id",
    ]

    /// Parses an answer: `{}`, `{"deny":"reason"}` or `{"claims":{…}}` with a status of success. Anything else throws.
    package init(status: Int, body: [UInt8]) throws(Problem) {
        guard (200...299).contains(status) else { throw Problem("it answered with status \(status)") }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: body, limits: .init(bytes: Self.maximumAnswerBytes, depth: Self.maximumDepth + 2))
        } catch {
            throw Problem("its answer is not valid JSON: \(error)")
        }
        guard case .object(let members) = value else { throw Problem("its answer is not a JSON object") }
        // A misspelled `deny` must not let the user pass.
        guard members.keys.allSatisfy({ $0 == "deny" || $0 == "claims" }) else {
            throw Problem("its answer has a member other than `deny` and `claims`")
        }
        if let deny = members["deny"] {
            guard case .string(let reason) = deny else { throw Problem("`deny` in its answer is not a string") }
            self = .deny(reason: Self.printable(reason))
        } else if let claims = members["claims"] {
            self = .allow(claims: try Self.checked(claims))
        } else {
            self = .allow(claims: .object([:]))
        }
    }

    private static func printable(_ reason: String) -> String? {
        var text = String.UnicodeScalarView()
        for scalar in reason.unicodeScalars.prefix(maximumReasonLength) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: text.append("\u{FFFD}")
            default: text.append(scalar)
            }
        }
        return text.isEmpty ? nil : String(text)
    }

    private static func checked(_ claims: JSONValue) throws(Problem) -> JSONValue {
        guard case .object(let members) = claims else { throw Problem("`claims` in its answer is not an object") }
        for name in members.keys.sorted() {
            guard !reservedClaims.contains(name) else { throw Problem("the claim `\(name)` is reserved for the gateway") }
            guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw Problem("a claim's name is not 1 to 64 printable ASCII characters")
            }
        }
        guard claims.serializedBytes().count <= maximumClaimBytes else {
            throw Problem("`claims` in its answer has more than \(maximumClaimBytes) bytes")
        }
        return claims
    }
}

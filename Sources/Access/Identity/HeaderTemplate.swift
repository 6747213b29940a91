/// The reason why a text is not a header template.
package struct HeaderTemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        case unclosedExpression
        case emptyExpression
        case unknownName(String)
        case unknownFilter(String)
        case emptyClaimPath
        /// `join` needs one quoted text that is not empty.
        case malformedSeparator
        /// `join` is applied to a value that is no longer a list.
        case joinAfterText
        /// Filters without `|` between them, a name with spaces, or a stray `}}`.
        case malformedExpression
        case controlCharacter
    }
    package let reason: Reason
    /// The UTF-8 byte offset in the template.
    package let offset: Int

    package var description: String {
        switch reason {
        case .unclosedExpression: "`{{` has no matching `}}`"
        case .emptyExpression: "there is no name between `{{` and `}}`"
        case .unknownName(let name): "`\(name)` is not a value; the values are \(HeaderTemplate.Field.names)"
        case .unknownFilter(let name): "`\(name)` is not a filter; the filters are join(\"…\"), base64, urlencode"
        case .emptyClaimPath: "`claims.` must be followed by the path of a claim"
        case .malformedSeparator: "join needs one separator in quotes: `join(\"|\")`"
        case .joinAfterText: "join must come before the other filters"
        case .malformedExpression: "an expression must be a name, then filters after `|`"
        case .controlCharacter: "a header value cannot contain control characters"
        }
    }
}

/// A header value with `{{ name }}` expressions (contract section 6, Header templates).
package struct HeaderTemplate: Sendable, Hashable {
    package enum Field: Sendable, Hashable {
        case uid, email, emailVerified, username, name, picture, locale, groups, provider, authTime, accessToken, idToken
        case claim(path: String)
        /// Values of the user's account. They are missing without accounts.
        case providers, anonymous, secondFactor

        package static let accountNames = ["providers", "anonymous", "secondFactor"]

        /// The name of a value that only accounts have; nil for the others.
        package var accountName: String? {
            switch self {
            case .providers: "providers"
            case .anonymous: "anonymous"
            case .secondFactor: "secondFactor"
            default: nil
            }
        }

        static let names =
            "uid, email, emailVerified, username, name, picture, locale, groups, provider, authTime, claims.PATH, accessToken, idToken, providers, anonymous, secondFactor"
    }

    package enum Filter: Sendable, Hashable {
        case join(separator: String)
        case base64
        case urlencode
    }

    package enum Part: Sendable, Hashable {
        case literal(String)
        case value(Field, [Filter])
    }

    package let parts: [Part]

    /// Parses a template. White space at the ends is not part of a header value (RFC 9110 section 5.5) and is removed.
    package init(_ text: String) throws(HeaderTemplateError) {
        var parser = HeaderTemplateParser(text)
        parts = try parser.parse()
    }

    /// The fields whose values the template uses, in order.
    package var fields: [Field] {
        parts.compactMap { if case .value(let field, _) = $0 { field } else { nil } }
    }

    /// True if the header contains a token.
    package var usesTokens: Bool {
        parts.contains {
            if case .value(let field, _) = $0 { field == .accessToken || field == .idToken } else { false }
        }
    }
}

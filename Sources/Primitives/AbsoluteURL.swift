/// The parts of an absolute URL with a host (RFC 3986 section 3), parsed more strictly than by any browser.
///
/// The only parser of URLs. Rejects every text that two programs may read differently: white space, control characters, backslashes,
/// text that is not ASCII, a host that is neither a name nor an address, a port out of range or with leading zeros. Parts that most URLs
/// must not have are rejected, too, unless the caller allows them to say more about the mistake.
package struct AbsoluteURL: Sendable, Hashable {
    package enum Problem: Error, Sendable, Hashable, CaseIterable {
        /// A character that no URL contains.
        case characters
        /// No scheme, or no `//` behind it, which some programs read as a host and others as a path.
        case notAbsolute
        case scheme, userInfo, host, port, fragment
    }

    /// Parts that are rejected unless they are allowed.
    package struct Parts: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let userInfo = Parts(rawValue: 1)
        package static let fragment = Parts(rawValue: 2)
        /// `"`, `<` and `>`, which browsers escape.
        package static let quotes = Parts(rawValue: 4)
        package static let all: Parts = [.userInfo, .fragment, .quotes]
    }

    /// Lower case.
    package let scheme: String
    package let hasUserInfo: Bool
    /// Lower case; an IPv6 address in brackets.
    package let host: String
    /// The port as written; nil for the scheme's default.
    package let explicitPort: Int?
    /// Empty, or starts with `/`.
    package let path: String
    /// The query without its `?`; nil if there is none.
    package let query: String?
    /// The fragment without its `#`; nil if there is none.
    package let fragment: String?

    package static let webSchemes: Set<String> = ["http", "https"]

    package init(
        parsing text: String, schemes: Set<String> = webSchemes, allowing allowed: Parts = []
    ) throws(Problem) {
        guard text.utf8.allSatisfy({ Self.isURLByte($0, withQuotes: allowed.contains(.quotes)) }) else {
            throw .characters
        }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .notAbsolute }
        scheme = text[..<colon].lowercased()
        guard schemes.contains(scheme) else { throw .scheme }
        guard text[colon...].hasPrefix("://") else { throw .notAbsolute }
        var rest = text[text.index(colon, offsetBy: 3)...]
        (rest, fragment) = Self.split(rest, at: UInt8(ascii: "#"))
        (rest, query) = Self.split(rest, at: UInt8(ascii: "?"))
        let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        path = String(rest[slash...])
        var authority = rest[..<slash]
        let at = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
        hasUserInfo = at != nil
        if let at {
            guard allowed.contains(.userInfo) else { throw .userInfo }
            authority = authority[authority.index(after: at)...]
        }
        (host, explicitPort) = try Self.hostAndPort(parsing: authority)
        if fragment != nil, !allowed.contains(.fragment) { throw .fragment }
    }

    /// Nil for a text that `init(parsing:)` rejects.
    package init?(_ text: String, schemes: Set<String> = webSchemes, allowing allowed: Parts = []) {
        do throws(Problem) { try self.init(parsing: text, schemes: schemes, allowing: allowed) } catch {
            return nil
        }
    }

    /// Everything behind the authority, as written.
    package var rest: String {
        path + (query.map { "?\($0)" } ?? "") + (fragment.map { "#\($0)" } ?? "")
    }
    package var port: Int { explicitPort ?? (scheme == "https" ? 443 : 80) }
    package var origin: Origin { Origin(scheme: scheme, host: host, port: port) }
    package var isOriginOnly: Bool { rest.isEmpty && !hasUserInfo }
    package var isSecure: Bool { scheme == "https" }
    package var isLoopback: Bool { Self.isLoopback(host: host) }
    /// True for `https`, and for `http` on loopback (contract section 6, "Providers").
    package var isTrustworthyTransport: Bool { isSecure || isLoopback }

    private static func isURLByte(_ byte: UInt8, withQuotes: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): withQuotes
        case UInt8(ascii: "\\"): false
        default: byte > 0x20 && byte < 0x7F
        }
    }

    /// The text before the first separator, and the text after it; nil without one.
    private static func split(_ text: Substring, at separator: UInt8) -> (Substring, String?) {
        guard let mark = text.utf8.firstIndex(of: separator) else { return (text, nil) }
        return (text[..<mark], String(text[text.index(after: mark)...]))
    }
}

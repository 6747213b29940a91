/// The parts of an absolute `http` or `https` URL that trust decisions need (RFC 3986 section 3).
///
/// Rejects other schemes, an empty host, userinfo, a fragment, spaces, control characters, backslashes and non-ASCII text.
package struct WebURL: Sendable, Hashable {
    package enum Problem: Error, Sendable, Hashable {
        case scheme, host, port, userinfo, fragment, characters
    }

    package let isSecure: Bool
    /// Lower case; an IPv6 address in brackets.
    package let host: String
    /// The port as written; nil if the URL has none.
    package let port: Int?
    /// Empty, or starts with `/`.
    package let path: String
    /// The query without the question mark; nil if there is none.
    package let query: String?

    package init(parsing text: String) throws(Problem) {
        guard
            text.utf8.allSatisfy({
                $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "<")
                    && $0 != UInt8(ascii: ">")
            })
        else {
            throw .characters
        }
        let lowered = text.lowercased()
        var rest: Substring
        if lowered.hasPrefix("https://") {
            self.isSecure = true
            rest = text.dropFirst(8)
        } else if lowered.hasPrefix("http://") {
            self.isSecure = false
            rest = text.dropFirst(7)
        } else {
            throw .scheme
        }
        guard !rest.contains("#") else { throw .fragment }
        if let mark = rest.firstIndex(of: "?") {
            self.query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        } else {
            self.query = nil
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        self.path = String(rest[slash...])
        let authority = rest[..<slash]
        guard !authority.contains("@") else { throw .userinfo }
        (self.host, self.port) = try Self.split(authority)
    }

    /// True if the URL is `https`, or `http` on loopback (contract section 6, "Providers").
    package var isTrustworthyTransport: Bool { self.isSecure || self.isLoopback }

    /// True if the host is `localhost`, a name below it, `127.0.0.0/8` or `[::1]`.
    package var isLoopback: Bool {
        if self.host == "localhost" || self.host.hasSuffix(".localhost") || self.host == "[::1]" { return true }
        let parts = self.host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Scheme, host and port, without a default port (RFC 6454 section 6.2).
    package var origin: String {
        let scheme = self.isSecure ? "https" : "http"
        guard let port = self.port, port != (self.isSecure ? 443 : 80) else { return "\(scheme)://\(self.host)" }
        return "\(scheme)://\(self.host):\(port)"
    }

    private static func split(_ authority: Substring) throws(Problem) -> (String, Int?) {
        var host = authority
        var port: Substring?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { throw .host }
            host = authority[...end]
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw .host }
            port = rest.isEmpty ? nil : rest.dropFirst()
            guard host.dropFirst().dropLast().allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }), host.count > 3 else { throw .host }
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            port = authority[authority.index(after: colon)...]
        }
        guard !host.isEmpty else { throw .host }
        if !host.hasPrefix("[") {
            guard host.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_" }) else { throw .host }
        }
        guard let port else { return (host.lowercased(), nil) }
        guard !port.isEmpty, port.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(port), number > 0, number < 65_536 else {
            throw .port
        }
        return (host.lowercased(), number)
    }
}

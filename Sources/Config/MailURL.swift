import Primitives

/// The URL of a mail server: `smtps://user:password@host:465`, or `smtp://` with STARTTLS.
///
/// A pure check for configurations and the linter. The value keeps no password, and problems repeat no part of the URL: in a URL with a
/// mistake, the password may be anywhere.
package struct MailURL: Sendable, Hashable {
    package enum Problem: String, Error, Sendable, CaseIterable {
        case scheme = "does not begin with smtp:// or smtps://"
        case characters = "contains a space or a control character; write it as a percent-escape"
        case host = "has no valid host"
        case port = "contains a port that is not a number from 1 to 65535"
        case path = "contains a path"
        case credentials = "contains a user name without a password, or one of them is empty"
        case percentEscape = "contains a % without two hexadecimal digits, or the escape of a control character; write a % as %25"
        case parameter = "contains a parameter other than starttls=required and starttls=never"
        case tlsParameter = "contains a parameter, but smtps:// takes none"
        case plainPassword = "would send the password without TLS; remove starttls=never, or use smtps://"
    }

    package enum Security: Sendable, Hashable { case tls, startTLS, plain }

    /// Lower case; an IPv6 address in brackets.
    package let host: String
    package let port: Int
    package let security: Security
    package let hasPassword: Bool
    package var isLocal: Bool { AbsoluteURL.isLoopback(host: host) }

    package init(_ text: String) throws(Problem) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .characters }
        let isTLS = text.hasPrefix("smtps://")
        guard isTLS || text.hasPrefix("smtp://") else { throw .scheme }
        var rest = text.dropFirst(isTLS ? 8 : 7)
        // A password that is not escaped may contain `/` or `?`; a host contains no `@`.
        var credentials: Substring?
        if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
            credentials = rest[..<at]
            rest = rest[rest.index(after: at)...]
        }
        var query: Substring?
        if let question = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[rest.index(after: question)...]
            rest = rest[..<question]
        }
        if rest.hasSuffix("/") { rest.removeLast() }
        guard !rest.utf8.contains(UInt8(ascii: "/")) else { throw .path }
        guard let (host, port) = AbsoluteURL.hostAndPort(rest) else {
            let hasPort = AbsoluteURL.hostAndPort(rest.prefix { $0 != ":" }) != nil
            throw hasPort ? .port : .host
        }
        try Self.check(credentials)
        self.host = host
        self.port = port ?? (isTLS ? 465 : 587)
        hasPassword = credentials != nil
        let isLocal = AbsoluteURL.isLoopback(host: host)
        switch (isTLS, query) {
        case (true, nil): security = .tls
        case (true, _): throw .tlsParameter
        case (false, nil): security = isLocal ? .plain : .startTLS
        case (false, "starttls=required"): security = .startTLS
        case (false, "starttls=never"): security = .plain
        case (false, _): throw .parameter
        }
        guard security != .plain || isLocal || !hasPassword else { throw .plainPassword }
    }

    private static func check(_ credentials: Substring?) throws(Problem) {
        guard let credentials else { return }
        let parts = credentials.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { throw .credentials }
        for part in parts where !isEscaped(part) { throw .percentEscape }
    }

    /// Returns whether each `%` begins an escape that is not of a control character, which would end a command.
    private static func isEscaped(_ text: Substring) -> Bool {
        var rest = Array(text.utf8)[...]
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            let digits = rest[(percent + 1)...].prefix(2)
            guard digits.count == 2, let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
                digits.first != UInt8(ascii: "+"),
                byte >= 0x20, byte != 0x7F
            else { return false }
            rest = rest[(percent + 3)...]
        }
        return true
    }
}

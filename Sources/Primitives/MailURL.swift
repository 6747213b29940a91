/// The URL of a mail server: `smtps://user:password@host:465`, or `smtp://` with STARTTLS.
///
/// `smtps://` speaks TLS from the first byte (port 465). `smtp://` (port 587) requires STARTTLS, except on this machine. `?starttls=never`
/// and `?starttls=required` change that; a password is never sent without TLS to another machine.
///
/// The value keeps no password, and problems repeat no part of the URL: in a URL with a mistake, the password may be anywhere.
package struct MailURL: Sendable, Hashable {
    package enum Problem: String, Error, Sendable, CaseIterable {
        case scheme = "does not begin with smtp:// or smtps://"
        case characters = "contains a space or a control character; write it as a percent-escape"
        case host = "has no valid host"
        case port = "contains a port that is not a number from 1 to 65535"
        case path = "contains a path"
        case credentials = "contains a user name without a password, or one of them is empty"
        case percentEscape =
            "contains a % without two hexadecimal digits, or escapes that are no UTF-8 text or a control character; write a % as %25"
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
        var rest = Self.behindCredentials(text)
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
        self.host = host
        self.port = port ?? (isTLS ? 465 : 587)
        hasPassword = try Self.credentials(of: text) != nil
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

    /// The user name and the password of a URL, decoded; nil if it has none.
    package static func credentials(of text: String) throws(Problem) -> (user: String, password: String)? {
        let end = behindCredentials(text).startIndex
        guard let scheme = text.firstRange(of: "://"), scheme.upperBound < end else { return nil }
        let parts = text[scheme.upperBound..<text.utf8.index(before: end)]
            .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { throw .credentials }
        guard let user = decoded(parts[0]), let password = decoded(parts[1]) else { throw .percentEscape }
        return (user, password)
    }

    /// A password that is not escaped may contain `/` or `?`; a host contains no `@`.
    static func behindCredentials(_ text: String) -> Substring {
        if let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) { return text[text.utf8.index(after: at)...] }
        return text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
    }

    /// Nil for a wrong escape, invalid UTF-8, and the escape of a control character, which would end a command.
    static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self), !decoded.unicodeScalars.contains(where: \.isControlOrLineEnd) else {
            return nil
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) } }
}

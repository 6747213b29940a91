import TokenCrypto

/// The mail server of `mail.url`: `smtp://` or `smtps://`, with the user name and the password.
///
/// `smtps://` speaks TLS from the first byte (port 465). `smtp://` (port 587) requires STARTTLS, except on this machine. `?starttls=never`
/// and `?starttls=required` change that; a password is never sent without TLS to another machine.
package struct MailServer: Sendable, Hashable, Redacted {
    package enum Security: Sendable, Hashable { case tls, startTLS, plain }

    /// The reason why a text is no URL of a mail server; never quotes it.
    package struct Problem: Error, Sendable, Hashable {
        package let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    package let host: String
    package let port: Int
    package let security: Security
    let user: String?
    let password: String?
    let isIPv6: Bool

    package init(parsing url: String) throws(Problem) {
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw Problem("it has a space or a control character") }
        guard let separator = url.firstRange(of: "://") else { throw Problem("it does not begin with smtp:// or smtps://") }
        let scheme = url[..<separator.lowerBound].lowercased()
        guard scheme == "smtp" || scheme == "smtps" else { throw Problem("it does not begin with smtp:// or smtps://") }
        var rest = url[separator.upperBound...]
        // A password that somebody did not encode may contain `/` or `?`; a host has no `@`.
        var userInfo: Substring?
        if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
            userInfo = rest[..<at]
            rest = rest[rest.index(after: at)...]
        }
        var query: Substring?
        if let question = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[rest.index(after: question)...]
            rest = rest[..<question]
        }
        if rest.hasSuffix("/") { rest.removeLast() }
        (host, port, isIPv6) = try Self.hostAndPort(rest, defaultPort: scheme == "smtps" ? 465 : 587)
        (user, password) = try Self.credentials(userInfo)
        let isLocal = Self.isLoopback(host)
        switch (scheme, query) {
        case ("smtps", nil): security = .tls
        case ("smtps", _): throw Problem("smtps:// takes no parameters")
        case (_, nil): security = isLocal ? .plain : .startTLS
        case (_, "starttls=required"): security = .startTLS
        case (_, "starttls=never"): security = .plain
        default: throw Problem("its parameter is neither starttls=required nor starttls=never")
        }
        guard security != .plain || isLocal || user == nil else {
            throw Problem("it would send the password without TLS; remove starttls=never, or use smtps://")
        }
    }

    private static func hostAndPort(_ text: Substring, defaultPort: Int) throws(Problem) -> (String, Int, Bool) {
        var host = text
        var portText: Substring?
        let isIPv6 = text.hasPrefix("[")
        if isIPv6 {
            guard let close = text.firstIndex(of: "]") else { throw Problem("an IPv6 address has no ]") }
            host = text[text.index(after: text.startIndex)..<close]
            let tail = text[text.index(after: close)...]
            guard tail.isEmpty || tail.hasPrefix(":") else { throw Problem("there is text after the host") }
            portText = tail.isEmpty ? nil : tail.dropFirst()
            guard host.utf8.count <= 45, host.utf8.contains(UInt8(ascii: ":")),
                host.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
            else { throw Problem("the host is not an IPv6 address") }
        } else {
            if let colon = text.firstIndex(of: ":") {
                portText = text[text.index(after: colon)...]
                host = text[..<colon]
            }
            guard MailAddress.isDomain(host.lowercased()) else { throw Problem("the host is not a host name or an address") }
        }
        guard let portText else { return (host.lowercased(), defaultPort, isIPv6) }
        guard portText.utf8.count <= 5, portText.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let port = Int(portText),
            (1...65_535).contains(port)
        else { throw Problem("the port is not a number from 1 to 65535") }
        return (host.lowercased(), port, isIPv6)
    }

    private static func credentials(_ text: Substring?) throws(Problem) -> (String?, String?) {
        guard let text else { return (nil, nil) }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw Problem("there is a user name without a password") }
        guard let user = decoded(text[..<colon]), let password = decoded(text[text.index(after: colon)...]) else {
            throw Problem("the user name or the password has a % that begins no code, or one of a control character; write %25 for %")
        }
        guard !user.isEmpty, !password.isEmpty else { throw Problem("the user name or the password is empty") }
        return (user, password)
    }

    /// Nil for a wrong escape, invalid UTF-8, and control characters, which would end a command.
    private static func decoded(_ text: Substring) -> String? {
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
        guard let decoded = String(validating: bytes, as: UTF8.self), !decoded.unicodeScalars.contains(where: MailText.isForbidden) else {
            return nil
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) } }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

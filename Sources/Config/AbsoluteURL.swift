/// The parts of an absolute `http` or `https` URL (RFC 3986 section 3), parsed strictly.
package struct AbsoluteURL: Sendable, Hashable {
    /// Lower case.
    package var scheme: String
    package var hasUserInfo: Bool
    /// Lower case; an IPv6 address in brackets.
    package var host: String
    /// The port as written; nil for the scheme's default.
    package var explicitPort: Int?
    /// Empty, or starts with `/`.
    package var path: String
    package var hasQuery: Bool
    package var hasFragment: Bool

    package var port: Int { explicitPort ?? (scheme == "https" ? 443 : 80) }
    package var origin: Origin { Origin(scheme: scheme, host: host, port: port) }
    package var isOriginOnly: Bool { path.isEmpty && !hasQuery && !hasFragment && !hasUserInfo }
    package var isSecure: Bool { scheme == "https" }

    /// Nil unless the text is an absolute URL with a host.
    package init?(_ text: String, schemes: Set<String> = ["http", "https"]) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[colon...].hasPrefix("://") else { return nil }
        scheme = text[..<colon].lowercased()
        guard schemes.contains(scheme) else { return nil }
        var rest = text[text.index(colon, offsetBy: 3)...]
        hasFragment = false
        hasQuery = false
        if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
            hasFragment = true
            rest = rest[..<hash]
        }
        if let question = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            hasQuery = true
            rest = rest[..<question]
        }
        let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        path = String(rest[slash...])
        var authority = rest[..<slash]
        hasUserInfo = false
        if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            hasUserInfo = true
            authority = authority[authority.index(after: at)...]
        }
        guard let (host, port) = Self.hostAndPort(authority) else { return nil }
        self.host = host
        explicitPort = port
    }

    /// `name`, `name:port`, `[v6]`, `[v6]:port`; nil for anything else.
    static func hostAndPort(_ authority: Substring) -> (host: String, port: Int?)? {
        var host = authority
        var port: Int?
        let portColon: Substring.Index?
        if authority.hasPrefix("[") {
            guard let close = authority.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = authority[...close]
            let behind = authority.index(after: close)
            portColon = behind == authority.endIndex ? nil : behind
            guard IPNetwork.address(String(host.dropFirst().dropLast()))?.isIPv6 == true else { return nil }
        } else {
            portColon = authority.utf8.firstIndex(of: UInt8(ascii: ":"))
            host = portColon.map { authority[..<$0] } ?? authority
            guard isHostName(host) else { return nil }
        }
        if let portColon {
            guard authority.utf8[portColon] == UInt8(ascii: ":"), let number = portNumber(authority[authority.index(after: portColon)...])
            else { return nil }
            port = number
        }
        return (host.lowercased(), port)
    }

    /// 1 to 65535 in decimal digits without leading zeros.
    static func portNumber(_ text: Substring) -> Int? {
        guard text.utf8.count <= 5, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), text.first != "0",
            let number = Int(text), (1...65535).contains(number)
        else { return nil }
        return number
    }

    /// Returns whether the text is a host name (RFC 1123 section 2.1, and `_`) or an IPv4 address.
    package static func isHostName(_ text: some StringProtocol) -> Bool {
        var name = Substring(text).utf8
        if name.last == UInt8(ascii: ".") { name = name.dropLast() }
        guard !name.isEmpty, name.count <= 253 else { return false }
        let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isNumeric = labels.last.map { $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } } ?? false
        if isNumeric { return IPNetwork.address(String(Substring(name))) != nil }
        return labels.allSatisfy { label in
            !label.isEmpty && label.count <= 63 && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy {
                    switch $0 {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"),
                        UInt8(ascii: "-"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
        }
    }

    /// Returns whether a host is always this machine: `localhost` and names below it (RFC 6761 section 6.3), 127.0.0.0/8, `[::1]`.
    package static func isLoopback(host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
        guard let address = IPNetwork.address(host), !address.isIPv6 else { return false }
        return address.bits >> 24 == 127
    }

    package var isLoopback: Bool { Self.isLoopback(host: host) }
}

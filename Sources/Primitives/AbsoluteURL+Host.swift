/// Hosts and ports, also where they stand without a URL.
extension AbsoluteURL {
    /// `name`, `name:port`, `[v6]`, `[v6]:port`; nil for anything else.
    package static func hostAndPort(_ authority: Substring) -> (host: String, port: Int?)? {
        do throws(Problem) { return try hostAndPort(parsing: authority) } catch { return nil }
    }

    static func hostAndPort(parsing authority: Substring) throws(Problem) -> (
        host: String, port: Int?
    ) {
        var host = authority
        let portColon: Substring.Index?
        if authority.hasPrefix("[") {
            guard let close = authority.utf8.firstIndex(of: UInt8(ascii: "]")) else { throw .host }
            host = authority[...close]
            let behind = authority.index(after: close)
            portColon = behind == authority.endIndex ? nil : behind
            guard NetworkAddress(ipv6: String(host.dropFirst().dropLast())) != nil else { throw .host }
        } else {
            portColon = authority.utf8.firstIndex(of: UInt8(ascii: ":"))
            host = portColon.map { authority[..<$0] } ?? authority
            guard isHostName(host) else { throw .host }
        }
        guard let portColon else { return (host.lowercased(), nil) }
        guard authority.utf8[portColon] == UInt8(ascii: ":") else { throw .host }
        guard let port = portNumber(authority[authority.index(after: portColon)...]) else {
            throw .port
        }
        return (host.lowercased(), port)
    }

    /// 1 to 65535 in decimal digits without leading zeros.
    package static func portNumber(_ text: Substring) -> Int? {
        guard text.utf8.count <= 5, text.utf8.allSatisfy(isDigit), text.first != "0",
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
        // Programs read a name with a number at its end as an IPv4 address (URL Standard section 3.5).
        if labels.last?.allSatisfy(isDigit) == true {
            return NetworkAddress(String(Substring(name)))?.isIPv4 == true
        }
        return labels.allSatisfy { label in
            !label.isEmpty && label.count <= 63 && label.first != UInt8(ascii: "-")
                && label.last != UInt8(ascii: "-")
                && label.allSatisfy(isNameByte)
        }
    }

    /// Returns whether a host is always this machine: `localhost` and names below it (RFC 6761 section 6.3), 127.0.0.0/8, `[::1]`.
    package static func isLoopback(host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
        guard !host.utf8.contains(UInt8(ascii: ":")), let address = NetworkAddress(host) else {
            return false
        }
        return address.value >> 24 & 0xFF == 127
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

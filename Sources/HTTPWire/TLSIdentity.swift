import Primitives

/// The server name and certificate of a TLS connection, the same for all its requests.
package final class TLSIdentity: Sendable {
    /// Lower case, without a trailing dot; nil when the client named nothing.
    package let serverName: String?
    /// Of the certificate that was shown.
    package let names: CertificateNames
    /// The verified certificate of the client; nil without one.
    package let clientCertificate: ClientCertificate?
    private let serverNameBytes: [UInt8]?

    package init(serverName: String?, names: CertificateNames, clientCertificate: ClientCertificate? = nil) {
        self.clientCertificate = clientCertificate
        let folded = serverName.map { CertificateNames.folded($0) }
        self.serverName = folded
        self.names = names
        serverNameBytes = folded.map { Array($0.utf8) }
    }

    /// Whether a request for this authority belongs on the connection (RFC 9110 section 7.4, RFC 9113 section 9.1.1): it is for the name
    /// that the client asked for in the handshake, or for another that the certificate covers. A client that named nothing has
    /// not been misdirected.
    package func covers(authority: RawSpan) -> Bool {
        guard let serverNameBytes else { return true }
        let host = Self.host(of: authority)
        if host.byteCount == serverNameBytes.count, host.byteOffsets.allSatisfy({ Self.folded(host[$0]) == serverNameBytes[$0] }) {
            return true
        }
        return names.cover(CertificateNames.folded(String(decoding: host)))
    }

    /// Without the port and a trailing dot.
    @_lifetime(copy authority)
    private static func host(of authority: RawSpan) -> RawSpan {
        var end = authority.byteCount
        if authority.first == UInt8(ascii: "["), let bracket = authority.firstOffset(of: UInt8(ascii: "]")) {
            return authority.extracting(1..<bracket)
        }
        if let colon = authority.byteOffsets.last(where: { authority[$0] == UInt8(ascii: ":") }) { end = colon }
        if end > 0, authority[end - 1] == UInt8(ascii: ".") { end -= 1 }
        return authority.extracting(0..<end)
    }

    private static func folded(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}

/// The contents of a client's certificate.
package struct ClientCertificate: Sendable, Hashable {
    /// The distinguished name in the form of RFC 4514, the most specific part first.
    package let subject: String
    /// The DNS names, IP addresses, e-mail addresses and URIs of subjectAltName.
    package let names: [String]
    /// SHA-256 of the certificate, 64 lower-case hexadecimal digits.
    package let fingerprint: String

    package init(subject: String, names: [String], fingerprint: String) {
        self.subject = subject
        self.names = names
        self.fingerprint = fingerprint
    }
}

/// The names of a certificate's subjectAltName (RFC 9525 section 6.3). The common name counts for nothing.
package struct CertificateNames: Sendable, Hashable {
    /// Lower case; `*.` in front stands for exactly one label.
    package let names: [String]
    private let exact: Set<String>
    /// The text after `*.`.
    private let wildcards: Set<String>

    package init(_ names: [String]) {
        let folded = names.map(Self.folded)
        self.names = folded
        exact = Set(folded.filter { !$0.hasPrefix("*.") })
        wildcards = Set(folded.filter { $0.hasPrefix("*.") && $0.dropFirst(2).contains(".") }.map { String($0.dropFirst(2)) })
    }

    /// Lower case, without a trailing dot.
    package static func folded(_ name: String) -> String {
        let lower = name.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }

    package func isExact(_ host: String) -> Bool { exact.contains(host) }

    package func isWildcard(_ host: String) -> Bool {
        guard let dot = host.firstIndex(of: "."), dot > host.startIndex else { return false }
        return wildcards.contains(String(host[host.index(after: dot)...]))
    }

    /// `host` is folded. An IP address is covered by an address of the certificate only.
    package func cover(_ host: String) -> Bool { isExact(host) || isWildcard(host) }
}

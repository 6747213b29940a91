/// The certificates and client verification of a TLS listener. Paths of PEM files.
package struct TLSSettings: Sendable, Hashable {
    package struct Certificate: Sendable, Hashable {
        /// The chain, the server's own certificate first.
        package var certificate: String
        package var key: String
        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    package struct ClientCertificates: Sendable, Hashable {
        /// The certificates that a client's must lead to.
        package var authority: String
        /// False: who shows none is let in; who shows a bad one is not.
        package var isRequired: Bool
        package init(authority: String, isRequired: Bool) {
            self.authority = authority
            self.isRequired = isRequired
        }
    }

    /// The first is for clients that name no server, or one that no certificate has.
    package var certificates: [Certificate]
    /// Else TLS 1.2 too.
    package var isTLS13Only = false
    package var offersHTTP2 = true
    package var clientCertificates: ClientCertificates?

    package init(certificates: [Certificate]) { self.certificates = certificates }

    package var files: [String] {
        certificates.flatMap { [$0.certificate, $0.key] } + (clientCertificates.map { [$0.authority] } ?? [])
    }
}

/// The reason why certificates cannot be used. Never holds a part of a file.
package struct TLSFailure: Error, Sendable, Hashable {
    package let file: String
    package let reason: String
}

import Config
import Exchanges
import Server

extension TLSSettings {
    /// Nil: the listeners are in clear text.
    init?(_ server: ServerConfiguration) {
        guard let tls = server.tls else { return nil }
        self.init(certificates: tls.certificates.map { .init(certificate: $0.certificate, key: $0.key) })
        isTLS13Only = tls.minimumVersion == .v13
        offersHTTP2 = server.http2 != .off
        clientCertificates = tls.clientCertificates.map { .init(authority: $0.authority, isRequired: $0.mode == .required) }
    }
}

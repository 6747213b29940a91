import Config
import Exchanges
import Logging
import Server
import Telemetry

/// Takes new certificates into use when their files change.
struct CertificateWatch: Sendable {
    /// The certificates in use; nil without TLS.
    let contexts: @Sendable () -> TLSContexts?
    let log: @Sendable () -> EventLog

    private static let interval = Duration.seconds(1)

    /// Looks at the files until its task is cancelled.
    func run() async {
        while true {
            do { try await Task.sleep(for: Self.interval) } catch { return }
            if let contexts = contexts() { report(contexts.reloadIfChanged()) }
        }
    }

    func report(_ outcome: TLSContexts.Reload) {
        switch outcome {
        case .unchanged: break
        case .replaced(let names):
            log().write(
                .notice, "certificates-reloaded", "certificates reloaded",
                [("names", .text(names.map { $0.joined(separator: ", ") }.joined(separator: "; ")))])
        case .failed(let failure):
            log().write(
                .error, "certificates-not-reloaded", "cannot load the new certificates; the old ones stay in use",
                [("file", .text(failure.file)), ("reason", .text(failure.reason))])
        }
    }
}

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

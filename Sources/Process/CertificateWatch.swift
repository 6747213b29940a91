import Exchanges
import Logging
package import Server
package import Telemetry

/// Takes new certificates into use when their files change.
package struct CertificateWatch: Sendable {
    /// The certificates in use; nil without TLS.
    private let contexts: @Sendable () -> TLSContexts?
    private let log: @Sendable () -> EventLog

    package init(contexts: @escaping @Sendable () -> TLSContexts?, log: @escaping @Sendable () -> EventLog) {
        self.contexts = contexts
        self.log = log
    }

    private static let interval = Duration.seconds(1)

    /// Looks at the files until its task is cancelled.
    package func run() async {
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

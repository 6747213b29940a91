import Primitives
import Config
import Diagnostics
import TokenCrypto

extension RuleName {
    static let certificateUnreadable = RuleName("certificate-unreadable", .warning)
    static let certificateInvalid = RuleName("certificate-invalid")
    static let certificateKeyMismatch = RuleName("certificate-key-mismatch")
    static let certificateExpired = RuleName("certificate-expired", .warning)
    static let certificateHost = RuleName("certificate-host", .warning)
    static let tlsPublicURL = RuleName("tls-public-url", .warning)
}

extension Rule {
    static let certificateUnreadable = Rule(
        .certificateUnreadable, what: "A file named in `server.tls` or in an upstream's `tls` cannot be read.",
        why:
            "The gateway does not start without its certificates. Ignore this finding if you check the file on a machine that does not have the certificates.",
        instead: "Use the path under which the gateway finds the file, and give the gateway's user permission to read it.",
        bad: Example(
            """
            server: { publicURL: https://app.example.com, tls: { certificate: «missing.crt», key: «missing.key» } }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, tls: { certificate: app.crt, key: app.key } }
            """),
        check: { context in
            context.certificateFiles.compactMap { file in
                guard case .unreadable(let reason) = context.surroundings.file(file.path) else { return nil }
                return Diagnostic(
                    .certificateUnreadable, at: file.item.referenceSpan, "`\(file.path)` cannot be read: \(reason)", label: "\(reason)",
                    help: "correct the path or the file's permissions; `gateway run` does not start without the file")
            }
        })

    static let certificateInvalid = Rule(
        .certificateInvalid,
        what: "A file named in `server.tls` or in an upstream's `tls` does not contain a certificate or private key in PEM format.",
        why: "The gateway does not start. Common causes: the two paths are swapped, the file is in DER format, or the key has a password.",
        instead: "Convert the file with `openssl x509 -inform der` or `openssl pkey`, and save the key without a password.",
        bad: Example(
            """
            server: { publicURL: https://app.example.com, tls: { certificate: «app.key», key: app.crt } }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, tls: { certificate: app.crt, key: app.key } }
            """),
        check: { context in
            let failures = context.certificateChecks.compactMap(\.failure) + context.authorityFailures
            return failures.filter { $0.reason != .keyDoesNotMatch }.map { failure in
                Diagnostic(
                    .certificateInvalid, at: failure.file.item.referenceSpan,
                    "`\(failure.file.path)` \(failure.reason.reason(beside: "the other file"))", label: "cannot be used",
                    help: "`gateway explain certificate-invalid` lists the common causes")
            }
        })

    static let certificateKeyMismatch = Rule(
        .certificateKeyMismatch, what: "A private key does not match its certificate.",
        why: "Every TLS handshake would fail, so the gateway does not start.",
        instead:
            "Use the private key that belongs to the certificate. In a file with a certificate chain, put the server's own certificate first.",
        bad: Example(
            """
            server: { publicURL: https://app.example.com, tls: { certificate: app.crt, key: «other.key» } }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, tls: { certificate: app.crt, key: app.key } }
            """),
        check: { context in
            context.certificateChecks.compactMap { check in
                guard let failure = check.failure, failure.reason == .keyDoesNotMatch else { return nil }
                return Diagnostic(
                    .certificateKeyMismatch, at: failure.file.item.referenceSpan,
                    "`\(check.key.path)` is not the key of the certificate in `\(check.certificate.path)`", label: "different key",
                    help: "use the key that the certificate was requested with; in a chain, put the server's own certificate first",
                    related: [RelatedPlace("the certificate", at: check.certificate.item.referenceSpan)])
            }
        })

    static let certificateExpired = Rule(
        .certificateExpired,
        what: "A certificate in `server.tls`, or a client certificate for an upstream, has expired or is not valid yet.",
        why:
            "Browsers reject such a server certificate, and upstreams reject such a client certificate. With HSTS, users cannot bypass the browser's warning.",
        instead: "Renew the certificate. A running gateway loads the new files automatically.",
        bad: Example(
            """
            server: { publicURL: https://app.example.com, tls: { certificate: «expired.crt», key: app.key } }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, tls: { certificate: app.crt, key: app.key } }
            """),
        check: { context in
            context.certificateChecks.compactMap { check in
                guard let facts = check.facts, let now = context.surroundings.now?() else { return nil }
                guard now > facts.notAfter || now < facts.notBefore else { return nil }
                let isOver = now > facts.notAfter
                return Diagnostic(
                    .certificateExpired, at: check.certificate.item.referenceSpan,
                    isOver
                        ? "the certificate in `\(check.certificate.path)` has expired"
                        : "the certificate in `\(check.certificate.path)` is not valid yet",
                    label: isOver ? "expired" : "not valid yet", help: "renew it, or check this machine's clock")
            }
        })

    static let certificateHost = Rule(
        .certificateHost, what: "No certificate in `server.tls` covers the host of `publicURL`.",
        why: "Browsers reject a certificate that is issued for another host.",
        instead: "Add the host to the certificate's names (subjectAltName). Browsers ignore the common name.",
        bad: Example(
            """
            server: { publicURL: https://www.example.com, tls: { certificate: «app.crt», key: app.key } }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, tls: { certificate: app.crt, key: app.key } }
            """),
        check: { context in
            let checks = context.serverCertificateChecks
            guard let publicURL = context.configuration.server.publicURL, publicURL.isSecure, let first = checks.first,
                checks.allSatisfy({ $0.facts != nil })
            else { return [] }
            let host = publicURL.host.hasPrefix("[") ? String(publicURL.host.dropFirst().dropLast()) : publicURL.host
            guard !checks.contains(where: { $0.covers(host) }) else { return [] }
            let names = checks.flatMap { $0.facts?.names ?? [] }
            return [
                Diagnostic(
                    .certificateHost, at: first.certificate.item.referenceSpan, "no certificate covers `\(host)`, the host of `publicURL`",
                    label: names.isEmpty ? "contains no name" : "for \(names.prefix(4).joined(separator: ", "))",
                    help: "add `\(host)` to the certificate's subjectAltName")
            ]
        })
}

extension Rule {
    static let tlsPublicURL = Rule(
        .tlsPublicURL, what: "The listeners use TLS, but `publicURL` is http.",
        why:
            "Browsers can reach the gateway over https only, but the gateway creates links, redirect URIs and cookies for http. Every sign-in fails.",
        instead: "Set `publicURL` to the https origin that browsers use, or remove `server.tls`.",
        bad: Example(
            """
            server: { publicURL: «http://localhost:8443», listen: ":8443", tls: { certificate: app.crt, key: app.key } }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, tls: { certificate: app.crt, key: app.key } }
            """),
        check: { context in
            guard let server = context.server, server["tls"] != nil, let item = server["publicURL"],
                context.configuration.server.publicURL?.isSecure == false
            else { return [] }
            return [
                Diagnostic(
                    .tlsPublicURL, at: item.referenceSpan, "`publicURL` is http, but every listener uses TLS",
                    label: "browsers cannot open this",
                    help: "write `https://…`")
            ]
        })
}

/// A file path in the configuration and its location.
struct CertificateFile: Sendable {
    let item: Item
    var path: String { item.text ?? "" }
}

/// The result of reading one certificate and its key.
struct CertificateCheck: Sendable {
    let certificate: CertificateFile
    let key: CertificateFile
    /// Nil if a file could not be read, or on failure.
    var facts: CertificateFacts?
    var failure: (file: CertificateFile, reason: CertificateFacts.Failure)?

    /// True if a name of the certificate covers the host. A leading `*.` matches one label (RFC 9525 section 6.3).
    func covers(_ host: String) -> Bool {
        let host = host.lowercased()
        return facts?.names.contains { name in
            let name = name.lowercased()
            guard name.hasPrefix("*.") else { return name == host }
            guard let dot = host.firstIndex(of: ".") else { return false }
            return host[dot...] == name.dropFirst(1)
        } ?? false
    }
}

extension LintContext {
    private var serverPairs: [(CertificateFile, CertificateFile)] {
        guard let tls = server?["tls"]?.object else { return [] }
        return ([tls] + (tls["certificates"]?.list?.compactMap(\.object) ?? [])).compactMap { object in
            guard let certificate = object["certificate"], let key = object["key"], certificate.text != nil, key.text != nil else {
                return nil
            }
            return (CertificateFile(item: certificate), CertificateFile(item: key))
        }
    }

    private var upstreamTLS: [ObjectValue] { upstreams.compactMap { $0.object?["tls"]?.object } }

    /// The client certificates that the gateway presents to upstreams.
    private var upstreamPairs: [(CertificateFile, CertificateFile)] {
        upstreamTLS.compactMap { object in
            guard let certificate = object["certificate"], let key = object["key"], certificate.text != nil, key.text != nil else {
                return nil
            }
            return (CertificateFile(item: certificate), CertificateFile(item: key))
        }
    }

    /// The certificate authorities for client certificates and for upstreams.
    private var authorities: [CertificateFile] {
        ([server?["tls"]?.object?["clientCertificates"]?.object] + upstreamTLS).compactMap { object in
            object?["authority"].map { CertificateFile(item: $0) }
        }
    }

    /// Every file with a certificate or a key that the configuration names.
    var certificateFiles: [CertificateFile] { (serverPairs + upstreamPairs).flatMap { [$0.0, $0.1] } + authorities }

    /// The authorities whose file is readable but contains no certificate.
    var authorityFailures: [(file: CertificateFile, reason: CertificateFacts.Failure)] {
        authorities.compactMap { file in
            guard case .contents(let chain, _) = surroundings.file(file.path) else { return nil }
            do throws(CertificateFacts.Failure) {
                _ = try CertificateFacts(chain: chain)
                return nil
            } catch {
                return (file, error)
            }
        }
    }

    /// The certificates of the listeners.
    var serverCertificateChecks: [CertificateCheck] { checks(of: serverPairs) }

    /// The pairs whose files could be read.
    var certificateChecks: [CertificateCheck] { checks(of: serverPairs + upstreamPairs) }

    private func checks(of pairs: [(CertificateFile, CertificateFile)]) -> [CertificateCheck] {
        pairs.compactMap { certificate, key in
            guard case .contents(let chain, _) = surroundings.file(certificate.path),
                case .contents(let secret, _) = surroundings.file(key.path)
            else { return nil }
            var check = CertificateCheck(certificate: certificate, key: key)
            do throws(CertificateFacts.Failure) {
                let facts = try CertificateFacts(chain: chain)
                try facts.check(key: secret)
                check.facts = facts
            } catch {
                check.failure = (error.isAboutKey ? key : certificate, error)
            }
            return check
        }
    }
}

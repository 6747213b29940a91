import Glibc
import NIOCore
import NIOSSL
import Exchanges

/// The PEM files that say how an upstream is recognised, and how the gateway shows itself.
package struct UpstreamTLSFiles: Sendable, Hashable {
    package var authority, certificate, key: String?
    package init(authority: String? = nil, certificate: String? = nil, key: String? = nil) {
        self.authority = authority
        self.certificate = certificate
        self.key = key
    }
}

/// The file that cannot be used, with the reason.
package struct UpstreamTLSProblem: Error, Sendable, CustomStringConvertible {
    package let description: String
}

/// The TLS contexts of upstreams with the same files. Read once; a reload makes new ones.
package final class UpstreamTLSContexts: Sendable {
    let any: NIOSSLContext
    /// Offers HTTP/1.1 alone, for what HTTP/2 has no place for.
    let http1: NIOSSLContext

    package init(_ files: UpstreamTLSFiles) throws(UpstreamTLSProblem) {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        // Chain and name, always: there is no key that changes this.
        configuration.certificateVerification = .fullVerification
        configuration.renegotiationSupport = .none
        // Do not wait for the upstream's close_notify.
        configuration.shutdownTimeout = .zero
        if let path = files.authority { configuration.trustRoots = .certificates(try Self.certificates(path)) }
        if let path = files.certificate { configuration.certificateChain = try Self.certificates(path).map { .certificate($0) } }
        if let path = files.key {
            do {
                configuration.privateKey = .privateKey(try NIOSSLPrivateKey(file: path, format: .pem))
            } catch {
                throw UpstreamTLSProblem(description: "\(path) contains no readable private key in PEM format")
            }
        }
        configuration.applicationProtocols = ["h2", "http/1.1"]
        any = try Self.context(configuration, files)
        configuration.applicationProtocols = ["http/1.1"]
        http1 = try Self.context(configuration, files)
    }

    private static func certificates(_ path: String) throws(UpstreamTLSProblem) -> [NIOSSLCertificate] {
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty else {
            throw UpstreamTLSProblem(description: "\(path) contains no readable certificate in PEM format")
        }
        return certificates
    }

    private static func context(
        _ configuration: TLSConfiguration, _ files: UpstreamTLSFiles
    ) throws(UpstreamTLSProblem) -> NIOSSLContext {
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            let pair = [files.certificate, files.key].compactMap(\.self).joined(separator: " and ")
            throw UpstreamTLSProblem(
                description: pair.isEmpty ? "TLS cannot be set up: \(TLSFailureReason.code(of: error))" : "\(pair) do not match")
        }
    }
}

/// TLS towards one target.
package struct UpstreamTLS: Sendable {
    let contexts: UpstreamTLSContexts
    /// Asked for with SNI and looked for in the certificate; nil: the address that was connected to is looked for.
    let serverName: String?

    /// `host`: of the target's URL; an IPv6 address may be in brackets.
    package init(_ contexts: UpstreamTLSContexts, host: String, serverName: String? = nil) {
        self.contexts = contexts
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let isAddress = (try? SocketAddress(ipAddress: bare, port: 0)) != nil
        self.serverName = serverName ?? (isAddress ? nil : bare.hasSuffix(".") ? String(bare.dropLast()) : bare)
    }

    func handler(http1Only: Bool) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: http1Only ? contexts.http1 : contexts.any, serverHostname: serverName)
    }

    /// The meaning of a TLS error; nil for other errors, or when the connection only closed.
    static func failure(
        for error: any Error, name: String, certificate: NIOSSLCertificate?, now: Int64 = Int64(time(nil))
    ) -> (reason: UpstreamFailure, detail: String)? {
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
            return (.certificateWrongName, "its certificate is not for \(name)")
        }
        let word: String
        switch error {
        case NIOSSLError.handshakeFailed(let inner): word = TLSFailureReason.libraryName(in: inner)
        case let error as BoringSSLError:
            if case .sslError = error { word = TLSFailureReason.libraryName(in: error) } else { return nil }
        default: return nil
        }
        switch word {
        case "CERTIFICATE_VERIFY_FAILED":
            if let certificate, Int64(certificate.notValidAfter) < now {
                return (.certificateExpired, "the certificate of \(name) has expired")
            }
            if let certificate, Int64(certificate.notValidBefore) > now {
                return (.certificateNotYetValid, "the certificate of \(name) is not valid yet")
            }
            return (.certificateUntrusted, "the certificate of \(name) is from an unknown authority")
        case "WRONG_VERSION_NUMBER", "HTTP_REQUEST":
            return (.tlsFailed, "\(name) does not speak TLS")
        case _ where refusals.contains { word.hasSuffix($0) }:
            return (.certificateRefused, "\(name) refused the gateway's certificate, or requires one: \(word)")
        default:
            return (.tlsFailed, word.isEmpty ? "no TLS connection with \(name)" : "no TLS connection with \(name): \(word)")
        }
    }

    /// Alerts about a client's certificate (RFC 8446 section 6.2).
    private static let refusals = [
        "ALERT_CERTIFICATE_REQUIRED", "ALERT_BAD_CERTIFICATE", "ALERT_UNSUPPORTED_CERTIFICATE", "ALERT_CERTIFICATE_REVOKED",
        "ALERT_CERTIFICATE_EXPIRED", "ALERT_CERTIFICATE_UNKNOWN", "ALERT_UNKNOWN_CA", "ALERT_ACCESS_DENIED",
    ]
}

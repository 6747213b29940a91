import Glibc
import HTTPWire
import NIOConcurrencyHelpers
import NIOCore
import NIOSSL
import TokenCrypto

/// The certificates of a listener, ready for handshakes; exchanged as a whole when their files change.
///
/// Connections keep what they were made with. A reload that fails leaves everything as it was.
package final class TLSContexts: Sendable {
    package enum Reload: Sendable {
        case unchanged
        /// New files are in use. The names of each certificate, in order.
        case replaced([[String]])
        /// The new files cannot be used; the old certificates stay.
        case failed(TLSFailure)
    }

    struct Choice {
        let context: NIOSSLContext
        let names: CertificateNames
    }

    private struct State {
        var choices: [Choice]
        /// Of the files as they were last read, whatever came of it.
        var seen: [FileIdentity]
        /// Of the files as they were last looked at.
        var lookedAt: [FileIdentity]
        var expiries: [Int64]
    }

    private let settings: TLSSettings
    private let state: NIOLockedValueBox<State>

    /// Reads all files. Blocks: not for an event loop.
    package init(_ settings: TLSSettings) throws(TLSFailure) {
        self.settings = settings
        let seen = Self.identities(settings.files)
        let loaded = try Self.load(settings)
        state = NIOLockedValueBox(State(choices: loaded.choices, seen: seen, lookedAt: seen, expiries: loaded.expiries))
    }

    /// The expiry of the certificates, in file order, in Unix milliseconds.
    package var expiries: [Int64] { state.withLockedValue { $0.expiries } }

    /// Reads the files again, changed or not.
    package func reload() -> Reload {
        let seen = Self.identities(settings.files)
        do throws(TLSFailure) {
            let loaded = try Self.load(settings)
            state.withLockedValue {
                $0.choices = loaded.choices
                $0.seen = seen
                $0.lookedAt = seen
                $0.expiries = loaded.expiries
            }
            return .replaced(loaded.choices.map(\.names.names))
        } catch {
            state.withLockedValue {
                $0.seen = seen
                $0.lookedAt = seen
            }
            return .failed(error)
        }
    }

    /// Reads the files again once they are others than before, and the same at two looks in a row: a certificate and its key are
    /// seldom written in one step. A link that is moved to another directory, as Kubernetes does, is a change too.
    package func reloadIfChanged() -> Reload {
        let now = Self.identities(settings.files)
        let isSettled = state.withLockedValue { state in
            defer { state.lookedAt = now }
            return now != state.seen && now == state.lookedAt
        }
        return isSettled ? reload() : .unchanged
    }

    /// By the name exactly, then by a wildcard, else the first.
    func choose(serverName: String?) -> Choice {
        state.withLockedValue { state in
            guard let name = serverName.map(CertificateNames.folded), state.choices.count > 1 else { return state.choices[0] }
            return state.choices.first { $0.names.isExact(name) } ?? state.choices.first { $0.names.isWildcard(name) }
                ?? state.choices[0]
        }
    }

    // MARK: Loading

    private static func load(_ settings: TLSSettings) throws(TLSFailure) -> (choices: [Choice], expiries: [Int64]) {
        var choices: [Choice] = []
        var expiries: [Int64] = []
        let clientAuthorities = try settings.clientCertificates.map { clients throws(TLSFailure) in try authorities(clients.authority) }
        for files in settings.certificates {
            let pem = try read(files.certificate)
            let keyPEM = try read(files.key)
            let facts: CertificateFacts
            do throws(CertificateFacts.Failure) {
                facts = try CertificateFacts(chain: pem)
                try facts.check(key: keyPEM)
            } catch {
                throw TLSFailure(file: error.isAboutKey ? files.key : files.certificate, reason: error.reason(beside: files.certificate))
            }
            do {
                let configuration = try configuration(settings, chain: pem, key: keyPEM, clientAuthorities)
                choices.append(Choice(context: try NIOSSLContext(configuration: configuration), names: CertificateNames(facts.names)))
            } catch {
                // OpenSSL took it, BoringSSL does not: a kind of key that TLS has no use for.
                throw TLSFailure(file: files.certificate, reason: "does not match its key")
            }
            expiries.append(facts.notAfter)
        }
        return (choices, expiries)
    }

    private static func configuration(
        _ settings: TLSSettings, chain: [UInt8], key: [UInt8], _ clientAuthorities: [NIOSSLCertificate]?
    ) throws -> TLSConfiguration {
        var result = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(chain).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key, format: .pem)))
        result.minimumTLSVersion = settings.isTLS13Only ? .tlsv13 : .tlsv12
        // Forward secrecy and authenticated encryption only (RFC 9325 section 4.2, RFC 9113 appendix A).
        result.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
        result.applicationProtocols = settings.offersHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]
        // We say that it is over and do not wait to hear the same: who needs time to read an answer gets it before
        // (`HTTP1Connection.finish`).
        // The library keeps a connection for this long, even one whose socket is gone: thousands of them where clients come and go.
        result.shutdownTimeout = .zero
        if let clients = settings.clientCertificates, let clientAuthorities {
            result.certificateVerification = clients.isRequired ? .noHostnameVerification : .optionalVerification
            result.trustRoots = .certificates(clientAuthorities)
            result.sendCANameList = true
        }
        return result
    }

    private static func authorities(_ path: String) throws(TLSFailure) -> [NIOSSLCertificate] {
        let pem = try read(path)
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(pem), !certificates.isEmpty else {
            throw TLSFailure(file: path, reason: "contains no certificate in PEM format")
        }
        return certificates
    }

    private static func read(_ path: String) throws(TLSFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw TLSFailure(file: path, reason: words(errno)) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw TLSFailure(file: path, reason: words(errno))
            }
            bytes += part[..<count]
            guard bytes.count <= 4 * 1024 * 1024 else { throw TLSFailure(file: path, reason: "is larger than 4 MiB") }
        }
    }

    private static func words(_ number: Int32) -> String {
        switch number {
        case ENOENT: "no such file"
        case EACCES: "permission denied"
        case EISDIR: "is a directory"
        default: String(cString: strerror(number)).lowercased()
        }
    }

    // MARK: Files

    /// The identity of a file's contents, found without reading it.
    private struct FileIdentity: Equatable {
        var device: UInt64
        var inode: UInt64
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
    }

    private static func identities(_ paths: [String]) -> [FileIdentity] {
        paths.map { path in
            var status = stat()
            guard stat(path, &status) == 0 else { return FileIdentity(device: 0, inode: 0, size: -1, seconds: 0, nanoseconds: 0) }
            return FileIdentity(
                device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: status.st_mtim.tv_sec,
                nanoseconds: status.st_mtim.tv_nsec)
        }
    }
}

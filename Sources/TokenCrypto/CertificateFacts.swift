import COpenSSL

/// The contents of a server's certificate. For checks before use; TLS libraries verify certificates themselves.
package struct CertificateFacts: Sendable {
    package enum Failure: Error, Sendable, Hashable {
        case noCertificate
        case noKey
        case keyIsEncrypted
        case keyDoesNotMatch

        package var isAboutKey: Bool { self != .noCertificate }

        /// A description of the failure; `certificate` is the name of the certificate in it.
        package func reason(beside certificate: String) -> String {
            switch self {
            case .noCertificate: "contains no certificate in PEM format"
            case .noKey: "contains no private key in PEM format"
            case .keyIsEncrypted: "is protected by a password; store the key without one"
            case .keyDoesNotMatch: "is not the key of the certificate in \(certificate)"
            }
        }
    }

    /// The names of subjectAltName: DNS names as written, IP addresses as text.
    package let names: [String]
    /// Unix time in milliseconds.
    package let notBefore: Int64
    package let notAfter: Int64
    /// SubjectPublicKeyInfo in DER.
    private let publicKey: [UInt8]

    /// Reads the first certificate of a PEM text.
    package init(chain pem: [UInt8]) throws(Failure) {
        let certificate = pem.withUnsafeBytes { bytes -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
            defer { BIO_free(bio) }
            return PEM_read_bio_X509(bio, nil, nil, nil)
        }
        ERR_clear_error()
        guard let certificate else { throw .noCertificate }
        defer { X509_free(certificate) }
        names = Self.names(of: certificate)
        guard let before = Self.milliseconds(X509_get0_notBefore(certificate)),
            let after = Self.milliseconds(X509_get0_notAfter(certificate)),
            let key = X509_get0_pubkey(certificate), let bytes = Self.publicKeyBytes(key)
        else { throw .noCertificate }
        notBefore = before
        notAfter = after
        publicKey = bytes
    }

    /// Checks whether a PEM text contains the private key of this certificate.
    package func check(key pem: [UInt8]) throws(Failure) {
        var wasAsked: Int32 = 0
        let bytes = pem.withUnsafeBytes { bytes -> [UInt8]? in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
            defer { BIO_free(bio) }
            guard let key = gateway_private_key(bio, &wasAsked) else { return nil }
            defer { EVP_PKEY_free(key) }
            return Self.publicKeyBytes(key)
        }
        ERR_clear_error()
        if wasAsked != 0 { throw .keyIsEncrypted }
        guard let bytes else { throw .noKey }
        guard bytes == publicKey else { throw .keyDoesNotMatch }
    }

    private static func publicKeyBytes(_ key: OpaquePointer) -> [UInt8]? {
        let count = i2d_PUBKEY(key, nil)
        guard count > 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, used in
            var next = buffer.baseAddress
            used = Int(max(0, i2d_PUBKEY(key, &next)))
        }
    }

    private static func milliseconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return nil }
        defer { ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return (Int64(days) * 86_400 + Int64(seconds)) * 1_000
    }

    private static func isPlain(_ name: [UInt8]) -> Bool { name.allSatisfy { $0 > 0x20 && $0 < 0x7F } }

    /// `includingPeople`: also e-mail addresses and URIs.
    fileprivate static func names(of certificate: OpaquePointer, includingPeople: Bool = false) -> [String] {
        guard let list = gateway_subject_alternative_names(certificate) else { return [] }
        defer { gateway_free_names(list) }
        var names: [String] = []
        for index in 0..<gateway_name_count(list) {
            var bytes: UnsafePointer<UInt8>?
            var kind: Int32 = 0
            let count = gateway_name(list, index, &kind, &bytes)
            guard count > 0, let bytes else { continue }
            let value = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
            switch kind {
            // Programs disagree about a name with a NUL in it (CVE-2009-2408).
            case GEN_DNS where isPlain(value): names.append(String(decoding: value, as: UTF8.self))
            case GEN_EMAIL where includingPeople && isPlain(value), GEN_URI where includingPeople && isPlain(value):
                names.append(String(decoding: value, as: UTF8.self))
            case GEN_IPADD: if let text = address(value) { names.append(text) }
            default: break
            }
        }
        return names
    }

    private static func address(_ bytes: [UInt8]) -> String? {
        switch bytes.count {
        case 4: bytes.map { String($0) }.joined(separator: ".")
        case 16: addressText(bytes)
        default: nil
        }
    }

    /// The address in the format of RFC 5952.
    private static func addressText(_ bytes: [UInt8]) -> String {
        let groups = (0..<8).map { Int(bytes[2 * $0]) << 8 | Int(bytes[2 * $0 + 1]) }
        var best = 0..<0
        var start = 0
        while start < 8 {
            var end = start
            while end < 8, groups[end] == 0 { end += 1 }
            if end - start > best.count, end - start > 1 { best = start..<end }
            start = max(end, start + 1)
        }
        func text(_ range: Range<Int>) -> String { groups[range].map { String($0, radix: 16) }.joined(separator: ":") }
        return best.isEmpty ? text(0..<8) : text(0..<best.lowerBound) + "::" + text(best.upperBound..<8)
    }
}

/// The contents of a verified certificate of a client.
package struct ClientCertificateFacts: Sendable {
    /// The distinguished name in the form of RFC 4514.
    package let subject: String
    /// The DNS names, IP addresses, e-mail addresses and URIs of subjectAltName.
    package let names: [String]
    /// SHA-256 of the certificate, 64 lower-case hexadecimal digits.
    package let fingerprint: String

    private static let mostSubjectBytes = 8_192

    /// Nil for bytes that are no certificate, and for a subject that is not UTF-8 or too long to compare.
    package init?(der: [UInt8]) {
        let certificate = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var next = bytes.baseAddress
            return d2i_X509(nil, &next, bytes.count)
        }
        ERR_clear_error()
        guard let certificate else { return nil }
        defer { X509_free(certificate) }
        guard let subject = Self.subject(of: certificate) else { return nil }
        self.subject = subject
        names = CertificateFacts.names(of: certificate, includingPeople: true)
        fingerprint = SHA2.sha256(der).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    private static func subject(of certificate: OpaquePointer) -> String? {
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(bio) }
        guard gateway_write_subject(certificate, bio) >= 0 else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: mostSubjectBytes) { buffer, count in
            count = Int(max(0, BIO_read(bio, buffer.baseAddress, Int32(buffer.count))))
        }
        guard bytes.count < mostSubjectBytes else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

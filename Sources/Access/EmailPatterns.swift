/// The patterns of an `emails` rule: full addresses and whole domains (`*@example.com`).
///
/// Compared without ASCII case. A pattern matches exactly one domain: `*@example.com` matches neither `sub.example.com` nor
/// `notexample.com`. A pattern of any other form matches nothing.
struct EmailPatterns: Sendable {
    private let addresses: TextSet
    private let domains: TextSet

    init(_ patterns: [String]) {
        var addresses: [String] = []
        var domains: [String] = []
        for pattern in patterns {
            if pattern.utf8.starts(with: "*@".utf8) {
                let domain = String(pattern.dropFirst(2))
                if !domain.isEmpty, !domain.utf8.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "*") }) {
                    domains.append(domain)
                }
            } else if !pattern.utf8.contains(UInt8(ascii: "*")) {
                addresses.append(pattern)
            }
        }
        self.addresses = TextSet(addresses, ignoringCase: true)
        self.domains = TextSet(domains, ignoringCase: true)
    }

    enum Result: Sendable, Hashable {
        case listed
        case notListed
        /// Not an address with one local part and one domain: `a@evil.example@example.com` matches no pattern.
        case malformed
    }

    func match(_ address: String) -> Result {
        address.withBytes { bytes in
            guard let at = Self.separator(of: bytes) else { return .malformed }
            if addresses.contains(bytes) || domains.contains(UnsafeRawBufferPointer(rebasing: bytes[(at + 1)...])) { return .listed }
            return .notListed
        }
    }

    /// The index of the only `@`; nil if there is none or several, if a side is empty, or with spaces or control characters.
    private static func separator(of bytes: UnsafeRawBufferPointer) -> Int? {
        var found: Int?
        for (index, byte) in bytes.enumerated() {
            if byte <= 0x20 || byte == 0x7F { return nil }
            if byte == UInt8(ascii: "@") {
                if found != nil { return nil }
                found = index
            }
        }
        guard let found, found > 0, found < bytes.count - 1 else { return nil }
        return found
    }
}

import Accounts
import TokenCrypto

/// A recovery code: 80 random bits in four groups of four symbols, such as `7K3M-XQ2P-9TRB-4WZN`.
package struct RecoveryCode: Sendable, Equatable, Redacted {
    /// Codes of one set.
    package static let count = 10

    /// Crockford's base32: digits and capitals without I, L, O and U.
    private static let symbols = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let length = 16

    private let normalized: [UInt8]

    package static func set(_ random: (Int) -> [UInt8] = SecureRandom.bytes) -> [RecoveryCode] {
        (0..<count).map { _ in RecoveryCode(random: random(length)) }
    }

    /// Five bits of each byte; 32 divides 256, so no symbol is preferred.
    private init(random: [UInt8]) { normalized = random.prefix(Self.length).map { Self.symbols[Int($0 & 31)] } }

    /// A code that a user typed: in any case, with or without dashes and spaces; O counts as 0, I and L as 1. Nil if it is none.
    package init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        var normalized: [UInt8] = []
        for byte in text.uppercased().utf8 {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "-"): continue
            case UInt8(ascii: "O"): normalized.append(UInt8(ascii: "0"))
            case UInt8(ascii: "I"), UInt8(ascii: "L"): normalized.append(UInt8(ascii: "1"))
            default:
                guard Self.symbols.contains(byte) else { return nil }
                normalized.append(byte)
            }
        }
        guard normalized.count == Self.length else { return nil }
        self.normalized = normalized
    }

    package var text: String {
        stride(from: 0, to: Self.length, by: 4).map { String(decoding: normalized[$0..<$0 + 4], as: UTF8.self) }.joined(separator: "-")
    }

    /// What the store keeps.
    ///
    /// A fast digest is enough: nobody can try 2^80 codes, so there is nothing that a slow hash would slow down. The uid makes the digests of
    /// different accounts different searches.
    package func digest(uid: String) -> [UInt8] {
        SHA2.sha256(Array("gateway recovery code v1\0\(uid)\0".utf8) + normalized)
    }
}

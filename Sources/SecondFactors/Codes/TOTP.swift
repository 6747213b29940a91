import Accounts
import Primitives
import TokenCrypto

/// Time-based one-time codes (RFC 6238) with SHA-1, six digits and steps of 30 s: what every authenticator app supports.
package enum TOTP {
    package static let digits = 6
    /// Milliseconds.
    package static let step: Int64 = 30_000
    /// 160 bits, the length that RFC 4226 section 4 recommends.
    static let secretSize = 20

    package static func secret(_ random: (Int) -> [UInt8] = SecureRandom.bytes) -> TOTPSecret { TOTPSecret(bytes: random(secretSize)) }

    /// The HOTP value of RFC 4226 section 5.3; nil where OpenSSL has no SHA-1.
    static func code(_ secret: TOTPSecret, counter: Int64) -> String? {
        let message = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: counter >> Int64($0)) }
        guard let mac = HMAC.sha1(key: secret.bytes, message), let last = mac.last else { return nil }
        // Dynamic truncation (RFC 4226 section 5.3): 31 bits from the offset that the last four bits give.
        let offset = Int(last & 0x0F)
        let bits = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let text = String(bits % 1_000_000)
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// The code that an authenticator app shows: of two groups of three digits.
    package static func currentCode(_ secret: TOTPSecret, now: Int64) -> String? {
        code(secret, counter: max(0, now) / step).map { "\($0.prefix(3)) \($0.suffix(3))" }
    }

    /// The time step that the code belongs to, if it is at most one step away and later than `lastStep`; else nil.
    ///
    /// The caller stores the step, so that no code is accepted twice (RFC 6238 section 5.2). All three codes are computed and compared
    /// each time, so that time shows nothing.
    package static func acceptedStep(_ code: String, _ secret: TOTPSecret, after lastStep: Int64?, now: Int64) -> Int64? {
        guard let given = OneTimeCode.normalized(code) else { return nil }
        let current = max(0, now) / step
        var accepted: Int64?
        for candidate in max(0, current - 1)...current + 1 {
            guard let right = Self.code(secret, counter: candidate) else { return nil }
            if constantTimeEqual(given, Array(right.utf8)), candidate > lastStep ?? -1 { accepted = candidate }
        }
        return accepted
    }

    /// The URI that authenticator apps read from a QR code (Key Uri Format of Google Authenticator).
    package static func uri(_ secret: TOTPSecret, issuer: String, account: String) -> String {
        // A colon separates the issuer from the account, even in its encoded form, so neither may have one.
        let issuer = encoded(issuer.filter { $0 != ":" })
        return "otpauth://totp/\(issuer):\(encoded(account.filter { $0 != ":" }))?secret=\(secret.text)&issuer=\(issuer)"
            + "&algorithm=SHA1&digits=\(digits)&period=\(step / 1_000)"
    }

    /// Percent-encodes everything but the unreserved characters of RFC 3986 section 2.3.
    private static func encoded(_ text: String) -> String {
        var output = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                output.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                output += byte < 16 ? "%0" : "%"
                output += String(byte, radix: 16, uppercase: true)
            }
        }
        return output
    }
}

/// The secret of an authenticator app.
package struct TOTPSecret: Sendable, Equatable, Redacted {
    package let bytes: [UInt8]

    /// `bytes`: of `TOTP.secret`, or of an import.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Base32 in upper case without padding, to show beside the QR code.
    package var text: String { Base32.lowercased(bytes).uppercased() }
}

/// Codes of six digits as users type them.
enum OneTimeCode {
    /// The six digits, without the spaces and dashes between them; nil for anything else.
    static func normalized(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 32 else { return nil }
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
        guard digits.count == 6, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Array(digits)
    }
}

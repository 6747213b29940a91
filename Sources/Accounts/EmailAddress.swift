import Primitives

/// A valid e-mail address. Two addresses are equal if they are the same but for case, Unicode composition and the spelling of the domain.
///
/// Mail goes to `text`, never to what was typed: an address that only compares equal must not receive the mail of the other.
package struct EmailAddress: Sendable, Hashable {
    /// The address with its local part in NFC and its domain in lower-case ASCII.
    package let text: String
    /// The compared form: `text` with the local part in lower case.
    package let normalized: String

    package static let longest = 320

    /// Nil if the text is no address: more than 320 bytes, no single `@`, quoted, with spaces, control or invisible characters, or a domain
    /// that is no host name.
    package init?(_ given: String) {
        // By bytes: a combining mark behind the `@` would belong to the same character.
        guard given.utf8.count <= Self.longest, let at = given.utf8.lastIndex(of: UInt8(ascii: "@")) else { return nil }
        let local = UnicodeText.nfc(given[..<at])
        guard Self.isLocalPart(local), let domain = DomainName.ascii(given[given.utf8.index(after: at)...]) else { return nil }
        text = local + "@" + domain
        normalized = UnicodeText.nfc(UnicodeText.lowercased(local)[...]) + "@" + domain
        guard text.utf8.count <= Self.longest, normalized.utf8.count <= Self.longest else { return nil }
    }

    /// The domain in lower-case ASCII.
    package var domain: String { String(normalized[normalized.utf8.index(after: normalized.utf8.lastIndex(of: UInt8(ascii: "@"))!)...]) }

    package static func == (a: EmailAddress, b: EmailAddress) -> Bool { a.normalized == b.normalized }

    package func hash(into hasher: inout Hasher) { hasher.combine(normalized) }

    private static func isLocalPart(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { !isForbidden($0) }
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value <= 0x20 || scalar.value == 0x7F || "\"(),:;<>@[\\]".unicodeScalars.contains(scalar) }
        if scalar.properties.isDefaultIgnorableCodePoint { return true }
        return switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

enum UnicodeText {
    static func nfc(_ text: Substring) -> String { NormalizationFormC.normalize(String(text)) }

    /// Maps scalar by scalar, without the context rules of a language.
    static func lowercased(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { $0 += $1.properties.lowercaseMapping }
    }
}

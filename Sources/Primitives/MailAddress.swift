/// An address of a mail, with the name that mail programs show beside it.
///
/// The domain is in its ASCII form. A local part with other characters needs a server that offers SMTPUTF8 (RFC 6531).
package struct MailAddress: Sendable, Hashable {
    /// The reason why a text is no address; never quotes it.
    package enum Problem: String, Error, Sendable, CaseIterable {
        case length = "the address is longer than 254 bytes"
        case at = "the address has no @"
        case localPart = "the part before the @ is empty, quoted, or has a character that addresses cannot have"
        case domain = "the part after the @ is not a host name; write one with other characters in its ASCII form (xn--…)"
        case name = "the name has a quotation mark, a backslash, an angle bracket or a control character, or more than 200 bytes"
        case brackets = "there is a > without a <"
    }

    package let name: String?
    private let localPart: String
    /// Lower case.
    package let domain: String

    /// `text`: only the address. `name`: any text without controls.
    package init(_ text: String, name: String? = nil) throws(Problem) {
        guard text.utf8.count <= 254 else { throw .length }
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { throw .at }
        let localPart = String(text[..<at])
        guard !localPart.isEmpty, localPart.unicodeScalars.allSatisfy(Self.isAllowed) else {
            throw .localPart
        }
        let domain = text[text.index(after: at)...].lowercased()
        guard Self.isDomain(domain) else {
            throw .domain
        }
        if let name {
            guard name.utf8.count <= 200, !name.unicodeScalars.contains(where: \.isControlOrLineEnd) else {
                throw .name
            }
        }
        self.localPart = localPart
        self.domain = domain
        self.name = name.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Parses `address`, `Name <address>` or `"Name" <address>`.
    package init(parsing text: String) throws(Problem) {
        guard text.hasSuffix(">") else {
            try self.init(text)
            return
        }
        guard let open = text.utf8.lastIndex(of: UInt8(ascii: "<")) else { throw .brackets }
        var name = text[..<open].drop { $0 == " " }
        while name.last == " " { name.removeLast() }
        if name.hasPrefix("\""), name.hasSuffix("\""), name.utf8.count >= 2 { name = name.dropFirst().dropLast() }
        guard !name.contains("\""), !name.contains("\\"), !name.contains("<"), !name.contains(">") else {
            throw .name
        }
        try self.init(String(text[text.index(after: open)...].dropLast()), name: String(name))
    }

    package var needsSMTPUTF8: Bool { !localPart.utf8.allSatisfy { $0 < 0x80 } }

    /// The address as the protocol and the header write it. Dots at unusual positions need quotation marks (RFC 5321 section 4.1.2).
    package var address: String {
        let isPlain = !localPart.hasPrefix(".") && !localPart.hasSuffix(".") && !localPart.contains("..")
        return (isPlain ? localPart : "\"\(localPart)\"") + "@" + domain
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return !scalar.isControlOrLineEnd && !scalar.properties.isWhitespace }
        return scalar.value > 0x20 && scalar.value < 0x7F && !"\"(),:;<>@[\\]".unicodeScalars.contains(scalar)
    }

    private static func isDomain(_ text: String) -> Bool {
        guard text.utf8.count <= 253 else { return false }
        return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == UInt8(ascii: "-") }
        }
    }
}

extension Unicode.Scalar {
    /// Control characters and separators of lines, which could end a header or a command.
    package var isControlOrLineEnd: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}

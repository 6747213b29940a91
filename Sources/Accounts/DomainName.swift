/// Host names in the ASCII form of IDNA.
enum DomainName {
    /// The domain in lower-case ASCII, with Punycode for other labels; nil if it is no host name.
    static func ascii(_ text: Substring) -> String? {
        let lowered = UnicodeText.nfc(UnicodeText.lowercased(UnicodeText.nfc(text))[...])
        var labels: [String] = []
        for label in lowered.split(separator: ".", omittingEmptySubsequences: false) {
            guard let ascii = asciiLabel(label) else { return nil }
            labels.append(ascii)
        }
        let name = labels.joined(separator: ".")
        guard name.utf8.count <= 253, labels.last?.utf8.allSatisfy({ isDigit($0) }) == false else { return nil }
        return name
    }

    private static func asciiLabel(_ label: Substring) -> String? {
        let ascii: String
        if label.utf8.allSatisfy({ $0 < 0x80 }) {
            ascii = String(label)
        } else {
            guard label.unicodeScalars.allSatisfy(isAllowed), isMark(label.unicodeScalars.first) == false,
                let encoded = Punycode.encode(label.unicodeScalars)
            else { return nil }
            ascii = "xn--" + encoded
        }
        guard (1...63).contains(ascii.utf8.count), ascii.first != "-", ascii.last != "-" else { return nil }
        return ascii.utf8.allSatisfy { isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-") }
            ? ascii : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Letters, marks and digits that IDNA does not map to others. A mapped spelling (full-width letters, ligatures) is refused: the
    /// result would be another domain than the one a browser opens.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return true }  // checked in the encoded label
        let properties = scalar.properties
        // IDNA 2008 keeps these two, although a caseless comparison maps them.
        if scalar == "\u{DF}" || scalar == "\u{3C2}" { return true }
        guard !properties.changesWhenNFKCCaseFolded, !properties.isDefaultIgnorableCodePoint else { return false }
        return switch properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .decimalNumber: true
        default: scalar == "\u{B7}" || scalar == "\u{30FB}"  // the dots of Catalan and Katakana
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar?) -> Bool? {
        switch scalar?.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        case nil: nil
        default: false
        }
    }
}

/// Punycode of RFC 3492, encoding only.
enum Punycode {
    private static let base = 36
    private static let tMin = 1
    private static let tMax = 26

    /// Nil if the label is too long for a host name.
    static func encode(_ label: Substring.UnicodeScalarView) -> String? {
        let scalars = label.map { Int($0.value) }
        guard scalars.count <= 63 else { return nil }
        var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
        let basic = output.count
        var handled = basic
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var (next, delta, bias) = (0x80, 0, 72)
        // At most 63 scalars below 0x110000: no sum overflows.
        while handled < scalars.count {
            let smallest = scalars.filter { $0 >= next }.min() ?? next
            delta += (smallest - next) * (handled + 1)
            next = smallest
            for scalar in scalars {
                if scalar < next { delta += 1 }
                guard scalar == next else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func append(_ delta: Int, bias: Int, to output: inout [UInt8]) {
        var rest = delta
        var k = base
        while true {
            let threshold = min(max(k - bias, tMin), tMax)
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            k += base
        }
        output.append(digit(rest))
    }

    private static func digit(_ value: Int) -> UInt8 {
        value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "0") + UInt8(value - 26)
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var k = 0
        while delta > ((base - tMin) * tMax) / 2 {
            delta /= base - tMin
            k += base
        }
        return k + (base - tMin + 1) * delta / (delta + 38)
    }
}

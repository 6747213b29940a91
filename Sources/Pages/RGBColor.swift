/// An sRGB color of eight bits per channel.
struct RGBColor: Sendable, Equatable, CustomStringConvertible {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    static let black = RGBColor(red: 0, green: 0, blue: 0)
    static let white = RGBColor(red: 0xFF, green: 0xFF, blue: 0xFF)

    init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Six hexadecimal digits, with or without `#` before them.
    init?(_ text: String) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }), let value = UInt32(digits, radix: 16) else {
            return nil
        }
        self.init(
            red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value))
    }

    /// `#0b5d57`.
    var description: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// This color with `share` (0 to 1) of `other`.
    func mixed(with other: RGBColor, _ share: Double) -> RGBColor {
        let share = min(max(share, 0), 1)
        func channel(_ own: UInt8, _ others: UInt8) -> UInt8 {
            UInt8(clamping: Int((Double(own) + (Double(others) - Double(own)) * share).rounded()))
        }
        return RGBColor(red: channel(red, other.red), green: channel(green, other.green), blue: channel(blue, other.blue))
    }

    /// The contrast ratio of WCAG 2.2, from 1 to 21.
    func contrast(with other: RGBColor) -> Double {
        let (first, second) = (luminance, other.luminance)
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    /// The relative luminance of WCAG 2.2.
    private var luminance: Double {
        0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
    }

    /// The linear value of a channel: `((c + 0.055) / 1.055) ^ 2.4`, with the power computed as `c² · c^(2/5)`.
    private static func linear(_ channel: UInt8) -> Double {
        let value = Double(channel) / 255
        guard value > 0.04045 else { return value / 12.92 }
        let base = (value + 0.055) / 1.055
        return base * base * fifthRoot(base * base)
    }

    /// Newton's method for numbers from 0 to 1, so that this module needs no mathematics library.
    private static func fifthRoot(_ number: Double) -> Double {
        var root = 1.0
        for _ in 0..<40 { root -= (root * root * root * root * root - number) / (5 * root * root * root * root) }
        return root
    }
}

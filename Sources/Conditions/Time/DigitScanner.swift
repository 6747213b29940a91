/// Reads times and durations from their text.
struct DigitScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { index >= bytes.count }
    var rest: [UInt8] { Array(bytes[index...]) }

    mutating func skip(_ count: Int) { index = min(index + count, bytes.count) }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Exactly `count` digits, at most 9.
    mutating func digits(_ count: Int) -> Int? {
        guard index + count <= bytes.count else { return nil }
        var number = 0
        for byte in bytes[index..<(index + count)] {
            guard byte.isDigit else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        index += count
        return number
    }

    /// The digits behind a decimal point; those after the ninth are ignored.
    mutating func nanoseconds() -> Int? {
        guard let (value, scale) = fraction(limit: 9) else { return nil }
        return Int(value) * Int(1_000_000_000 / scale)
    }

    private mutating func fraction(limit: Int) -> (value: UInt64, scale: Int128)? {
        var value: UInt64 = 0
        var scale: Int128 = 1
        let start = index
        while index < bytes.count, bytes[index].isDigit {
            if index - start < limit {
                value = value * 10 + UInt64(bytes[index] - UInt8(ascii: "0"))
                scale *= 10
            }
            index += 1
        }
        return index > start ? (value, scale) : nil
    }

    /// `Z`, or hours and minutes with a sign; in seconds.
    mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let isNegative = take("-")
        guard isNegative || take("+"), let hours = digits(2), take(":"), let minutes = digits(2), hours < 24, minutes < 60 else {
            return nil
        }
        return (hours * 3_600 + minutes * 60) * (isNegative ? -1 : 1)
    }

    /// A decimal number: its whole part, and its fraction with the power of ten below it.
    mutating func number() -> (whole: UInt64, part: UInt64, scale: Int128)? {
        var whole: UInt64 = 0
        let start = index
        while index < bytes.count, bytes[index].isDigit {
            let (product, overflow) = whole.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(bytes[index] - UInt8(ascii: "0")))
            guard !overflow, !carry else { return nil }
            whole = sum
            index += 1
        }
        let hasDigits = index > start
        guard take(".") else { return hasDigits ? (whole, 0, 1) : nil }
        if let (part, scale) = fraction(limit: 15) { return (whole, part, scale) }
        return hasDigits ? (whole, 0, 1) : nil
    }

    /// Whether the unit comes next, and with it the end or the next number.
    func isUnit(_ unit: String) -> Bool {
        let text = Array(unit.utf8)
        guard bytes[index...].starts(with: text) else { return false }
        let next = index + text.count
        return next == bytes.count || bytes[next].isDigit || bytes[next] == UInt8(ascii: ".")
    }
}

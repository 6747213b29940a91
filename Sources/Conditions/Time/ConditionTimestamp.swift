/// A point in time from the year 1 to the year 9999, in nanoseconds.
package struct ConditionTimestamp: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package let seconds: Int64
    /// 0 to 999,999,999.
    package let nanoseconds: Int32

    static let secondsRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// Nil outside the years 1 to 9999.
    package init?(seconds: Int64, nanoseconds: Int32 = 0) {
        guard Self.secondsRange.contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else { return nil }
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    package static func < (first: Self, second: Self) -> Bool {
        (first.seconds, first.nanoseconds) < (second.seconds, second.nanoseconds)
    }

    func adding(_ duration: ConditionDuration) -> ConditionTimestamp? {
        let total = total + Int128(duration.nanoseconds)
        let (quotient, remainder) = total.quotientAndRemainder(dividingBy: 1_000_000_000)
        let borrow: Int128 = remainder < 0 ? 1 : 0
        guard let seconds = Int64(exactly: quotient - borrow), let rest = Int32(exactly: remainder + borrow * 1_000_000_000) else {
            return nil
        }
        return ConditionTimestamp(seconds: seconds, nanoseconds: rest)
    }

    func since(_ other: ConditionTimestamp) -> ConditionDuration? {
        Int64(exactly: total - other.total).map(ConditionDuration.init)
    }

    private var total: Int128 { Int128(seconds) * 1_000_000_000 + Int128(nanoseconds) }
}

extension ConditionTimestamp: CustomStringConvertible {
    /// The format of RFC 3339, in UTC, with as many digits as the fraction needs.
    package var description: String {
        let time = CivilTime(secondsSince1970: seconds)
        return "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
            + "T\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))\(fraction(Int(nanoseconds)))Z"
    }

    /// Parses the format of RFC 3339; nil for other text and outside the years 1 to 9999.
    package init?(_ text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2), scanner.take("-"),
            let day = scanner.digits(2), scanner.take("T") || scanner.take("t"), let hour = scanner.digits(2), scanner.take(":"),
            let minute = scanner.digits(2), scanner.take(":"), let second = scanner.digits(2)
        else { return nil }
        guard let nanoseconds = scanner.take(".") ? scanner.nanoseconds() : 0, let offset = scanner.offset(), scanner.isAtEnd,
            (1...12).contains(month), day >= 1, day <= CivilTime.days(inMonth: month, of: year), hour < 24, minute < 60, second < 60
        else { return nil }
        let days = CivilTime.daysSince1970(year: year, month: month, day: day)
        self.init(seconds: Int64(days * 86_400 + hour * 3_600 + minute * 60 + second - offset), nanoseconds: Int32(nanoseconds))
    }
}

/// A span of time in nanoseconds, at most about 292 years.
package struct ConditionDuration: Sendable, Hashable, Comparable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static func < (first: Self, second: Self) -> Bool { first.nanoseconds < second.nanoseconds }
}

extension ConditionDuration: CustomStringConvertible {
    package var description: String {
        let magnitude = nanoseconds.magnitude
        return (nanoseconds < 0 ? "-" : "") + "\(magnitude / 1_000_000_000)\(fraction(Int(magnitude % 1_000_000_000)))s"
    }

    private static let units: [(String, Int128)] = [
        ("ns", 1), ("us", 1_000), ("µs", 1_000), ("μs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
        ("h", 3_600_000_000_000),
    ]

    /// Parses numbers with units, as in `1h30m` or `-1.5s`; nil for other text and outside of what a duration can be.
    package init?(_ text: String) {
        var scanner = DigitScanner(text)
        let isNegative = scanner.take("-")
        if !isNegative { _ = scanner.take("+") }
        if scanner.rest == Array("0".utf8) {
            self.init(nanoseconds: 0)
            return
        }
        var total: Int128 = 0
        repeat {
            guard let (whole, part, scale) = scanner.number(), let unit = Self.units.first(where: { scanner.isUnit($0.0) }) else {
                return nil
            }
            scanner.skip(unit.0.utf8.count)
            total += Int128(whole) * unit.1 + Int128(part) * unit.1 / scale
            guard total <= Int128(Int64.max) + 1 else { return nil }
        } while !scanner.isAtEnd
        guard let nanoseconds = Int64(exactly: isNegative ? -total : total) else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}

func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// `.` and the digits of a fraction of a second without zeros at the end; nothing for zero.
private func fraction(_ nanoseconds: Int) -> String {
    guard nanoseconds != 0 else { return "" }
    var digits = Array(padded(nanoseconds, 9).utf8)
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return "." + String(decoding: digits, as: UTF8.self)
}

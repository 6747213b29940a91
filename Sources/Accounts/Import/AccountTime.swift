/// Times of exports: RFC 3339 in UTC with milliseconds.
package enum AccountTime {
    /// Unix milliseconds of the years 1970 to 9999.
    static let range: ClosedRange<Int64> = 0...253_402_300_799_999

    /// `2026-11-26T02:08:20.123Z`. A time out of range is moved to its nearer end.
    package static func text(_ time: Int64) -> String {
        let time = min(max(time, range.lowerBound), range.upperBound)
        let (days, rest) = (time / 86_400_000, time % 86_400_000)
        let date = date(daysSince1970: days)
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T\(padded(rest / 3_600_000, 2)):"
            + "\(padded(rest / 60_000 % 60, 2)):\(padded(rest / 1_000 % 60, 2)).\(padded(rest % 1_000, 3))Z"
    }

    /// Reads what `text` writes, also without milliseconds. Nil for any other form, and for a time out of range.
    package static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20 || bytes.count == 24, bytes.last == UInt8(ascii: "Z") else { return nil }
        for (index, separator) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] where bytes[index] != separator.utf8.first {
            return nil
        }
        func number(_ digits: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for byte in bytes[digits] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), year >= 1970, (1...12).contains(month), day >= 1, hour < 24,
            minute < 60, second < 60
        else { return nil }
        var fraction: Int64 = 0
        if bytes.count == 24 {
            guard bytes[19] == UInt8(ascii: "."), let digits = number(20..<23) else { return nil }
            fraction = digits
        }
        let days = daysSince1970(year: year, month: month, day: day)
        let read = date(daysSince1970: days)
        guard (read.year, read.month, read.day) == (year, month, day) else { return nil }  // the 31st of a shorter month
        return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1_000 + fraction
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// In the Gregorian calendar, counted in years that begin in March, from 0000-03-01.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }

    private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = days + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

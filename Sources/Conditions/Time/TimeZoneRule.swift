/// The rule of a time zone in the format of the POSIX variable TZ: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct TimeZoneRule: Sendable {
    private let standard: Int
    private let summer: Summer?

    private struct Summer {
        let offset: Int
        let start: Day
        let end: Day
    }

    /// A day of a year with the local time of the change.
    private struct Day {
        enum Kind {
            /// 1 to 365, 29 February not counted.
            case julian(Int)
            /// 0 to 365.
            case ordinal(Int)
            /// The week 5 is the last one.
            case weekday(month: Int, week: Int, day: Int)
        }

        let kind: Kind
        let seconds: Int

        /// Seconds since 1970 in the local time of the offset that ends.
        func time(in year: Int) -> Int {
            let newYear = CivilTime.daysSince1970(year: year, month: 1, day: 1)
            let day: Int
            switch kind {
            case .julian(let number): day = newYear + number - 1 + (CivilTime.isLeap(year) && number >= 60 ? 1 : 0)
            case .ordinal(let number): day = newYear + number
            case .weekday(let month, let week, let weekday):
                let first = CivilTime.daysSince1970(year: year, month: month, day: 1)
                let ahead = CivilTime.modulo(weekday - CivilTime.modulo(first + 4, 7), 7)
                let wanted = ahead + (week - 1) * 7
                day = first + (wanted >= CivilTime.days(inMonth: month, of: year) ? wanted - 7 : wanted)
            }
            return day * 86_400 + seconds
        }
    }

    func offset(at seconds: Int64) -> Int {
        guard let summer else { return standard }
        let year = CivilTime(secondsSince1970: seconds + Int64(standard)).year
        let start = summer.start.time(in: year) - standard
        let end = summer.end.time(in: year) - summer.offset
        let isSummer = start < end ? (start..<end).contains(Int(seconds)) : !(end..<start).contains(Int(seconds))
        return isSummer ? summer.offset : standard
    }

    /// Nil for an empty rule and for one that is not understood.
    init?(_ text: [UInt8]) {
        var reader = Reader(bytes: text)
        guard reader.skipName(), let standard = reader.time() else { return nil }
        self.standard = -standard
        guard !reader.isAtEnd else {
            summer = nil
            return
        }
        guard reader.skipName() else { return nil }
        var offset = -standard + 3_600
        if reader.peek() != UInt8(ascii: ",") {
            guard let written = reader.time() else { return nil }
            offset = -written
        }
        guard let start = reader.day(), let end = reader.day(), reader.isAtEnd else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        var isAtEnd: Bool { index >= bytes.count }

        func peek() -> UInt8 { index < bytes.count ? bytes[index] : 0 }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard peek() == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        mutating func skipName() -> Bool {
            let start = index
            if take("<") {
                while !isAtEnd, peek() != UInt8(ascii: ">") { index += 1 }
                return take(">")
            }
            while peek().isIdentifierStart { index += 1 }
            return index - start >= 3
        }

        mutating func number(_ range: ClosedRange<Int>) -> Int? {
            var value = 0
            let start = index
            while peek().isDigit, index - start < 3 {
                value = value * 10 + Int(peek() - UInt8(ascii: "0"))
                index += 1
            }
            return index > start && range.contains(value) ? value : nil
        }

        /// `[+-]hh[:mm[:ss]]` in seconds.
        mutating func time() -> Int? {
            let isNegative = take("-")
            if !isNegative { _ = take("+") }
            guard var seconds = number(0...167).map({ $0 * 3_600 }) else { return nil }
            if take(":") {
                guard let minutes = number(0...59) else { return nil }
                seconds += minutes * 60
                if take(":") {
                    guard let rest = number(0...59) else { return nil }
                    seconds += rest
                }
            }
            return isNegative ? -seconds : seconds
        }

        mutating func day() -> Day? {
            guard take(",") else { return nil }
            let kind: Day.Kind
            if take("M") {
                guard let month = number(1...12), take("."), let week = number(1...5), take("."), let day = number(0...6) else {
                    return nil
                }
                kind = .weekday(month: month, week: week, day: day)
            } else if take("J") {
                guard let day = number(1...365) else { return nil }
                kind = .julian(day)
            } else {
                guard let day = number(0...365) else { return nil }
                kind = .ordinal(day)
            }
            guard take("/") else { return Day(kind: kind, seconds: 2 * 3_600) }
            return time().map { Day(kind: kind, seconds: $0) }
        }
    }
}

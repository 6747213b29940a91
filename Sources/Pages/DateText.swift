/// A day in the form that is usual in a language, in UTC.
struct DateText: Sendable, Equatable {
    let year: Int
    let month: Int
    let day: Int

    /// - Parameter unixSeconds: values outside of the years 1970 to 9999 are moved to the nearest of them.
    init(unixSeconds: Int64) {
        // Days since 0000-03-01, in eras of 400 years (the Gregorian calendar repeats after 146,097 days).
        let days = min(max(unixSeconds, 0), 253_402_300_799) / 86_400 + 719_468
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * shifted + 2) / 5 + 1)
        month = Int(shifted < 10 ? shifted + 3 : shifted - 9)
        year = Int(days / 146_097 * 400 + yearOfEra) + (month <= 2 ? 1 : 0)
    }

    /// `2026-11-25`, for the attribute `datetime`.
    var iso: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }

    func text(in language: Language) -> String {
        switch language {
        case .german: "\(day).\(month).\(year)"
        case .spanish, .french, .indonesian, .vietnamese: "\(padded(day, 2))/\(padded(month, 2))/\(year)"
        case .traditionalChinese, .japanese: "\(year)年\(month)月\(day)日"
        default: "\(day) \(Self.months[month - 1]) \(year)"
        }
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "June", "July", "Aug", "Sept", "Oct", "Nov", "Dec"]

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}

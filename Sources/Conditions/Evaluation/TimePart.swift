/// A part of a timestamp or duration, with the name of its function.
enum TimePart: String, CaseIterable, Sendable {
    case date = "getDate"
    case dayOfMonth = "getDayOfMonth"
    case dayOfWeek = "getDayOfWeek"
    case dayOfYear = "getDayOfYear"
    case fullYear = "getFullYear"
    case hours = "getHours"
    case milliseconds = "getMilliseconds"
    case minutes = "getMinutes"
    case month = "getMonth"
    case seconds = "getSeconds"

    func of(_ value: ConditionValue, in zone: ConditionTimeZone? = nil) throws(ConditionReason) -> ConditionValue {
        switch value {
        case .timestamp(let time): return .int(of(time, in: zone ?? .fixed(0)))
        case .duration(let duration):
            guard zone == nil, let part = of(duration) else { throw noOverload(value) }
            return .int(part)
        default: throw noOverload(value)
        }
    }

    private func noOverload(_ value: ConditionValue) -> ConditionReason { .noOverload("\(value.typeName).\(rawValue)()") }

    private func of(_ timestamp: ConditionTimestamp, in zone: ConditionTimeZone) -> Int64 {
        let offset = zone.offset(at: timestamp.seconds)
        let time = CivilTime(secondsSince1970: timestamp.seconds + Int64(offset))
        let part =
            switch self {
            case .date: time.day
            case .dayOfMonth: time.day - 1
            case .dayOfWeek: time.dayOfWeek
            case .dayOfYear: time.dayOfYear
            case .fullYear: time.year
            case .hours: time.hour
            case .milliseconds: Int(timestamp.nanoseconds / 1_000_000)
            case .minutes: time.minute
            case .month: time.month - 1
            case .seconds: time.second
            }
        return Int64(part)
    }

    /// The whole duration in hours, minutes or seconds; of milliseconds only the part below a second.
    private func of(_ duration: ConditionDuration) -> Int64? {
        switch self {
        case .hours: duration.nanoseconds / 3_600_000_000_000
        case .minutes: duration.nanoseconds / 60_000_000_000
        case .seconds: duration.nanoseconds / 1_000_000_000
        case .milliseconds: duration.nanoseconds % 1_000_000_000 / 1_000_000
        default: nil
        }
    }
}

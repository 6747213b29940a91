import Glibc

/// The `Date` line of responses, rendered once a second for each event loop (RFC 9110 section 6.6.1).
struct DateLine {
    private var second: time_t = 0
    private(set) var bytes: [UInt8] = []

    mutating func refresh() {
        let now = time(nil)
        guard now != second else { return }
        second = now
        bytes = Array("Date: \(HTTPDate.text(now))\r\n".utf8)
    }
}

package enum HTTPDate {
    /// IMF-fixdate (RFC 9110 section 5.6.7).
    package static func text(_ unixSeconds: Int) -> String {
        var seconds = time_t(unixSeconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}

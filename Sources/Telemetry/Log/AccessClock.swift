import Glibc
import HTTPWire
import NIOCore

/// The time of lines: rendered once a second, from the monotonic clock that requests are measured with anyway.
struct AccessClock {
    private var second: Int = -1
    private var offset: Int64 = 0
    private var readAt = NIODeadline.uptimeNanoseconds(0)
    private var milliseconds = 0
    private var rfc3339: [UInt8] = []
    private var common: [UInt8] = []

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    mutating func refresh(_ now: NIODeadline) {
        if rfc3339.isEmpty || now - readAt > .seconds(1) {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            offset = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) - Int64(now.uptimeNanoseconds)
            readAt = now
        }
        let nanoseconds = Int64(now.uptimeNanoseconds) + offset
        let current = Int(nanoseconds / 1_000_000_000)
        milliseconds = Int(nanoseconds / 1_000_000 % 1_000)
        if current != second { render(current) }
    }

    private mutating func render(_ current: Int) {
        second = current
        var time = time_t(current)
        var parts = tm()
        gmtime_r(&time, &parts)
        func two(_ value: CInt) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        rfc3339 = Array("\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T\(clock).".utf8)
        common = Array("\(two(parts.tm_mday))/\(Self.months[Int(parts.tm_mon)])/\(parts.tm_year + 1900):\(clock) +0000".utf8)
    }

    func putRFC3339(into lines: inout LineBytes) {
        lines.put(rfc3339)
        lines.put(UInt8(truncatingIfNeeded: 48 + milliseconds / 100))
        lines.put(UInt8(truncatingIfNeeded: 48 + milliseconds / 10 % 10))
        lines.put(UInt8(truncatingIfNeeded: 48 + milliseconds % 10))
        lines.put(UInt8(ascii: "Z"))
    }

    /// As in the Common Log Format.
    func putCommon(into lines: inout LineBytes) { lines.put(common) }
}

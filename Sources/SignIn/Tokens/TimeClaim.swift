import Glibc
import TokenCrypto

/// A time claim of a token that failed its check, compared with the gateway's clock.
package struct TimeClaim: Sendable, Hashable {
    package enum Name: String, Sendable { case exp, nbf, iat, authTime = "auth_time" }

    package let name: Name
    /// Unix milliseconds; nil where the claim is missing or is not a NumericDate.
    package let value: Int64?
    private let isMissing: Bool
    private let now: Int64

    /// `now` in Unix milliseconds.
    init(_ name: Name, _ claim: JSONValue?, now: Int64) {
        self.name = name
        self.value = NumericDate.milliseconds(claim)
        self.isMissing = claim == nil
        self.now = now
    }

    /// Seconds from the claim's time to the gateway's; negative for a time in the future.
    package var age: Int64? { self.value.map { (self.now - $0) / 1000 } }

    /// The claim with its distance from the gateway's clock: `exp` is 2026-11-22T10:00:00Z, 634 s ago.
    var finding: String {
        guard let value, let age else { return "`\(self.name.rawValue)` is \(self.isMissing ? "missing" : "not a NumericDate")" }
        return "`\(self.name.rawValue)` is \(Self.text(value)), \(age < 0 ? "\(-age) s in the future" : "\(age) s ago")"
    }

    /// The finding for a token that the provider has just issued, with the likely cause.
    var reason: String {
        guard let age else { return self.finding }
        return self.name == .authTime && age >= 0
            ? "\(self.finding), longer than max_age" : "\(self.finding); the gateway's clock or the provider's may be wrong"
    }

    /// RFC 3339 in UTC, whole seconds.
    private static func text(_ milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return "\(milliseconds / 1000)" }
        func padded(_ value: Int32, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
        return "\(date)T\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):\(padded(parts.tm_sec, 2))Z"
    }
}

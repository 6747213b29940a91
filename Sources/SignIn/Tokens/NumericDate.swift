package import TokenCrypto

/// A JWT NumericDate (RFC 7519 section 2): seconds since 1970, a fraction allowed.
package enum NumericDate {
    /// Unix milliseconds; nil for anything but a number between 1970 and the year 9999.
    package static func milliseconds(_ value: JSONValue?) -> Int64? {
        let latest = PlausibleTime.milliseconds.upperBound / 1000
        switch value {
        case .integer(let seconds) where seconds >= 0 && seconds <= latest: return seconds * 1000
        case .number(let seconds) where seconds >= 0 && seconds <= Double(latest): return Int64(seconds * 1000)
        default: return nil
        }
    }

    /// The `iat` of what a provider is shown, in seconds; `now` in Unix milliseconds. Two seconds ago: many a provider takes nothing that was
    /// made in its future, be it by a millisecond, and no two clocks agree to that.
    package static func issued(at now: Int64) -> Int64 { now / 1000 - 2 }
}

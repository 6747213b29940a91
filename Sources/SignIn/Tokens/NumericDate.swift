import TokenCrypto

/// A JWT NumericDate (RFC 7519 section 2): seconds since 1970, a fraction allowed.
enum NumericDate {
    /// Unix milliseconds; nil for anything but a number between 1970 and the year 9999.
    static func milliseconds(_ value: JSONValue?) -> Int64? {
        let latest: Int64 = 253_402_300_799
        switch value {
        case .integer(let seconds) where seconds >= 0 && seconds <= latest: return seconds * 1000
        case .number(let seconds) where seconds >= 0 && seconds <= Double(latest): return Int64(seconds * 1000)
        default: return nil
        }
    }
}

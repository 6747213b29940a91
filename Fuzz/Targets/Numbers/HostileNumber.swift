/// Numbers at and beyond the limits of the types and of the gateway's own bounds, as texts.
package enum HostileNumber {
    package static let texts: [String] = limitsOfTypes + ownBounds + fractions + notNumbers

    private static let limitsOfTypes: [String] = [
        "-9223372036854775808", "-9223372036854775807", "9223372036854715807", "9223372036854775747", "9223372036854775806",
        "9223372036854775807", "9223372036854775808", "18446744073709551614", "18446744073709551615", "18446744073709551616",
        "-2147483648", "2147483647", "4294967295", "4294967296", "65535", "65536", "255", "256", "9007199254740992", "9007199254740993",
        "-9007199254740992", "-1", "0", "1", "10", "99", "128", "129", "600",
        "9999999999999999999999999999999999999999", "-9999999999999999999999999999999999999999",
    ]

    /// The bounds of `max_age`, token lifetimes, durations, times and lengths, and the numbers after them.
    private static let ownBounds: [String] = [
        "315360000", "315360001", "31536000", "31536001", "36500", "36501", "3153600000", "3153600001", "3153600000000", "3153600000001",
        "253402300799", "253402300800", "253402300799999", "253402300800000", "999999999999999999", "1000000000000000000",
    ]

    private static let fractions: [String] = [
        "0.5", "-0.0", "1.5", "1e0", "1e9", "1e18", "1e19", "9.3e18", "1e308", "-1e308", "1e309", "1e-400", "253402300799.9999",
    ]

    private static let notNumbers: [String] = [
        "", "-", "+1", "-0", "00", "007", " 1", "1 ", "1_000", "NaN", "nan", "inf", "-Infinity", "null", "true", "１２３", "0x10", "1,0",
        "7fffffffffffffff", "8000000000000000", "ffffffffffffffff", "fffffffffffffffff",
    ]
}

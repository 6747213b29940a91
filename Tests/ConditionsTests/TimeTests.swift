import Testing

@testable import Conditions

/// Timestamps, durations and time zones.
struct TimeTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0, 0), ("2026-11-26T10:00:00Z", 1_795_687_200, 0),
        ("2024-02-29T23:59:59.5+02:00", 1_709_243_999, 500_000_000),
        ("0001-01-01T00:00:00Z", -62_135_596_800, 0), ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999),
        ("1969-12-31T23:59:59.000000001-00:00", -1, 1), ("2000-01-01t00:00:00.1234567899z", 946_684_800, 123_456_789),
    ])
    func timestamps(_ text: String, _ seconds: Int64, _ nanoseconds: Int32) throws {
        let time = try #require(ConditionTimestamp(text))
        #expect(time.seconds == seconds)
        #expect(time.nanoseconds == nanoseconds)
        #expect(ConditionTimestamp(time.description) == time)
    }

    @Test(arguments: [
        "", "2026-11-26", "2026-11-26T10:00:00", "2026-11-26 10:00:00Z", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+0200", "2026-01-01T00:00:00ZZ", "26-01-01T00:00:00Z", "-001-01-01T00:00:00Z",
        "10000-01-01T00:00:00Z", "0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "２０26-01-01T00:00:00Z",
    ])
    func noTimestamp(_ text: String) { #expect(ConditionTimestamp(text) == nil) }

    @Test(arguments: [
        ("0", 0), ("1s", 1_000_000_000), ("-1.5s", -1_500_000_000), ("1h30m", 5_400_000_000_000), ("+2ms", 2_000_000),
        ("1us1µs1μs1ns", 3_001),
        (".5s", 500_000_000), ("1.s", 1_000_000_000), ("1h1h", 7_200_000_000_000), ("-9223372036854775808ns", Int64.min),
        ("9223372036854775807ns", Int64.max), ("0.0000000001s", 0), ("1.0000000000000000000001s", 1_000_000_000),
    ])
    func durations(_ text: String, _ nanoseconds: Int64) { #expect(ConditionDuration(text)?.nanoseconds == nanoseconds) }

    @Test(arguments: [
        "", "1", "s", "-", "1d", "1s1", "1 s", "1ss", "--1s", "1e3s", ".s", "9223372036854775808ns", "-9223372036854775809ns", "1h-1m",
        "999999999999999999999s", "00",
    ])
    func noDuration(_ text: String) { #expect(ConditionDuration(text) == nil) }

    @Test("Every day from the year 1 to 9999 has the date that follows the day before")
    func calendar() {
        var date = (year: 1, month: 1, day: 1)
        for day in -719_162..<2_932_897 {
            let time = CivilTime(secondsSince1970: Int64(day) * 86_400)
            guard time.year == date.year, time.month == date.month, time.day == date.day else {
                Issue.record("\(day) is \(time), not \(date)")
                return
            }
            date.day += 1
            if date.day > CivilTime.days(inMonth: date.month, of: date.year) { date = (date.year, date.month + 1, 1) }
            if date.month > 12 { date = (date.year + 1, 1, 1) }
        }
        #expect(date == (10_000, 1, 1))
    }

    @Test(
        "Offsets in the past come from the database, later ones from the zone's rule",
        arguments: [
            ("Europe/Paris", "1800-01-01T00:00:00Z", 561), ("Europe/Paris", "2026-01-01T00:00:00Z", 3_600),
            ("Europe/Paris", "2026-07-01T00:00:00Z", 7_200),
            ("Europe/Paris", "2026-03-29T00:59:59Z", 3_600), ("Europe/Paris", "2026-03-29T01:00:00Z", 7_200),
            ("Europe/Paris", "2026-10-25T00:59:59Z", 7_200),
            ("Europe/Paris", "2026-10-25T01:00:00Z", 3_600), ("Europe/Paris", "2100-07-01T00:00:00Z", 7_200),
            ("Europe/Paris", "2100-12-01T00:00:00Z", 3_600),
            ("Australia/Sydney", "2100-01-01T00:00:00Z", 39_600), ("Australia/Sydney", "2100-07-01T00:00:00Z", 36_000),
            ("America/St_Johns", "2009-02-13T02:00:00Z", -12_600), ("Asia/Kathmandu", "2026-01-01T00:00:00Z", 20_700),
            ("US/Central", "2026-07-01T00:00:00Z", -18_000),
            ("UTC", "2026-01-01T00:00:00Z", 0), ("-02:30", "2026-01-01T00:00:00Z", -9_000), ("02:00", "2026-01-01T00:00:00Z", 7_200),
        ])
    func zones(_ name: String, _ time: String, _ offset: Int) throws {
        let zone = try #require(ConditionTimeZones.system.zone(name), "the package tzdata is not installed")
        #expect(zone.offset(at: try #require(ConditionTimestamp(time)).seconds) == offset)
    }

    @Test(
        "A name that is no zone opens no file outside of the database",
        arguments: [
            "", "Europe", "Europe/", "../../../etc/passwd", "Europe/../../../../etc/passwd", "/etc/localtime", "Europe//Paris", "+24:00",
            "+02:60", "2:00",
            "Europe/Paris\0", "Mars/Base", "tzdata.zi", "zone.tab", "posixrules/..",
        ])
    func noZone(_ name: String) { #expect(ConditionTimeZones.system.zone(name) == nil) }

    @Test(
        "Rules in the format of TZ",
        arguments: [
            ("EST5EDT,M3.2.0,M11.1.0", "2026-07-01T00:00:00Z", -14_400), ("EST5EDT,M3.2.0,M11.1.0", "2026-01-01T00:00:00Z", -18_000),
            ("<+0330>-3:30", "2026-01-01T00:00:00Z", 12_600), ("XXX0YYY,J60/0,J300/0", "2026-03-01T00:00:00Z", 3_600),
            ("XXX0YYY,J60/0,J300/0", "2028-02-29T12:00:00Z", 0), ("XXX0YYY,59/0,300/0", "2028-02-29T00:00:00Z", 3_600),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3_600),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7_200),
        ])
    func rules(_ text: String, _ time: String, _ offset: Int) throws {
        let rule = try #require(TimeZoneRule(Array(text.utf8)))
        #expect(rule.offset(at: try #require(ConditionTimestamp(time)).seconds) == offset)
    }

    @Test(arguments: [
        "", "A5", "EST", "EST5EDT", "EST5EDT,M13.1.0,M1.1.0", "EST5EDT,M3.6.0,M1.1.0", "EST168", "EST5EDT,M3.2.0", "EST5EDT,J0,J1", "<EST",
    ])
    func noRule(_ text: String) { #expect(TimeZoneRule(Array(text.utf8)) == nil) }

    @Test("A damaged file is no zone and never a trap")
    func damaged() throws {
        var file: [UInt8] = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 39)
        file += file
        #expect(TimeZoneRules(file) == nil)
        for index in file.indices {
            var damaged = file
            damaged[index] = 0xFF
            #expect(TimeZoneRules(damaged) == nil)
            #expect(TimeZoneRules(Array(damaged[..<index])) == nil)
        }
    }
}

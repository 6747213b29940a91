import CPostgres
import Testing

@testable import Stores

@Suite("The parts of the PostgreSQL driver")
struct PostgresPartsTests {
    @Test(
        "parameters get PostgreSQL's form outside of literals, names and comments",
        arguments: [
            ("SELECT ?1, ?12", "SELECT $1, $12"), ("", ""), ("?", "?"), ("? ?0 ??1 a?b", "? ?0 ?$1 a?b"),
            ("'?1' ?1", "'?1' $1"), ("'it''s ?1' ?1", "'it''s ?1' $1"), ("'\\' ?1", "'\\' $1"), ("\"?1\" ?1", "\"?1\" $1"), ("'?1", "'?1"),
            ("-- ?1\n?1", "-- ?1\n$1"), ("-- ?1", "-- ?1"), ("- ?1", "- $1"), ("/* ?1 */ ?1", "/* ?1 */ $1"), ("/* ?1", "/* ?1"),
            ("/?1", "/$1"),
            ("é?1", "é$1"), ("'é?1' '?1'", "'é?1' '?1'"),
        ])
    func rewriting(sql: String, expected: String) {
        #expect(PostgresQuery.rewritten(sql) == expected)
    }

    @Test(
        "a SQLSTATE decides about the transaction and the connection",
        arguments: [
            ("23505", .constraint("c"), .refused), ("23503", .constraint("c"), .refused), ("23514", .constraint("c"), .refused),
            ("40001", nil, .conflict), ("40P01", nil, .conflict), ("0A000", nil, .outdated), ("26000", nil, .outdated),
            ("25006", nil, .wrongServer), ("08006", nil, .lost), ("57P01", nil, .lost), ("57P05", nil, .lost), ("57014", nil, .refused),
            ("53300", nil, .refused), ("53100", nil, .refused), ("55P03", nil, .refused), ("22003", nil, .refused),
            ("XX000", nil, .refused),
            ("42501", nil, .refused),
            ("42703", .schema("the tables of the PostgreSQL database differ from what the program expects (SQLSTATE 42703)"), .refused),
        ] as [(String, SQLError?, PostgresFailure.Consequence)])
    func states(state: String, error: SQLError?, consequence: PostgresFailure.Consequence) {
        let failure = PostgresFailure(sqlState: state, constraint: "c")
        #expect(failure.consequence == consequence)
        if let error { #expect(failure.error == error) }
        guard case .unavailable(let text) = failure.error else { return }
        #expect(error == nil && text.hasSuffix("(SQLSTATE \(state))"))
    }

    @Test("a broken connection is lost, whatever the server said last")
    func lost() {
        #expect(PostgresFailure(sqlState: "23505", constraint: "c", isConnected: false).consequence == .lost)
    }

    @Test("text that is no SQLSTATE is not repeated")
    func hostileState() {
        for state in ["", "s3cret", "s3cre", "2350\n"] {
            #expect(PostgresFailure(sqlState: state).error == .unavailable("the PostgreSQL server refused a statement (SQLSTATE unknown)"))
        }
    }

    @Test(
        "of a failed attempt to connect, only the kind of the failure is used",
        arguments: [
            ("connection to server at \"db\" (10.1.2.3), port 5432 failed: FATAL:  28P01\n", "the PostgreSQL server refused the sign-in"),
            (
                "connection to server at \"a\" failed: timeout expired\nconnection to server at \"b\" failed: FATAL:  53300\n",
                "no free connection"
            ),
            ("connection to server on socket \"/x\" failed: FATAL:  57P03\n", "starting or stopping"),
            (
                "connection to server at \"AB123\" (::1), port 1 failed: Connection refused\n\tIs the server running on that host?\n",
                "was refused"
            ),
            ("could not translate host name \"db\" to address: Temporary failure in name resolution\n", "cannot be resolved"),
            ("SSL error: certificate verify failed\n", "not signed by an authority"),
            ("server does not support SSL, but SSL was required\n", "does not offer TLS"),
            ("", "cannot be reached"), ("\u{1F600} 28P01", "cannot be reached"),
        ])
    func connecting(message: String, words: String) {
        let failure = PostgresFailure.connecting(message)
        #expect(failure.consequence == .lost)
        guard case .unavailable(let text) = failure.error else {
            Issue.record("\(failure.error)")
            return
        }
        #expect(text.contains(words))
        for secret in ["db", "10.1.2.3", "AB123", "/x", "::1", "5432"] { #expect(!text.contains(secret)) }
    }

    @Test("values of a wrong size, of invalid UTF-8 or of another type are rejected")
    func decoding() {
        func decoded(_ bytes: [UInt8], _ type: Oid) -> SQLValue? { bytes.withUnsafeBytes { PostgresResult.decoded($0, type) } }
        #expect(decoded([0x80, 0, 0, 0, 0, 0, 0, 0], PostgresType.int8) == .integer(.min))
        #expect(decoded([0xff, 0xff, 0xff, 0xfe], PostgresType.int4) == .integer(-2))
        #expect(decoded([1, 0], PostgresType.int2) == .integer(256))
        #expect(decoded([1], PostgresType.bool) == .integer(1))
        for type in [PostgresType.int8, PostgresType.int4, PostgresType.int2, PostgresType.bool] {
            #expect(decoded([], type) == nil && decoded([0, 0, 0], type) == nil && decoded([UInt8](repeating: 0, count: 9), type) == nil)
        }
        #expect(decoded([2], PostgresType.bool) == nil)
        #expect(decoded([0xc3], PostgresType.text) == nil && decoded([0xed, 0xa0, 0x80], PostgresType.varchar) == nil)
        #expect(decoded([], PostgresType.text) == .text("") && decoded([], PostgresType.bytea) == .bytes([]))
        // numeric, timestamptz
        #expect(decoded([0, 0], 1700) == nil && decoded([UInt8](repeating: 0, count: 8), 1184) == nil)
    }

    @Test("parameters that the URL does not set get their defaults, and a connect_timeout has a limit")
    func parameters() throws {
        let libpq = try LibPQ()
        func values(_ url: String) throws -> [String: String] {
            try PostgresParameters(url: url, libpq: libpq, settings: PostgresSettings()).values
        }
        let plain = try values("postgres://u:p@h/d")
        #expect(plain["connect_timeout"] == "5" && plain["fallback_application_name"] == "gateway" && plain["client_encoding"] == "UTF8")
        #expect(plain["tcp_user_timeout"] == "10000" && plain["keepalives_idle"] == "30" && plain["target_session_attrs"] == nil)
        #expect(plain["sslmode"] == nil)
        for (given, used) in [("0", "30"), ("-1", "30"), ("31", "30"), ("7", "7"), ("99999999999999999999", "99999999999999999999")] {
            #expect(try values("postgres://h/d?connect_timeout=\(given)")["connect_timeout"] == used)
        }
        #expect(try values("postgres://a,b/d")["target_session_attrs"] == "read-write")
        #expect(try values("postgres://a,b/d?target_session_attrs=any")["target_session_attrs"] == "any")
        #expect(try values("postgres://h/d?client_encoding=LATIN1&keepalives_idle=5")["client_encoding"] == "UTF8")
    }

    @Test("durations become milliseconds, rounded up and bounded")
    func milliseconds() {
        #expect(Duration.zero.wholeMilliseconds == 0 && Duration.seconds(-5).wholeMilliseconds == 0)
        #expect(Duration.nanoseconds(1).wholeMilliseconds == 1 && Duration.milliseconds(1_500).wholeMilliseconds == 1_500)
        #expect(Duration.seconds(Int64.max).wholeMilliseconds == 2_000_000_000)
    }

    @Test("the least recently used statement leaves the cache")
    func cache() {
        func key(_ sql: String) -> PostgresStatementCache.Key { .init(sql: sql, types: []) }
        var cache = PostgresStatementCache(limit: 2)
        for sql in ["a", "b"] {
            #expect(cache.removeOldestIfFull() == nil)
            cache.add(key(sql), sql)
        }
        #expect(cache.name(of: key("a")) == "a")
        #expect(cache.removeOldestIfFull() == "b")
        #expect(cache.name(of: key("b")) == nil && cache.count == 1)
        #expect(cache.nextName() != cache.nextName())
    }
}

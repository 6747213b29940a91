import TestTools
import Testing

@testable import Config

@Suite("The URL of a PostgreSQL database")
struct PostgresURLTests {
    @Test("is read as libpq reads it")
    func parts() {
        let full = PostgresURL(
            "postgres://us%65r:p%40ss%2Fw%25rd@db.example.com:6432/acc%2Founts?sslmode=verify-full&sslrootcert=/etc/ca.pem")
        #expect(full.problem == nil)
        #expect(full.hosts == [.init(name: "db.example.com", port: 6432)])
        #expect(full.user == "user" && full.database == "acc/ounts" && full.hasPassword)
        #expect(full.sslmode == .verifyFull && full.rootCertificate == "/etc/ca.pem")
        #expect(!full.isLocal && !full.isUnverified)

        let socket = PostgresURL("postgresql:///accounts?host=/run/postgresql&user=gateway")
        #expect(socket.problem == nil && socket.hosts == [.init(name: "/run/postgresql", port: nil)])
        #expect(socket.user == "gateway" && !socket.hasPassword && socket.isLocal && !socket.isUnverified)

        let several = PostgresURL("postgres://a,[2001:db8::1]:6000,c:7000/db?target_session_attrs=any")
        #expect(several.problem == nil)
        #expect(several.hosts == [.init(name: "a", port: nil), .init(name: "2001:db8::1", port: 6000), .init(name: "c", port: 7000)])
        #expect(several.isUnverified)

        #expect(PostgresURL("postgres://u@h/db?password=a").hasPassword)
        #expect(PostgresURL("postgres://u@h/db?ssl=true").sslmode == .require)
        #expect(PostgresURL("postgres://u@h/db?sslmode=verify-full&ssl=true").sslmode == .require)
        #expect(PostgresURL("postgres://h:1/db?host=other&port=2").hosts == [.init(name: "other", port: 2)])
        #expect(PostgresURL("postgres://u:@h").database == nil && !PostgresURL("postgres://u:@h").hasPassword)
    }

    @Test(
        "knows the hosts of the own machine",
        arguments: [
            ("localhost", true), ("127.0.0.1", true), ("[::1]", true), ("", true), ("127.0.0.1.example.com", false),
            ("localhost.example.com", false),
            ("localhost,db", false), ("10.0.0.1", false),
        ])
    func locality(host: String, isLocal: Bool) {
        #expect(PostgresURL("postgres://u:p@\(host)/db").isLocal == isLocal)
    }

    /// Hostile and mistaken inputs, with `s3cret` as the password.
    static let rejected: [(String, PostgresURL.Problem)] = [
        ("", .scheme), ("postgres:", .scheme), ("POSTGRES://h", .scheme), ("mysql://u:s3cret@h/db", .scheme), (" postgres://h", .scheme),
        ("host=h password=s3cret", .scheme),
        ("postgres://u:s3cret@h/db name", .characters), ("postgres://u:s3cret@h/db\n", .characters),
        ("postgres://u:s3cret\0@h", .characters),
        ("postgres://u:s3cret\u{7f}@h", .characters),
        ("postgres://u:s3cret%@h/db", .percentEscape), ("postgres://u:s3cret%4@h/db", .percentEscape),
        ("postgres://u:s3cret%zz@h/db", .percentEscape), ("postgres://u:s3cret%00@h/db", .percentEscape),
        ("postgres://h/db?user=%", .percentEscape),
        ("postgres://[::1/db", .brackets), ("postgres://[]/db", .brackets), ("postgres://[::1]x/db", .brackets),
        ("postgres://[", .brackets),
        ("postgres://u:s3/cret@h/db", .port), ("postgres://h:0/db", .port), ("postgres://h:65536/db", .port), ("postgres://h:-1/db", .port),
        ("postgres://h:99999999999999999999/db", .port), ("postgres://h:5432x/db", .port),
        // The password a/s3cret, where what is before the slash could be a port.
        ("postgres://u:1/s3cret@h/db", .database),
        ("postgres://h/db?host=a,b&port=1,2,3", .hostCount), ("postgres://h/db?host=a,b&hostaddr=127.0.0.1", .hostCount),
        ("postgres://h/db?sslmode", .query), ("postgres://h/db?a=b=c", .query), ("postgres://h/db?=&", .parameter),
        ("postgres://h/db?&", .query),
        ("postgres://h/db?s3cret=1", .parameter), ("postgres://h/db?SSLMODE=require", .parameter),
        ("postgres://h/db?ssl=false", .parameter),
        ("postgres://h/db?sslmode=verify_full", .sslmode), ("postgres://h/db?sslmode=", .sslmode),
        ("postgres://h/db?sslmode=s3cret", .sslmode),
        ("postgres://h/db?connect_timeout=5s", .connectTimeout), ("postgres://h/db?connect_timeout=99999999999", .connectTimeout),
    ]

    @Test("is rejected with a reason that holds no part of it", arguments: rejected)
    func rejection(text: String, problem: PostgresURL.Problem) {
        let url = PostgresURL(text)
        #expect(url.problem == problem)
        #expect(!problem.rawValue.contains("s3cret") && !"\(url)".contains("s3cret"))
    }

    @Test("keeps no password")
    func secrecy() {
        #expect(!String(reflecting: PostgresURL("postgres://u:s3cret@h/db?sslpassword=s3cret&password=s3cret")).contains("s3cret"))
    }

    @Test("any bytes are read without a trap", .seeded)
    func anyBytes() {
        var random = SeededGenerator()
        let pieces = [
            "postgres://", "%", "%4", "%00", "@", ":", "/", "?", "&", "=", ",", "[", "]", "host", "port", "1", "é", "\0", "sslmode",
        ]
        for _ in 0..<20_000 {
            let text =
                "postgres://"
                + (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            _ = PostgresURL(text)
        }
    }
}

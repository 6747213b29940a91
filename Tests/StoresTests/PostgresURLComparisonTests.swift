import CPostgres
import Config
import TestTools
import Testing

@testable import Stores

@Suite("The linter's reading of a PostgreSQL URL")
struct PostgresURLComparisonTests {
    private let libpq: LibPQ

    init() throws { libpq = try LibPQ() }

    private struct Parts: Equatable {
        var hosts: String
        var ports: String
        var user: String?
        var database: String?
        var sslmode: String?
        var hasPassword: Bool
    }

    /// libpq's reading; nil for a URL that it rejects.
    private func expected(_ text: String) -> Parts? {
        guard let options = libpq.functions.PQconninfoParse(text, nil) else { return nil }
        defer { libpq.functions.PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return Parts(
            hosts: values["host"] ?? values["hostaddr"] ?? "", ports: values["port"] ?? "", user: values["user"],
            database: values["dbname"],
            sslmode: values["sslmode"], hasPassword: values["password"]?.isEmpty == false)
    }

    private func check(_ text: String) {
        let url = PostgresURL(text)
        guard let expected = expected(text) else {
            #expect(url.problem != nil, "libpq rejects \(text)")
            return
        }
        // What libpq checks later, or not at all.
        guard url.problem == nil else { return }
        #expect(url.hosts.map(\.name).joined(separator: ",") == expected.hosts, "\(text)")
        #expect(url.user == expected.user && url.database == expected.database, "\(text)")
        #expect(url.sslmode?.rawValue == expected.sslmode && url.hasPassword == expected.hasPassword, "\(text)")
        let ports = expected.ports.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        #expect(url.hosts.map(\.port) == (ports.count <= 1 ? url.hosts.map { _ in ports.first ?? nil } : ports), "\(text)")
    }

    @Test(
        "agrees with libpq",
        arguments: [
            "postgres://", "postgres:///", "postgresql://h", "postgres://u@h", "postgres://u:p@h:1/d", "postgres://u:p:q@h/d",
            "postgres://@h/d",
            "postgres://:p@h/d", "postgres://u:@h/d", "postgres://u@v@h/d", "postgres://h/d/e?user=u", "postgres://h?user=u",
            "postgres://h?",
            "postgres://a,b:2,[::1]:3/d", "postgres://,/d", "postgres://a:1,b/d", "postgres://[::1]/d?port=7", "postgres:///d?host=/run/x",
            "postgres://%2Frun%2Fx/d", "postgres://h/d?ssl=true", "postgres://h/d?sslmode=require&sslmode=disable", "postgres://u%3Av:p@h",
            "postgres://u:p?q@h/d", "postgres://h/d?password=%26%3D", "postgres://h/d?hostaddr=127.0.0.1", "postgres://é:ü@ö/ä",
            "postgres://h/d?user=u&", "postgres://h/d?connect_timeout=5", "postgres://h/d#x", "postgres://h:/d", "postgres://h/?user=",
            "postgres://h/d?application_name=a%20b", "postgres://[::1]:6000?user=u", "postgres://[::1],b/d",
        ])
    func table(text: String) {
        #expect(PostgresURL(text).problem == nil)
        check(text)
    }

    @Test("never accepts what libpq rejects, and reads the rest in the same way", .seeded)
    func random() {
        let pieces = [
            "%41", "%4", "%00", "@", ":", "/", "?", "&", "=", ",", "[", "]", "host", "port=1", "1", "é", "sslmode=require", "user=u", "h",
        ]
        var generator = SeededGenerator()
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...12, using: &generator)
            check("postgres://" + (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined())
        }
    }
}

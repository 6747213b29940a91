import Config
import Diagnostics
import Primitives
import Testing

@testable import Lint

/// What the linter says about `session.store` (contract section 7).
@Suite struct SessionStoreRuleTests {
    private func findings(_ store: String) -> [(rule: String, text: String)] {
        let text = Rule.Example("session: { keys: [\"${file:./session.key}\"], store: \(store) }\n").completed
        let outcome = Linter.check(SourceFile(name: "f", text: text), surroundings: exampleSurroundings)
        return outcome.findings.diagnostics.map { ($0.rule.rawValue, "\($0.message) \($0.help ?? "") \($0.label ?? "")") }
    }

    /// One wrong form for each problem that there is, and a password that must not be repeated.
    private static let wrong: [(String, RedisURL.Problem)] = [
        ("redis2://:hunter2@h", .scheme), ("redis://:hunter2@h 1", .characters), ("redis://:hunter2@", .host),
        ("redis://:hunter2@h:0", .port),
        ("redis://hunter2@h", .credentials), ("redis://:%zz@h", .percentEscape), ("redis://:hunter2@h,i", .severalHosts),
        ("redis://:hunter2@h/16", .database), ("redis+cluster://:hunter2@h/1", .clusterDatabase),
        ("redis+sentinel://:hunter2@h", .masterName),
        ("redis+unix://:hunter2@run/x", .socketPath), ("redis://:hunter2@h?db=1", .query),
    ]

    @Test func `each wrong form of the URL is an error that repeats no part of it`() {
        #expect(Set(Self.wrong.map(\.1)) == Set(RedisURL.Problem.allCases))
        for (url, problem) in Self.wrong {
            for store in ["\"\(url)\"", "{ url: \"\(url)\" }"] {
                let found = findings(store)
                #expect(found.contains { $0.rule == "invalid-value" && $0.text.contains(problem.rawValue) }, "\(store): \(found)")
                #expect(!found.contains { $0.text.contains("hunter2") }, "\(found)")
            }
        }
        #expect(findings("redis").contains { $0.rule == "invalid-value" })
        #expect(findings("{ prefix: x }").contains { $0.rule == "missing-key" })
    }

    @Test(arguments: [
        ("rediss://redis:6379/0", true), ("rediss://redis.internal", true), ("rediss://10.1.2.3", true), ("rediss://[fd00::1]:6379", true),
        ("rediss+sentinel://s1.example.com,s2.local/m", true), ("rediss+cluster://r.default.svc.cluster.local", true),
        ("rediss://redis.example.com", false), ("rediss://8.8.8.8", false), ("redis://redis", false), ("redis+unix:///run/r.sock", false),
    ])
    func `TLS to a private host needs an authority`(url: String, isReported: Bool) {
        #expect(findings("\"\(url)\"").contains { $0.rule == "private-store-authority" } == isReported)
        #expect(!findings("{ url: \"\(url)\", ca: /etc/redis/ca.pem }").contains { $0.rule == "private-store-authority" })
    }

    @Test(arguments: [
        ("\"redis://:hunter2hunter2@h\"", true), ("{ url: \"redis://:hunter2hunter2@h\" }", true),
        ("{ url: \"redis://h\", sentinelPassword: hunter2hunter2 }", true), ("\"redis://:${env:ACME_SECRET}@h\"", false),
        ("{ url: \"redis://h\", sentinelPassword: \"${env:ACME_SECRET}\" }", false), ("redis://h", false),
    ])
    func `a literal password is reported and not repeated`(store: String, isReported: Bool) {
        let found = findings(store)
        #expect(found.contains { $0.rule == "literal-secret" } == isReported, "\(found)")
        #expect(!found.contains { $0.text.contains("hunter2") })
    }
}

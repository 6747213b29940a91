import Config
import Diagnostics
import Testing

@testable import Lint

@Suite struct ConditionFindingTests {
    /// `rule line:column «marked text»` of each finding of a file whose only route has this access.
    private func findings(_ access: String, path: String = "/users/{user}/**") -> [String] {
        let routes =
            "routes:\n  - path: \(path)\n    access:\n"
            + access.split(separator: "\n", omittingEmptySubsequences: false).map { "      \($0)\n" }.joined()
        let source = SourceFile(name: "gateway.yaml", text: Rule.Example(routes).completed)
        return Linter.check(source, surroundings: exampleSurroundings).findings.diagnostics.map { finding in
            let place = source.position(at: finding.span.start)
            let text = String(decoding: source.bytes[finding.span.start..<finding.span.end], as: UTF8.self)
            return "\(finding.rule.rawValue) \(place.line - 3):\(place.column - 6) «\(text)»"
        }
    }

    @Test(
        "A mistake is reported at its characters, in each style of YAML",
        arguments: [
            ("condition: auth.uid == path.usr", ["invalid-condition 1:29 «usr»"]),
            ("condition: 'auth.uid == ''x'' || path.usr == \"\"'", ["invalid-condition 1:39 «usr»"]),
            ("condition: \"auth.uid == \\\"\\u00e9\\\" || path.usr == ''\"", ["invalid-condition 1:44 «usr»"]),
            ("condition: |\n  auth.emailVerified &&\n    auth.uid == path.usr", ["invalid-condition 3:22 «usr»"]),
            ("condition: >-\n  auth.emailVerified\n\n  && auth.uid == path.usr", ["invalid-condition 4:23 «usr»"]),
            ("condition: auth.emailVerified &&\n  auth.uid == path.usr", ["invalid-condition 2:20 «usr»"]),
            ("condition: '\"é\" == auth.uid && auth.grups == []'", ["invalid-condition 1:37 «grups»"]),
            ("condition: 'auth.uid =='", ["invalid-condition 1:24 «'»"]),
            ("condition: 'request.query.a == \"1\"'", ["invalid-condition 1:13 «request.query.a == \"1\"»"]),
            ("condition: 'auth.groups == \"admins\"'", ["invalid-condition 1:13 «auth.groups == \"admins\"»"]),
            ("condition: 'auth.uid'", ["invalid-condition 1:13 «auth.uid»"]),
            ("condition: 'auth.uid.matches(\"(\")'", ["invalid-condition 1:30 «\"(\"»"]),
            (
                "anyOf:\n  - condition: 'usr == 1'\n  - { condition: 'path.user == request.user' }",
                [
                    "invalid-condition 2:17 «usr»", "invalid-condition 3:40 «user»",
                ]
            ),
            ("condition: 'auth.emailVerified || 1 < 2'", ["constant-condition 1:35 «1 < 2»"]),
            ("condition: 'auth != null && auth.uid == path.user'", ["constant-condition 1:13 «auth != null»"]),
            ("condition: 'null == auth'", ["constant-condition 1:13 «null == auth»"]),
            ("condition: 'true'", ["constant-condition 1:13 «true»"]),
            ("condition: 'auth.uid == path.user'", []),
        ])
    func positions(access: String, expected: [String]) {
        #expect(findings(access) == expected)
    }

    @Test(
        "Hostile and unusual values are findings, never a condition that holds",
        arguments: [
            ("condition:", ["invalid-value"]), ("condition: ''", ["invalid-value"]), ("condition: ~", ["invalid-value"]),
            ("condition: [a]", ["wrong-type"]), ("condition: { a: b }", ["wrong-type"]), ("condition: !x", ["yaml-tag"]),
            ("condition: 1", ["invalid-condition"]), ("condition: \"true\"", ["constant-condition"]),
            ("condition: yes", ["invalid-condition"]),
            ("condition: 'auth.uid == \"a", ["yaml-syntax"]), ("condition: auth.uid == \"a #b\"", ["invalid-condition"]),
            ("condition: ' '", ["invalid-condition"]), ("condition: '// comment'", ["invalid-condition"]),
            ("condition: 'auth.uid == \"a\" #'", ["invalid-condition"]), ("condition: 'a\u{7F}b'", ["yaml-syntax"]),
            ("condition: '\(String(repeating: "(", count: 5_000))'", ["invalid-condition"]),
            ("condition: '\(String(repeating: "!", count: 5_000))auth.emailVerified'", ["invalid-condition"]),
            ("condition: '\(String(repeating: "a", count: 20_000))'", ["invalid-condition"]),
            ("condition: '[\(String(repeating: "1,", count: 4_500))1].size() > path.user.size()'", ["invalid-condition"]),
            ("condition: 'auth.uid == \"${env:UNSET_NAME}\"'", ["unresolved-reference"]),
            ("condition: auth.uid == path.user\ncondition: 'true'", ["duplicate-key"]),
            ("signedIn: maybe", ["invalid-value"]), ("signedIn: optional", ["optional-sign-in"]),
            ("signedIn: optional\ngroups: [a]", ["optional-sign-in"]),
            (
                "anyOf: [{ signedIn: optional, condition: 'auth == null' }, { users: [mfrggzdfmztwq2lknnwg23tpob] }]",
                ["optional-sign-in", "constant-condition"]
            ),
            ("networks: 10.0.0.0/8", ["wrong-type"]), ("networks: [10.0.0.1]", ["invalid-value"]), ("networks: []", ["empty-condition"]),
            ("networks: [10.1.2.3/8]", ["network-host-bits"]), ("networks: [10.0.0.0/8, 10.0.0.0/8]", ["duplicate-item"]),
            ("networks: [0.0.0.0/0]", ["unlimited-networks"]),
            ("networks: [0.0.0.0/1, 128.0.0.0/1, \"::/0\"]", ["unlimited-networks", "unlimited-networks"]),
            ("networks: [10.0.0.0/8]", []),
        ])
    func hostile(access: String, expected: [String]) {
        let rules = findings(access).map { String($0.prefix { $0 != " " }) }
        // An empty or missing value leaves a rule without a condition, which is reported too.
        #expect(rules.filter { $0 != "empty-access" } == expected)
    }

    @Test(
        "Conditions count where rules ask who has access",
        arguments: [
            ("signedIn: optional\ncondition: 'true'", "/**", ["public-everything", "constant-condition"]),
            ("signedIn: optional\ncondition: 'auth == null || auth.emailVerified'", "/**", []),
            ("signedIn: optional\ncondition: 'request.method == \"GET\"'", "/admin/**", ["sensitive-public-path"]),
            ("signedIn: optional\ncondition: 'request.address.inNetwork(\"10.0.0.0/8\")'", "/admin/**", []),
            ("signedIn: optional\nnetworks: [10.0.0.0/8]", "/admin/**", []),
        ])
    func reach(access: String, path: String, expected: [String]) {
        #expect(Set(findings(access, path: path).map { String($0.prefix { $0 != " " }) }) == Set(expected))
    }

    @Test("A second route for the same path is unreachable, and the help says that a condition does not choose the route")
    func unreachable() {
        let text = """
            routes:
              - { path: /a, access: { condition: 'request.method == "GET"' } }
              - { path: /a, access: { condition: 'request.method == "POST"' } }

            """
        let source = SourceFile(name: "gateway.yaml", text: Rule.Example(text).completed)
        let findings = Linter.check(source, surroundings: exampleSurroundings).findings.diagnostics
        #expect(findings.map(\.rule.rawValue) == ["unreachable-route"])
        #expect(findings.first?.help?.contains("does not choose the route") == true)
    }
}

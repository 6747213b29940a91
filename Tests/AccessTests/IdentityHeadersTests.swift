import Access
import Config
import HTTPWire
import Sessions
import TestTools
import Testing
import TokenCrypto

@Suite struct IdentityHeadersTests {
    private func headers(_ profiles: [IdentityConfiguration.Profile], unverifiedEmail: Bool = false) throws -> IdentityHeaders {
        var configuration = IdentityConfiguration()
        configuration.headers = .profiles(profiles)
        configuration.unverifiedEmail = unverifiedEmail
        return try IdentityHeaders(configuration)
    }

    private func headers(templates: [(name: String, template: String)], unverifiedEmail: Bool = false) throws -> IdentityHeaders {
        var configuration = IdentityConfiguration()
        configuration.headers = .templates(templates)
        configuration.unverifiedEmail = unverifiedEmail
        return try IdentityHeaders(configuration)
    }

    private func lines(_ headers: IdentityHeaders, _ session: Session?) -> [String] {
        text(headers.render(session: session)).split(separator: "\r\n").map(String.init)
    }

    private func text(_ rendered: RenderedIdentity) -> String { String(decoding: rendered.bytes, as: UTF8.self) }

    @Test("Each profile sends its headers (contract section 4)")
    func profiles() throws {
        let session = makeSession(provider: "oidc.acme", groups: ["staff", "admins"])
        let uid = session.uid
        #expect(
            lines(try headers([.forwarded]), session) == [
                "X-Forwarded-User: \(uid)", "X-Forwarded-Email: alice@example.com", "X-Forwarded-Email-Verified: true",
                "X-Forwarded-Preferred-Username: alice",
                "X-Forwarded-Name: Alice", "X-Forwarded-Groups: staff,admins", "X-Forwarded-Provider: oidc.acme",
            ])
        #expect(
            lines(try headers([.authRequest]), session) == [
                "X-Auth-Request-User: \(uid)", "X-Auth-Request-Email: alice@example.com", "X-Auth-Request-Preferred-Username: alice",
                "X-Auth-Request-Groups: staff,admins",
            ])
        #expect(
            lines(try headers([.remoteUser]), session) == [
                "Remote-User: alice", "Remote-Email: alice@example.com", "Remote-Name: Alice", "Remote-Groups: staff,admins",
            ])
        #expect(
            lines(try headers([.webauth]), session) == [
                "X-WEBAUTH-USER: alice", "X-WEBAUTH-EMAIL: alice@example.com", "X-WEBAUTH-FULLNAME: Alice",
                "X-WEBAUTH-GROUPS: staff,admins",
            ])
        #expect(try headers([.none]).render(session: session) == RenderedIdentity())
        #expect(lines(try headers([.remoteUser, .webauth]), session).count == 8)
    }

    @Test("Nobody has no header, not even a fixed one")
    func anonymous() throws {
        #expect(try headers(IdentityConfiguration.Profile.allCases).render(session: nil).bytes.isEmpty)
        #expect(try headers(templates: [("X-Fixed", "yes")]).render(session: nil).bytes.isEmpty)
        #expect(lines(try headers(templates: [("X-Fixed", "yes")]), makeSession()) == ["X-Fixed: yes"])
    }

    @Test("An address that the provider does not vouch for is sent only where the configuration says so, and marked")
    func unverifiedEmail() throws {
        for verified in [false, nil] {
            let session = makeSession(email: "a@example.com", emailVerified: verified)
            for profile in IdentityConfiguration.Profile.allCases {
                #expect(!text(try headers([profile]).render(session: session)).contains("a@example.com"))
            }
            #expect(lines(try headers([.forwarded]), session).contains("X-Forwarded-Email-Verified: false"))
            #expect(lines(try headers([.forwarded], unverifiedEmail: true), session).contains("X-Forwarded-Email: a@example.com"))
            #expect(lines(try headers([.forwarded], unverifiedEmail: true), session).contains("X-Forwarded-Email-Verified: false"))
            #expect(try headers(templates: [("X-Mail", "{{ email }}")]).render(session: session).bytes.isEmpty)
        }
        #expect(!text(try headers([.forwarded]).render(session: makeSession(email: nil))).contains("Email"))
    }

    @Test("A header whose value is missing is not sent, in part or empty")
    func missing() throws {
        let session = makeSession(
            email: nil, username: nil, name: "", groups: [], claims: ["null": .null, "object": .object([:]), "list": .array([.null])])
        #expect(lines(try headers([.remoteUser]), session).isEmpty)
        let templates = [
            ("A", "Bearer {{ accessToken }}"), ("B", "{{ claims.nothing }}"), ("C", "{{ claims.null }}"), ("D", "{{ claims.object }}"),
            ("E", "{{ claims.list }}"),
            ("F", "x{{ name }}"), ("G", ""), ("H", "{{ picture }}{{ locale }}"), ("I", "{{ groups | base64 }}"),
        ]
        #expect(try headers(templates: templates).render(session: session) == RenderedIdentity())
    }

    @Test("Templates take every value and filter")
    func templates() throws {
        let session = makeSession(
            name: "Ren\u{e9} M", groups: ["a", "b c"],
            claims: [
                "n": .integer(7), "b": .bool(true), "deep": .object(["er": .string("x")]),
                "list": .array([.string("p"), .integer(2), .bool(false)]),
                "https://example.com/roles": .array([.string("r")]),
            ], authTime: 1_700_000_000_999, tokens: Session.Tokens(accessToken: "at", idToken: "it"))
        let templates = [
            ("A", "Bearer {{ accessToken }}"), ("B", "{{ idToken | base64 }}"), ("C", "{{ name | urlencode }}"),
            ("D", "{{ groups | join(\"|\") }}"), ("E", "{{ groups | base64 }}"),
            ("F", "{{ claims.n }}/{{ claims.b }}/{{ claims.deep.er }}"), ("G", "{{ claims.list | join(\"; \") }}"),
            ("H", "{{ claims.https://example.com/roles }}"),
            ("I", "{{ authTime }}"), ("J", "{{ name }}"), ("K", "{{ emailVerified }}"),
        ]
        #expect(
            lines(try headers(templates: templates), session) == [
                "A: Bearer at", "B: aXQ=", "C: Ren%C3%A9%20M", "D: a|b c", "E: YSxiIGM=", "F: 7/true/x", "G: p; 2; false", "H: r",
                "I: 1700000000", "J: Ren\u{e9} M", "K: true",
            ])
    }

    @Test(
        "A value that holds a control character, or starts or ends with white space, is not sent and is told",
        arguments: [
            ("a\r\nX-Forwarded-User: root", .controlCharacter), ("a\nb", .controlCharacter), ("a\rb", .controlCharacter),
            ("\u{0}", .controlCharacter), ("a\tb", .controlCharacter),
            ("a\u{7f}", .controlCharacter), ("a\u{85}b", .controlCharacter), ("a\u{9f}", .controlCharacter), (" alice", .outerWhiteSpace),
            ("alice ", .outerWhiteSpace),
            ("alice\u{a0}", .outerWhiteSpace), ("\u{3000}alice", .outerWhiteSpace), ("\u{2028}x", .outerWhiteSpace),
        ] as [(String, HeaderOmission.Reason)])
    func unsendable(_ name: String, _ reason: HeaderOmission.Reason) throws {
        let rendered = try headers([.remoteUser]).render(session: makeSession(email: nil, username: name, name: "Alice"))
        #expect(text(rendered) == "Remote-Name: Alice\r\n")
        #expect(rendered.omissions == [HeaderOmission(header: "Remote-User", reason: reason)])
        #expect(!text(try headers(templates: [("X", "{{ username | base64 }}")]).render(session: makeSession(username: name))).isEmpty)
    }

    @Test(
        "A group that holds the separator or a control character is left out and told",
        arguments: [
            (["a", "b,admins", "c"], "{{ groups }}", "a,c", 1), (["a,b"], "{{ groups }}", nil, 1),
            (["a|b", "c,d"], "{{ groups | join(\"|\") }}", "c,d", 1),
            (["a\nb", "c"], "{{ groups }}", "c", 1), (["", "c"], "{{ groups }}", "c", 1),
            ([" admins", "admins ", "c"], "{{ groups }}", "c", 2),
            (["a:", ":b", "c"], "{{ groups | join(\"::\") }}", "c", 2), ([",\u{301}x", "c"], "{{ groups }}", "c", 1),
            (["a", "b"], "{{ groups | base64 }}", "YSxi", 0),
            (["a,b", "c"], "{{ groups | base64 }}", "Yw==", 1), ([], "{{ groups }}", nil, 0),
        ] as [([String], String, String?, Int)])
    func groups(_ groups: [String], _ template: String, _ value: String?, _ leftOut: Int) throws {
        let rendered = try headers(templates: [("X-Groups", template)]).render(session: makeSession(groups: groups))
        #expect(text(rendered) == (value.map { "X-Groups: \($0)\r\n" } ?? ""))
        #expect(rendered.omissions.map(\.header) == (leftOut == 0 ? [] : ["X-Groups"]))
        #expect(rendered.omissions.map(\.reason) == (leftOut == 0 ? [] : [.itemsLeftOut(leftOut)]))
        #expect(rendered.omissions.allSatisfy { $0.groups.count == leftOut && groups.contains($0.groups[0]) })
    }

    @Test("Issue 19.29: the first groups that were left out are named; items of a claim are not")
    func namesOfGroups() throws {
        let groups = (1...5).map { "a,\($0)" }
        let rendered = try headers(templates: [("X-Groups", "{{ groups }}")]).render(session: makeSession(groups: groups))
        #expect(rendered.omissions.first?.groups == ["a,1", "a,2", "a,3"])
        let claim = try headers(templates: [("X-Roles", "{{ claims.roles }}")])
        let session = makeSession(claims: ["roles": .array([.string("a,b"), .string("c")])])
        #expect(claim.render(session: session).omissions == [HeaderOmission(header: "X-Roles", reason: .itemsLeftOut(1))])
    }

    @Test("Random and hostile values never make a line of their own, and no line without its name")
    func hostile() throws {
        var random = SeededGenerator(fixed: 23)
        let pieces = [
            "\r", "\n", "\r\n", "\u{0}", "\u{85}", ":", " ", ",", "a", "X-Forwarded-User: root", "\u{e9}", "\u{2028}", "\t", "|", "\u{7f}",
            "\u{1F600}", "=", "{{ uid }}",
        ]
        func hostile() -> String { (0..<Int(random.next() % 5)).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined() }
        let all = try headers(IdentityConfiguration.Profile.allCases, unverifiedEmail: true)
        let custom = try headers(templates: [
            ("A", "x{{ name }}y{{ claims.c }}"), ("B", "{{ groups | join(\"|\") }}"), ("C", "{{ accessToken }}"),
            ("D", "{{ claims.l | urlencode }}"), ("E", "{{ name | base64 }}"),
        ])
        for _ in 0..<2_000 {
            let session = makeSession(
                provider: hostile(), email: hostile(), username: hostile(), name: hostile(), groups: [hostile(), hostile()],
                claims: ["c": .string(hostile()), "l": .array([.string(hostile()), .string(hostile())])],
                tokens: Session.Tokens(accessToken: hostile()))
            for headers in [all, custom] {
                let bytes = headers.render(session: session).bytes
                #expect(bytes.isEmpty || bytes.suffix(2) == [0x0D, 0x0A])
                for line in bytes.dropLast(2).split(separator: [0x0D, 0x0A]) {
                    #expect(line.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
                    let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
                    #expect(headers.names.contains(name), "\(name)")
                }
                let names = lines(headers, session).map { $0.prefix { $0 != ":" } }
                #expect(Set(names).count == names.count)
            }
        }
    }

    @Test(
        "CVE-2026-33433, CVE-2020-14359: every header of every profile is stripped, whichever is configured, in every spelling",
        arguments: IdentityConfiguration.Profile.allCases)
    func stripping(_ profile: IdentityConfiguration.Profile) throws {
        let headers = try headers([profile])
        for other in IdentityConfiguration.Profile.allCases {
            for name in IdentityProfiles.headers(of: other).map(\.name) + [
                "X-Gateway-Assertion", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "X-Request-Id",
                "Traceparent", "Via", "Host", "Content-Length", "Transfer-Encoding",
            ] {
                for spelling in [
                    name, name.lowercased(), name.uppercased(), name.replacing("-", with: "_"), name.replacing("-", with: "."),
                    name.replacing("-", with: "~"),
                ] {
                    #expect(headers.strippedFromTrusted.contains(spelling))
                    #expect(headers.strippedFromUntrusted.contains(spelling))
                }
            }
        }
        for name in ["Cookie", "Authorization", "Accept", "User-Agent", "X-Forward", "Remote"] {
            #expect(!headers.strippedFromTrusted.contains(name))
            #expect(!headers.strippedFromUntrusted.contains(name))
        }
    }

    @Test("A configured header and an additional one are stripped as well")
    func customNames() throws {
        var configuration = IdentityConfiguration()
        configuration.headers = .templates([("Authorization", "Bearer {{ accessToken }}"), ("X-Custom", "{{ uid }}")])
        let headers = try IdentityHeaders(configuration, additional: ["X-My-Assertion"])
        for name in ["authorization", "x_custom", "X.My.Assertion", "X-Forwarded-User"] {
            #expect(headers.strippedFromTrusted.contains(name))
        }
        #expect(Set(headers.names).count == headers.names.count)
    }

    @Test(
        "CVE-2026-35051: the forwarding headers of an untrusted peer are dropped by a closed list, unknown ones of the family too",
        arguments: [
            "Forwarded", "X-Forwarded-For", "X-Forwarded-Port", "X-Forwarded-Prefix", "X-Forwarded-Uri", "X-Forwarded-Method",
            "X-Forwarded-Server", "X-Forwarded-Scheme",
            "X-Forwarded-Ssl", "X-Forwarded-Client-Cert", "X-Forwarded-Anything", "X-Forwarded", "X-Real-IP", "X-Client-IP",
            "True-Client-IP", "CF-Connecting-IP", "X-Original-URL",
            "X-Original-URI", "X-Original-Method", "X-Rewrite-URL", "x_real_ip", "X_FORWARDED_PREFIX", "x.original.url", "CF_Connecting_IP",
        ])
    func forwarding(_ name: String) throws {
        #expect(try headers([.none]).strippedFromUntrusted.contains(name))
    }

    @Test(
        "A trusted proxy's own further headers pass", arguments: ["X-Forwarded-Port", "X-Forwarded-Prefix", "X-Real-IP", "X-Original-URL"])
    func trustedForwarding(_ name: String) throws {
        #expect(!(try headers([.none]).strippedFromTrusted.contains(name)))
    }

    @Test("A template that cannot be parsed is refused when the headers are built")
    func malformed() {
        #expect(throws: HeaderTemplateError.self) { try headers(templates: [("X", "{{ nobody }}")]) }
    }
}

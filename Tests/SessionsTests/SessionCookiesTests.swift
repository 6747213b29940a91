import Testing
import TokenCrypto

@testable import Sessions

@Suite struct SessionCookiesTests {
    private let cookies = SessionCookies(publicURL: true)
    private let seal = SessionSeal(keys: Example.keys, cookieName: "__Host-session", publicURL: Example.publicURL)

    /// What `FoundCookies` says, in a form that compares.
    private func assembled(_ pairs: [(String, String)], by cookies: SessionCookies? = nil) -> String {
        switch (cookies ?? self.cookies).assembled(pairs) {
        case .absent: "absent"
        case .whole(let value): "whole " + String(decoding: value, as: UTF8.self)
        case .joined(let bytes): "joined " + String(decoding: bytes, as: UTF8.self)
        case .refused(let refusal): "refused " + refusal.rawValue
        }
    }

    // MARK: Names

    @Test(
        "RFC 6265bis section 4.1.3: the prefix follows from scheme and domain",
        arguments: [
            (true, nil, "__Host-session"), (true, "example.com", "__Secure-session"), (false, nil, "session"),
            (false, "localhost", "session"),
        ] as [(Bool, String?, String)])
    func effectiveNames(secure: Bool, domain: String?, name: String) {
        #expect(SessionCookies(publicURL: secure, domain: domain).effectiveName == name)
    }

    @Test(
        "our own cookies are told from others by name, whatever prefix they bear",
        arguments: [
            ("__Host-session", true), ("__Secure-session", true), ("session", true), ("session.0", true), ("__Host-session.4", true),
            ("__Host-session.99999999", true), ("__Host-session-login-abc", true), ("session-login-", true),
            ("__Secure-session-login-x", true), ("__Host-session-passkey", true), ("session-passkey", true),
            ("__Host-session-pending", true),
            ("__Host-session-browser", true), ("__Host-session-factor", true), ("__Host-session-factor.1", true),
            ("session-passkeys", false), ("session-passke", false), ("session-factors", false), ("session-browser.1", false),
            ("sessionid", false), ("session-", false), ("session.", false), ("session.a", false), ("session.0a", false),
            ("session-logi", false), ("Session", false), ("__host-session", false), ("__HOST-session", false), ("my-session", false),
            ("__Http-session", false), ("__Host-__Host-session", false), ("sessio", false), ("", false), (" session", false),
            ("session ", false), ("sess\u{0131}on", false), ("session\0", false),
        ])
    func isOurs(name: String, ours: Bool) {
        #expect(cookies.isOurs(name) == ours)
        #expect(cookies.isOurs(name.utf8.span.bytes) == ours)
        // What is read as ours never goes on.
        #expect(ours || cookies.kind(of: name.utf8.span.bytes) == .other)
    }

    @Test(
        "a request brings our cookies only when every one of them has a name of ours",
        arguments: [
            (["__Host-session"], true), (["__Host-session.0", "__Host-session.1", "__Host-session-login-x"], true), ([], true),
            (["__Host-session", "a"], false), (["a", "__Host-session"], false), (["__Host-session", ""], false), (["session"], false),
        ])
    func areAllOurs(names: [String], expected: Bool) {
        var found = FoundCookies()
        for name in names {
            found.add(0..<0, cookies.kind(of: name.utf8.span.bytes))
        }
        #expect(found.areAllOurs == expected)
    }

    @Test func `an app keeps its own plain cookie of our name where the gateway does not claim it`() {
        let modest = SessionCookies(publicURL: true, claimsPlainName: false)
        #expect(!modest.isOurs("session") && modest.isOurs("__Host-session") && modest.isOurs("__Secure-session.1"))
        #expect(SessionCookies(publicURL: false, claimsPlainName: false).isOurs("session"))
    }

    @Test(
        "the cookies beside the session's are host-only, with a domain, too",
        arguments: [(true, nil), (true, "example.com"), (false, nil), (false, "example.com")] as [(Bool, String?)])
    func beside(secure: Bool, domain: String?) {
        let cookies = SessionCookies(publicURL: secure, domain: domain)
        let host = cookies.host
        let prefix = secure ? "__Host-" : ""
        for name in [host.loginPrefix + "x7", host.lastProvider, host.pending, host.factor(0), host.factor(1), host.passkey, host.browser] {
            #expect(name.hasPrefix(prefix + "session-") && cookies.isOurs(name), "\(name)")
            #expect(
                host.cookie(named: name, value: "v", maxAge: 600).headerValue()
                    == "\(name)=v; Path=/; Max-Age=600;\(secure ? " Secure;" : "") HttpOnly; SameSite=Lax")
            #expect(
                host.deletion(named: name) == "\(name)=; Path=/; Max-Age=0;\(secure ? " Secure;" : "") HttpOnly; SameSite=Lax")
            let kind = cookies.kind(of: name.utf8.span.bytes)
            #expect(kind == .login || kind == .lastProvider || kind == .pending, "\(name)")
        }
        #expect(
            host.cookie(named: host.loginPrefix + "x7", value: "v", maxAge: 600, sameSite: CookieAttributes.SameSite.none).headerValue()
                == "\(prefix)session-login-x7=v; Path=/; Max-Age=600; Secure; HttpOnly; SameSite=None")
    }

    @Test(
        "a sign-out deletes what waits in the browser, and keeps the remembered browser",
        arguments: [(true, nil), (true, "example.com"), (false, nil)] as [(Bool, String?)])
    func signOut(secure: Bool, domain: String?) {
        let cookies = SessionCookies(publicURL: secure, domain: domain)
        let host = cookies.host
        let waiting = [host.factor(0), host.factor(1), host.passkey, host.pending]
        let kept = [host.browser, host.lastProvider, host.loginPrefix + "x7", host.factor(0) + ".x", host.factor(0) + "s", "other"]
        let session = cookies.deletionLines(existingNames: [])
        #expect(cookies.signOutLines(existingNames: kept) == session)
        #expect(cookies.signOutLines(existingNames: kept + waiting + waiting) == session + waiting.sorted().map(host.deletion))
    }

    @Test func `with a domain, a cookie under the host-only name of the session is none of its own`() {
        let shared = SessionCookies(publicURL: true, domain: "example.com")
        for name in ["__Host-session", "__Host-session.0", "__Host-session.7"] {
            #expect(shared.kind(of: name.utf8.span.bytes) == .other && shared.isOurs(name), "\(name) never reaches the app")
        }
        #expect(shared.kind(of: "__Secure-session".utf8.span.bytes) == .whole)
    }

    // MARK: Writing

    @Test(
        "a session that fits is one cookie with the attributes of its deployment",
        arguments: [
            (SessionCookies(publicURL: true), "__Host-session=v; Path=/; Secure; HttpOnly; SameSite=Lax"),
            (
                SessionCookies(publicURL: true, name: "gw", domain: "example.com", sameSite: .strict),
                "__Secure-gw=v; Path=/; Domain=example.com; Secure; HttpOnly; SameSite=Strict"
            ),
            (SessionCookies(publicURL: false), "session=v; Path=/; HttpOnly; SameSite=Lax"),
        ])
    func oneCookie(cookies: SessionCookies, line: String) throws {
        #expect(try cookies.setCookieLines(sealed: "v", existingNames: []) == [line])
        #expect(
            cookies.deletionLines(existingNames: []) == [cookies.cookie(named: cookies.effectiveName, value: "").deleting().headerValue()])
    }

    @Test(
        "a larger session is split, no line beyond 4096 bytes, and comes back whole",
        arguments: [1, 4000, 4015, 4100, 8000, 12_000, 20_000])
    func split(length: Int) throws {
        let sealed = String(decoding: (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }, as: UTF8.self)
        let lines = try cookies.setCookieLines(sealed: sealed, existingNames: [])
        #expect(lines.allSatisfy { $0.utf8.count <= 4096 })
        let jar = store(lines, in: [])
        #expect(assembled(jar.reversed()) == (jar.count == 1 ? "whole " : "joined ") + sealed)
    }

    @Test func `exactly five full pieces fit, one byte more is too large`() throws {
        let limit = cookies.pieceCapacity * 5
        #expect(try cookies.setCookieLines(sealed: String(repeating: "a", count: limit), existingNames: []).count == 6)
        let error = #expect(throws: SessionTooLarge.self) {
            try cookies.setCookieLines(sealed: String(repeating: "a", count: limit + 1), existingNames: [])
        }
        #expect(error == SessionTooLarge(bytes: limit + 1, limit: limit))
    }

    @Test func `a session too large for cookies goes without its ID token, then not at all`() throws {
        let fits = Example.session(padding: 8000, idTokenBytes: 10_000)
        let lines = try cookies.setCookieLines(for: fits, seal: seal, existingNames: [])
        let stored = cookies.assembled(store(lines, in: [])).opened(by: seal)
        #expect(stored == fits.withoutIDToken())
        #expect(throws: SessionTooLarge.self) {
            try cookies.setCookieLines(for: Example.session(padding: 16_000, idTokenBytes: 100), seal: seal, existingNames: [])
        }
        let small = Example.session()
        let kept = try cookies.setCookieLines(for: small, seal: seal, existingNames: [])
        #expect(cookies.assembled(store(kept, in: [])).opened(by: seal) == small)
    }

    @Test func `the error of a session too large says what to do and holds no value`() {
        #expect(
            SessionTooLarge(bytes: 30_000, limit: 20_000).description
                == "the session takes 30000 bytes, and cookies hold 20000: request fewer scopes or claims, or keep sessions in a store")
    }

    @Test(
        "whatever was stored before, exactly the new session is there afterwards", arguments: [10, 5000, 9000, 15_000],
        [10, 5000, 9000, 15_000])
    func transitions(before: Int, after: Int) throws {
        let old = store(try cookies.setCookieLines(sealed: String(repeating: "o", count: before), existingNames: []), in: [("app", "1")])
        let lines = try cookies.setCookieLines(sealed: String(repeating: "n", count: after), existingNames: old.map(\.0))
        let jar = store(lines, in: old)
        #expect(assembled(jar).hasSuffix(" " + String(repeating: "n", count: after)))
        #expect(jar.filter { $0.0.hasPrefix("__Host-session") }.count == (after == 10 ? 1 : (after + 4000) / 4001))
        #expect(jar.contains { $0.0 == "app" })
        let names = lines.map { $0.prefix { $0 != "=" } }
        #expect(Set(names).count == names.count)
    }

    @Test func `CVE-2025-55162: a deletion has the attributes the cookie was set with`() {
        #expect(
            cookies.deletionLines(existingNames: ["app", "__Host-session.0", "__Host-session.1", "__Host-session-login-a", "session"]) == [
                "__Host-session=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax",
                "__Host-session.0=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax",
                "__Host-session.1=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax",
            ])
        #expect(
            SessionCookies(publicURL: true, domain: "example.com", sameSite: .none).deletionLines(existingNames: []) == [
                "__Secure-session=; Path=/; Domain=example.com; Max-Age=0; Secure; HttpOnly; SameSite=None"
            ])
    }

    @Test func `a growing session takes away what a renewal may put back`() throws {
        let lines = try cookies.setCookieLines(sealed: String(repeating: "a", count: 5000), existingNames: [])
        #expect(lines.last == "__Host-session=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax")
    }

    @Test func `a browser that sends hundreds of names gets a bounded answer`() {
        let names = (0..<1000).map { "__Host-session.\($0)" }
        #expect(cookies.deletionLines(existingNames: names).count == 20)
    }

    // MARK: Reading

    @Test(
        "the session is found among a request's cookies, or refused, always in the same way",
        arguments: [
            ([], "absent"),
            ([("app", "1"), ("", ""), ("=", "\"=;"), ("\u{1}", "\u{7F}"), ("é", "ö")], "absent"),
            ([("__Host-session", "a")], "whole a"),
            ([("x", "1"), ("__Host-session", "a=b\"c\"é\u{1}"), ("y", "2")], "whole a=b\"c\"é\u{1}"),
            ([("__Host-session", "")], "whole "),
            ([("__Host-session", "a"), ("__Host-session", "a")], "refused duplicate-cookie"),
            ([("__Host-session", "a"), ("__Host-session", "b")], "refused duplicate-cookie"),
            ([("__Host-session", "b"), ("__Host-session", "a")], "refused duplicate-cookie"),
            ([("__Host-session.0", "a"), ("__Host-session.1", "b")], "joined ab"),
            ([("__Host-session.1", "b"), ("x", "y"), ("__Host-session.0", "a")], "joined ab"),
            ([("__Host-session.0", "a")], "joined a"),
            ([("__Host-session.0", "a"), ("__Host-session.0", "a")], "refused duplicate-cookie"),
            ([("__Host-session.0", "a"), ("__Host-session.2", "c")], "refused cookie-pieces"),
            ([("__Host-session.1", "b")], "refused cookie-pieces"),
            ([("__Host-session.5", "b")], "refused cookie-pieces"),
            ([("__Host-session.00", "b")], "refused cookie-pieces"),
            ([("__Host-session.99999999999999999999", "b")], "refused cookie-pieces"),
            ([("__Host-session.0", "a"), ("__Host-session.5", "f")], "refused cookie-pieces"),
            ([("__Host-session", "w"), ("__Host-session.1", "b")], "whole w"),
            ([("__Host-session", "w"), ("__Host-session.7", "b")], "whole w"),
            ([("__Host-session", "w"), ("__Host-session.0", "a"), ("__Host-session.1", "b")], "joined ab"),
            ([("session", "a"), ("__Secure-session", "b"), ("__host-session", "c")], "absent"),
            ([("__Host-session.", "a"), ("__Host-session.x", "a"), ("__Host-sessionid", "a")], "absent"),
        ] as [([(String, String)], String)])
    func reading(pairs: [(String, String)], expected: String) {
        #expect(assembled(pairs) == expected)
    }

    @Test func `CVE-2024-24814: pieces are capped one by one, before they are joined`() {
        let large = String(repeating: "a", count: 4097)
        #expect(assembled([("__Host-session", large)]) == "refused cookie-too-large")
        #expect(assembled([("__Host-session.0", "a"), ("__Host-session.1", large)]) == "refused cookie-too-large")
        let many = (0..<1000).map { ("__Host-session.\($0)", "a") }
        #expect(assembled(many) == "refused cookie-pieces")
    }

    @Test func `two hundred cookies and 64 KiB of them change nothing`() {
        let noise = (0..<200).map { ("c\($0)", String(repeating: "x", count: 320)) }
        #expect(assembled(noise) == "absent")
        #expect(assembled(noise + [("__Host-session", "a")] + noise) == "whole a")
    }
}

extension AssembledCookies {
    func opened(by seal: SessionSeal) -> Session? {
        switch self {
        case .whole(let bytes), .joined(let bytes): seal.openBytes(bytes.span.bytes, now: Example.start)
        case .absent, .refused: nil
        }
    }
}

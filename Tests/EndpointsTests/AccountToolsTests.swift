import RecordedExchanges
import Accounts
import Config
import HTTPWire
import Primitives
import Sessions
import Testing
import TokenCrypto

@testable import Endpoints

@Suite("Tools of the account endpoints")
struct AccountToolsTests {
    private static let ring = SealingKeyRing(keys: [[UInt8](repeating: 9, count: 32)], purpose: "accounts")
    private static let cookies = SessionCookies(publicURL: true, name: "session", domain: nil, sameSite: .lax, claimsPlainName: false)
    private static let work = PendingWork.merge(previous: "a", current: "b")

    private static func value(_ line: String?) throws -> String {
        let line = try #require(line)
        return String(line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)[1])
    }

    private static func open(_ values: [String], now: Int64 = 0, ring: SealingKeyRing = ring) -> PendingWork? {
        PendingWork(values.map { (cookies.pendingCookieName, $0) }, cookies, ring, now: now)
    }

    @Test func `what waits for a sign-in comes back until it expires, once in a request and under its keys`() throws {
        let value = try Self.value(Self.work.cookie(Self.cookies, Self.ring, now: 0))
        guard case .merge("a", "b")? = Self.open([value]) else { Issue.record("not opened"); return }
        #expect(Self.open([value], now: PendingCredential.lifetime) == nil)
        #expect(Self.open([value, value]) == nil, "another set one of them")
        #expect(Self.open([value], ring: SealingKeyRing(keys: [[UInt8](repeating: 8, count: 32)], purpose: "accounts")) == nil)
        #expect(PendingWork([("other", value)], Self.cookies, Self.ring, now: 0) == nil)
    }

    @Test func `no change of any byte of it opens`() throws {
        let bytes = try #require(Base64URL.decode(Self.value(Self.work.cookie(Self.cookies, Self.ring, now: 0))))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(Self.open([Base64URL.encode(changed)]) == nil, "byte \(index)")
        }
    }

    @Test("a text that was not sealed here opens nothing", arguments: ["", "a", "c.", "m.AAAA", "=", String(repeating: "A", count: 5_000)])
    func hostile(text: String) { #expect(Self.open([text]) == nil) }

    @Test(
        "only a page of this site changes an account",
        arguments: [
            ([], false), (["Origin: https://app.example"], true), (["Origin: https://app.example:443"], false),
            (["Origin: https://evil.example"], false), (["Origin: http://app.example"], false), (["Origin: null"], false),
            (["Sec-Fetch-Site: same-origin"], true), (["Sec-Fetch-Site: same-site"], false), (["Sec-Fetch-Site: none"], false),
            (["Sec-Fetch-Site: cross-site"], false), (["Sec-Fetch-Site: same-origin", "Origin: https://app.example"], true),
            // Our pages hide the referrer, and with it the origin.
            (["Sec-Fetch-Site: same-origin", "Origin: null"], true),
            (["Sec-Fetch-Site: same-origin", "Origin: https://evil.example"], false),
            (["Sec-Fetch-Site: cross-site", "Origin: https://app.example"], false), (["Sec-Fetch-Site: "], false),
        ] as [([String], Bool)])
    func ownPage(headers: [String], isOwn: Bool) throws {
        let head = try EndpointBench.head("POST", "/_gateway/account/delete", headers)
        #expect(try EndpointBench().context.site.provesOwnPage(head) == isOwn)
    }

    @Test(
        "without accounts there is none of their endpoints",
        arguments: [
            "/account", "/account/delete", "/account/password", "/account/email", "/link/x", "/unlink/x", "/reauthenticate", "/sign-up",
            "/verify-email", "/password/reset", "/password/new", "/login/password/x",
        ])
    func absent(path: String) async throws {
        for method in ["GET", "POST"] {
            #expect(try await EndpointBench().response(method, path, ["Origin: https://app.example"]).status == 404, "\(method)")
        }
    }
}

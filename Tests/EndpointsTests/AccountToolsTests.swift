import RecordedExchanges
import Accounts
import Config
import HTTPWire
import Primitives
import SecondFactors
import Sessions
import Testing
import TokenCrypto

@testable import Endpoints

@Suite("Tools of the account endpoints")
struct AccountToolsTests {
    private static let ring = SealingKeyRing(keys: [[UInt8](repeating: 9, count: 32)], purpose: "accounts")
    private static let host = HostCookies(name: "session", secure: true)
    private static let account = Account(uid: "b", createdAt: 0, revision: 4)
    private static let work = PendingMerge(BegunMerge(previous: "a"), of: account, now: 0)

    private static func cookies(_ sent: [(name: String, value: String)], site: String = "https://app.example", ring: SealingKeyRing = ring)
        -> PendingCookies
    {
        PendingCookies(host, BrowserSeal(ring: ring, site: site), sent: sent)
    }

    private static func pair(_ line: String) -> (name: String, value: String) {
        let parts = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts[1])
    }

    private static func value() throws -> String {
        let lines = try #require(cookies([]).lines(work, in: .work))
        #expect(lines.count == 1 && lines[0].hasPrefix("__Host-session-pending="))
        return pair(lines[0]).value
    }

    private static func open(_ values: [String], now: Int64 = 0, ring: SealingKeyRing = ring, site: String = "https://app.example")
        -> PendingMerge?
    {
        cookies(values.map { (host.pending, $0) }, site: site, ring: ring).open(BegunMerge.self, in: .work, now: now)
    }

    @Test func `what waits for a sign-in comes back until it expires, once in a request, at its site and under its keys`() throws {
        let value = try Self.value()
        #expect(Self.open([value]) == Self.work)
        #expect(Self.open([value], now: 600_000) == nil)
        #expect(Self.open([value, value]) == nil, "another set one of them")
        #expect(Self.open([value], ring: SealingKeyRing(keys: [[UInt8](repeating: 8, count: 32)], purpose: "accounts")) == nil)
        #expect(Self.open([value], site: "https://other.example") == nil)
        let elsewhere = [(Self.host.passkey, value), (Self.host.factor(0), value)]
        for slot in [PendingCookies.Slot.work, .passkey, .factor] {
            #expect(Self.cookies(elsewhere).open(BegunMerge.self, in: slot, now: 0) == nil, "the name is part of the seal")
        }
        #expect(Self.cookies([(Self.host.pending, value)]).deletions(of: .work).count == 1)
        #expect(Self.cookies(elsewhere).deletions(of: .work).isEmpty)
    }

    @Test func `a long sign-in takes several cookies, and a short one after it deletes the rest`() throws {
        let long = PendingSecondFactor(Self.account, task: .verify, session: [UInt8](repeating: 1, count: 5_000), now: 0)
        let lines = try #require(Self.cookies([]).lines(long, in: .factor))
        let sent = lines.map(Self.pair)
        #expect(sent.map(\.name) == ["__Host-session-factor", "__Host-session-factor.1", "__Host-session-factor.2"])
        #expect(Self.cookies(sent).open(WaitingSignIn.self, in: .factor, now: 0) == long)
        #expect(Self.cookies(sent.dropLast()).open(WaitingSignIn.self, in: .factor, now: 0) == nil)
        let short = PendingSecondFactor(Self.account, task: .verify, session: [1], now: 0)
        #expect(Self.cookies(sent).lines(short, in: .factor)?.dropFirst().map { Self.pair($0).value } == ["", ""])
        let huge = PendingSecondFactor(Self.account, task: .verify, session: [UInt8](repeating: 1, count: 20_000), now: 0)
        #expect(Self.cookies([]).lines(huge, in: .factor) == nil)
    }

    @Test func `no change of any byte of it opens`() throws {
        let bytes = try #require(Base64URL.decode(try Self.value()))
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
            "/account", "/account/pending", "/account/delete", "/account/password", "/account/email", "/link/x", "/unlink/x",
            "/reauthenticate", "/sign-up",
            "/verify-email", "/password/reset", "/password/new", "/login/password/x",
        ])
    func absent(path: String) async throws {
        for method in ["GET", "POST"] {
            #expect(try await EndpointBench().response(method, path, ["Origin: https://app.example"]).status == 404, "\(method)")
        }
    }
}

import Accounts
import Foundation
import Primitives
import Sessions
import SignIn
import Testing
import TokenCrypto

@testable import Endpoints
@testable import SecondFactors

/// What a version has sealed for some minutes, opened at the time at which it was recorded (`Fixtures/compat`).
///
/// During an upgrade, a browser returns to the new program with the cookie of the old one.
@Suite("Sealed values of released versions open") struct RecordedValuesTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/compat")

    static let versions: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.first?.isNumber == true }.sorted()
    }()

    private let cookies = SessionCookies(publicURL: true)

    private func recorded(_ version: String, _ list: String) throws -> [JSONValue] {
        let file = Self.folder.appendingPathComponent("\(version)/short-lived.json")
        return try #require(try JSONValue(parsing: Array(Data(contentsOf: file)))[list]?.array)
    }

    private func ring(_ item: JSONValue, _ key: String, _ purpose: String) throws -> SealingKeyRing {
        let key = try #require(item[key]?.string.flatMap { Data(base64Encoded: $0) })
        return SealingKeyRing(keys: [Array(key)], purpose: purpose)
    }

    private func pending(_ version: String, _ kind: String) throws -> (item: JSONValue, ring: SealingKeyRing, now: Int64) {
        let item = try #require(try recorded(version, "pending").first { $0["kind"]?.string == kind })
        return (item, try ring(item, "accountsKey", "accounts"), try #require(item["time"]?.integer))
    }

    private func pairs(_ item: JSONValue) -> [(name: String, value: String)] {
        (item["cookies"]?.object ?? [:]).map { ($0.key, $0.value.string ?? "") }
    }

    @Test func `There are recorded versions`() { #expect(!Self.versions.isEmpty) }

    @Test(arguments: versions)
    func `A sign-in that has begun can be finished`(version: String) throws {
        let items = try recorded(version, "transactions")
        #expect(items.count >= 7)
        for item in items {
            let ring = try ring(item, "sessionKey", "login")
            let (name, authorization) = (try #require(item["cookie"]?.string), try #require(item["authorization"]))
            let transaction = try #require(
                LoginTransaction(sealed: item["value"]?.string ?? "", with: ring, cookieName: name), "\(item["name"] as Any)")
            #expect(transaction.state == authorization["state"]?.string)
            #expect(transaction.nonce == authorization["nonce"]?.string)
            #expect(transaction.challenge == authorization["code_challenge"]?.string)
            #expect(transaction.redirectURI == authorization["redirect_uri"]?.string)
            #expect(try !transaction.isExpired(now: #require(item["time"]?.integer)))
            #expect(name.hasSuffix("-login-" + transaction.id.text))
            #expect(transaction.proofKey.flatMap(ProofKey.init)?.thumbprint == authorization["dpop_jkt"]?.string)
            #expect(transaction.purpose.uid == item["uid"]?.string)
            #expect(transaction.purpose.isReauthentication == (item["name"]?.string == "reauthenticate"))
        }
    }

    @Test(arguments: versions)
    func `A sign-in that waits for its second factor goes on`(version: String) throws {
        guard let (item, opened) = try waiting(version, "second factor", WaitingSignIn.self, .factor) else { return }
        #expect(opened.uid == item["uid"]?.string)
        #expect(opened.task == .verify)
        #expect(!opened.session.isEmpty)
    }

    @Test(arguments: versions)
    func `The challenge of a passkey is still ours`(version: String) throws {
        guard let (item, opened) = try waiting(version, "passkey", PasskeyChallenge.self, .passkey) else { return }
        #expect(opened.uid.isEmpty && Base64URL.encode(opened.challenge) == item["challenge"]?.string)
    }

    @Test(arguments: versions)
    func `An identity that met a conflict can be linked`(version: String) throws {
        guard let (item, opened) = try waiting(version, "conflict", ConflictingIdentity.self, .work) else { return }
        #expect(opened.uid == item["uid"]?.string && opened.identity.subject == item["subject"]?.string)
    }

    /// Version 0.1.0 sealed an enrolment for the account alone. Later ones seal it for a session whose reference only the gateway knows, so
    /// nobody can record them.
    @Test(arguments: versions)
    func `An enrolment that was not begun in this session is refused`(version: String) throws {
        guard let item = try recorded(version, "pending").first(where: { $0["kind"]?.string == "enrolment" }) else { return }
        let seal = BrowserSeal(ring: try ring(item, "accountsKey", "accounts"), site: "https://app.example.com")
        let (text, now) = (try #require(item["value"]?.string), try #require(item["time"]?.integer))
        for browser in [BrowserBinding.session(""), .session(item["uid"]?.string ?? ""), .cookie(""), .signIn([])] {
            #expect(PendingEnrolment(text, with: seal, for: browser, now: now) == nil)
        }
        #expect(try isRetired("enrolment", version))
    }

    private func isRetired(_ kind: String, _ version: String) throws -> Bool {
        let retired = try String(contentsOf: Self.folder.appendingPathComponent("retired.txt"), encoding: .utf8)
        return retired.split(separator: "\n").contains { $0.hasPrefix("\(version) pending/\(kind) ") }
    }

    /// What a browser of an earlier version has waiting; nil where a later version broke it on purpose (`Fixtures/compat/retired.txt`). It does
    /// not open then: the user starts again, and nothing is misread.
    private func waiting<Payload>(
        _ version: String, _ kind: String, _ payload: Payload.Type, _ slot: PendingCookies.Slot
    ) throws -> (JSONValue, Pending<Payload>)? {
        let (item, ring, now) = try pending(version, kind)
        let isRetired = try isRetired(kind, version)
        let browser = PendingCookies(cookies.host, BrowserSeal(ring: ring, site: item["site"]?.string ?? ""), sent: pairs(item))
        let opened = browser.open(payload, in: slot, now: now)
        #expect((opened == nil) == isRetired)
        return opened.map { (item, $0) }
    }
}

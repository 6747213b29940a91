import Accounts
import Sessions
import Testing

@Suite struct SessionTests {
    private let session = Example.session()

    @Test func `each login has a new id of 128 bits (MCL 08/11/2026: session fixation)`() {
        let ids = (0..<1000).map { _ in Example.session().id }
        #expect(ids.allSatisfy { $0.count == 16 } && Set(ids).count == 1000)
    }

    @Test func `a refresh keeps who and when, and counts`() throws {
        var identity = Example.identity
        identity.groups = ["staff", "admins"]
        let new = Session.Tokens(accessToken: "a2", accessTokenExpiresAt: Example.start + 900_000, refreshToken: "r2", idToken: "i2")
        let refreshed = try #require(session.refreshed(tokens: new, identity: identity, now: Example.start + 1000))
        #expect(refreshed.id == session.id && refreshed.uid == session.uid && refreshed.authTime == session.authTime)
        #expect(refreshed.issuedAt == session.issuedAt && refreshed.providerSessionID == session.providerSessionID)
        #expect(refreshed.generation == 1 && refreshed.seenAt == Example.start + 1000)
        #expect(refreshed.tokens == new && refreshed.identity.groups == ["staff", "admins"])
        #expect(refreshed.refreshed(tokens: new, identity: nil, now: Example.start)?.generation == 2)
    }

    @Test func `RFC 6749 section 6: without a new refresh token the old one stays`() throws {
        let refreshed = try #require(session.refreshed(tokens: .init(accessToken: "a2"), identity: nil, now: Example.start))
        #expect(
            refreshed.tokens == .init(accessToken: "a2", refreshToken: "refresh", idToken: "header.payload.signature"))
        #expect(refreshed.identity == session.identity)
    }

    @Test(
        "OpenID Connect Core section 12.2: a refresh never makes it another person's session", arguments: ["subject", "issuer", "provider"])
    func otherPerson(field: String) {
        var other = Example.identity
        switch field {
        case "subject": other.subject += "\u{301}"
        case "issuer": other.issuer += "/"
        default: other.provider = "oidc.other"
        }
        #expect(session.refreshed(tokens: .init(accessToken: "a2"), identity: other, now: Example.start) == nil)
    }
}

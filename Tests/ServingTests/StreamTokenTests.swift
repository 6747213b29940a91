import Decisions
import Endpoints
import Sessions
import Testing

@testable import Serving

/// Times in milliseconds since the stream was opened.
@Suite("Tokens of tunnels and event streams")
struct StreamTokenTests {
    private let limits = SessionLimits(idle: 3_600_000, absolute: 7_200_000)
    private let presented = PresentedToken("token")

    private func token(expiresAt: Int64 = .max, introspectedUntil: Int64?) -> StreamToken {
        StreamToken(
            presented, client: ClientShare("192.0.2.7".utf8), expiresAt: expiresAt, introspectedUntil: introspectedUntil, now: 0)
    }

    @Test func `a token without an end counts no longer than a session may live`() {
        let token = token(introspectedUntil: nil)
        #expect(token.nextCheck(limits) == 7_200_000)
        #expect(token.step(limits, now: 7_199_999) == .none)
        #expect(token.step(limits, now: 7_200_000) == .end(reason: "absolute-limit"))
    }

    @Test func `a token that was verified here counts to its end`() {
        let token = token(expiresAt: 600_000, introspectedUntil: nil)
        #expect(token.nextCheck(limits) == 600_000)
        #expect(token.step(limits, now: 599_999) == .none)
        #expect(token.step(limits, now: 600_000) == .end(reason: "token-expired"))
    }

    @Test func `the provider is asked again about a token that it was asked about`() {
        var token = token(introspectedUntil: 60_000)
        #expect(token.nextCheck(limits) == 60_000)
        #expect(token.step(limits, now: 59_999) == .none)
        #expect(token.step(limits, now: 60_000) == .verify)
        token.beginVerification()
        #expect(token.step(limits, now: 61_000) == .none, "once at a time")
        token.verified(until: 121_000, expiresAt: 130_000)
        #expect(token.step(limits, now: 120_999) == .none)
        #expect(token.step(limits, now: 121_000) == .verify)
        #expect(token.step(limits, now: 130_000) == .end(reason: "token-expired"))
    }

    @Test func `a provider that gives no answer is asked again for five minutes, then the stream ends`() {
        var token = token(introspectedUntil: 60_000)
        token.beginVerification()
        token.wasNotAnswered(now: 70_000)
        #expect(token.nextCheck(limits) == 80_000)
        #expect(token.step(limits, now: 79_999) == .none)
        #expect(token.step(limits, now: 80_000) == .verify)
        #expect(token.step(limits, now: 359_999) == .verify)
        #expect(token.step(limits, now: 360_000) == .end(reason: "token-unverified"))
    }

    @Test func `a stream whose token is not known ends`() {
        let token = StreamToken(nil, client: ClientShare("unix".utf8), expiresAt: .max, introspectedUntil: nil, now: 0)
        #expect(token.step(limits, now: 0) == .end(reason: "token-unverified"))
    }
}

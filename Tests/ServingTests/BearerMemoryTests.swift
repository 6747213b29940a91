import Decisions
import Accounts
import Sessions
import SignIn
import Testing

@testable import Serving

@Suite("What is remembered about bearer tokens")
struct BearerMemoryTests {
    private let refused = BearerTokens.Verdict.refused(.opaque, provider: nil)
    private let accepted = BearerTokens.Verdict.accepted(
        .init(
            session: .presented(
                for: AccountOutcome(supposing: ProviderIdentity(provider: "oidc.dev", issuer: "https://id.example", subject: "alice")),
                authTime: nil, issuedAt: 0, providerSessionID: nil),
            provider: "oidc.dev", nonce: nil, isIDToken: true, until: .max, expiresAt: .max, isIntrospected: false))

    private func isAccepted(_ verdict: BearerTokens.Verdict?) -> Bool { if case .accepted? = verdict { true } else { false } }

    @Test func `refusals make room before tokens that are accepted`() {
        var memory = BearerMemory<Int>(capacity: 8)
        for key in 0..<4 { memory.insert(accepted, of: key, until: 100) }
        for key in 4..<1_000 { memory.insert(refused, of: key, until: 100) }
        #expect((0..<4).allSatisfy { isAccepted(memory.verdict(of: $0, now: 0)) })
        #expect(memory.verdict(of: 999, now: 0) != nil)
        #expect(memory.verdict(of: 4, now: 0) == nil)
    }

    @Test func `an entry counts until its time is over`() {
        var memory = BearerMemory<Int>(capacity: 8)
        memory.insert(accepted, of: 1, until: 100)
        #expect(memory.verdict(of: 1, now: 99) != nil)
        #expect(memory.verdict(of: 1, now: 100) == nil)
    }

    @Test func `a full memory forgets one token at a time, and not those in use`() {
        var memory = BearerMemory<Int>(capacity: 8)
        for key in 0..<8 { memory.insert(accepted, of: key, until: 100) }
        _ = memory.verdict(of: 0, now: 0)
        memory.insert(accepted, of: 8, until: 100)
        #expect((0...8).filter { memory.verdict(of: $0, now: 0) != nil } == [0, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test func `the last verdict on a token counts`() {
        var memory = BearerMemory<Int>(capacity: 8)
        memory.insert(accepted, of: 1, until: 100)
        memory.insert(refused, of: 1, until: 100)
        #expect(memory.verdict(of: 1, now: 0) != nil && !isAccepted(memory.verdict(of: 1, now: 0)))
        memory.insert(accepted, of: 1, until: 100)
        #expect(isAccepted(memory.verdict(of: 1, now: 0)))
    }
}

import Testing
import TokenCrypto

@testable import Accounts

@Suite("Sealed pending credentials")
struct PendingCredentialTests {
    private let ring = SealingKeyRing(keys: [[UInt8](repeating: 7, count: 32)], purpose: "accounts")
    private let pending = PendingCredential(
        id: "id", uid: "uid", identity: Example.linked(Example.identity()), runsMailbox: true, expiresAt: Example.now + 600_000)

    @Test func `opens in the browser that it was sealed for, until it expires`() {
        let sealed = pending.sealed(with: ring, browser: [1])
        #expect(PendingCredential.open(sealed, with: ring, browser: [1], now: Example.now) == pending)
        #expect(PendingCredential.open(sealed, with: ring, browser: [2], now: Example.now) == nil)
        #expect(PendingCredential.open(sealed, with: ring, browser: [1], now: Example.now + 600_000) == nil)
        #expect(sealed.utf8.count < 1_000)
    }

    @Test func `a bare identity survives`() {
        let identity = LinkedIdentity(provider: "p", issuer: "i", subject: "s", linkedAt: 1)
        let bare = PendingCredential(id: "id", uid: "uid", identity: identity, runsMailbox: false, expiresAt: Example.now + 1)
        #expect(PendingCredential.open(bare.sealed(with: ring, browser: []), with: ring, browser: [], now: Example.now) == bare)
    }

    @Test func `a forged one does not open`() {
        let other = SealingKeyRing(keys: [[UInt8](repeating: 8, count: 32)], purpose: "accounts")
        let sealed = pending.sealed(with: ring, browser: [])
        for text in [pending.sealed(with: other, browser: []), "", "x", String(sealed.dropLast(2)), String(repeating: "A", count: 9_000)] {
            #expect(PendingCredential.open(text, with: ring, browser: [], now: Example.now) == nil)
        }
    }
}

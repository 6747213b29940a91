import Testing
import TokenCrypto

@testable import Accounts

@Suite("Sealed pending values")
struct PendingCredentialTests {
    private let ring = SealingKeyRing(keys: [[UInt8](repeating: 7, count: 32)], purpose: "accounts")
    private let browser = BrowserBinding.cookie("pending")
    private let pending = PendingCredential(
        ConflictingIdentity(Example.linked(Example.identity()), runsMailbox: true), of: Example.account(), now: Example.now
    ).leading(to: "/deep?x=1")

    private var seal: BrowserSeal { BrowserSeal(ring: ring, site: "https://app.example") }

    @Test func `opens in the browser that it was sealed for, until it expires`() {
        let sealed = pending.sealed(with: seal, for: browser)
        #expect(PendingCredential(sealed, with: seal, for: browser, now: Example.now) == pending)
        #expect(pending.uid == "holder" && pending.revision == 7 && pending.returnPath == "/deep?x=1")
        #expect(PendingCredential(sealed, with: seal, for: browser, now: Example.now + 600_000) == nil)
        #expect(sealed.utf8.count < 1_000)
    }

    @Test func `a bare identity survives, and a long way back does not`() {
        let identity = LinkedIdentity(provider: "p", issuer: "i", subject: "s", linkedAt: 1)
        let bare = PendingCredential(ConflictingIdentity(identity, runsMailbox: false), of: Example.account(), now: Example.now)
        #expect(PendingCredential(bare.sealed(with: seal, for: browser), with: seal, for: browser, now: Example.now) == bare)
        #expect(bare.leading(to: "/" + String(repeating: "x", count: 512)).returnPath == "/")
    }

    @Test func `no other key, site, purpose or browser opens it`() {
        let sealed = pending.sealed(with: seal, for: browser)
        let other = SealingKeyRing(keys: [[UInt8](repeating: 8, count: 32)], purpose: "accounts")
        for seal in [BrowserSeal(ring: other, site: "https://app.example"), BrowserSeal(ring: ring, site: "https://app.example.org")] {
            #expect(PendingCredential(sealed, with: seal, for: browser, now: Example.now) == nil)
        }
        for browser in [BrowserBinding.cookie("other"), .session("pending"), .signIn(Array("pending".utf8))] {
            #expect(PendingCredential(sealed, with: seal, for: browser, now: Example.now) == nil)
        }
        #expect(PendingMerge(sealed, with: seal, for: browser, now: Example.now) == nil)
        for text in ["", "x", String(sealed.dropLast(2)), String(repeating: "A", count: 30_000)] {
            #expect(PendingCredential(text, with: seal, for: browser, now: Example.now) == nil)
        }
    }

    @Test func `each value is used once by its own mark`() {
        let again = PendingCredential(pending.payload, of: Example.account(), now: Example.now)
        #expect(again.mark != pending.mark && pending.mark.expiresAt == Example.now + 600_000)
        let sealed = pending.sealed(with: seal, for: browser)
        #expect(PendingCredential(sealed, with: seal, for: browser, now: Example.now)?.mark == pending.mark)
    }
}

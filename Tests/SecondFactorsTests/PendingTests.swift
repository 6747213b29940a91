import Accounts
import Testing
import TokenCrypto

@testable import SecondFactors

@Suite("Sealed pending sign-ins and enrolments")
struct PendingTests {
    private let ring = SealingKeyRing(keys: [[UInt8](repeating: 7, count: 32)], purpose: "accounts")
    private let other = SealingKeyRing(keys: [[UInt8](repeating: 8, count: 32)], purpose: "accounts")
    private let now: Int64 = 1_800_000_000_000
    private let account = Account(uid: "uid", email: EmailAddress("ada@example.com"), verification: .mail, createdAt: 0, revision: 7)

    private func pending(_ task: PendingSecondFactor.Task = .verify) -> PendingSecondFactor {
        PendingSecondFactor(account, task: task, form: .json, payload: [1, 0, 255], now: now)
    }

    @Test(arguments: [PendingSecondFactor.Task.verify, .enrol])
    func `a pending sign-in opens in its browser, for ten minutes`(task: PendingSecondFactor.Task) {
        let pending = pending(task)
        let sealed = pending.sealed(with: ring, browser: [1])
        #expect(PendingSecondFactor.open(sealed, with: ring, browser: [1], now: now) == pending)
        #expect(PendingSecondFactor.open(sealed, with: ring, browser: [1], now: now + 599_999) == pending)
        #expect(PendingSecondFactor.open(sealed, with: ring, browser: [1], now: now + 600_000) == nil)
        #expect(PendingSecondFactor.open(sealed, with: ring, browser: [2], now: now) == nil)
        #expect(PendingSecondFactor.open(sealed, with: other, browser: [1], now: now) == nil)
        #expect(PendingSecondFactor.open(String(sealed.dropLast(2)), with: ring, browser: [1], now: now) == nil)
        for text in ["", "x", String(repeating: "A", count: 20_000)] {
            #expect(PendingSecondFactor.open(text, with: ring, browser: [1], now: now) == nil)
        }
        #expect(sealed.utf8.count < 500)
    }

    @Test func `the payload and the secret are not readable, and each pending sign-in has its own`() {
        let (one, two) = (pending(), pending())
        #expect(one.secret != two.secret && one.mark != two.mark && one.secret.subject != two.secret.subject)
        #expect(one.secret.webAuthnChallenge("a") != one.secret.webAuthnChallenge("b"))
        #expect(one.secret.webAuthnChallenge("a") != two.secret.webAuthnChallenge("a"))
        #expect(one.secret.webAuthnChallenge("a").count == 32)
        #expect(!one.mark.digest.contains(one.secret.bytes) && one.mark.digest.count == 32)
    }

    @Test func `an enrolment opens for its user, for ten minutes`() throws {
        let subjects: [PendingEnrolment.Subject] = [.totp(TOTP.secret()), .webauthn, .phone(try #require(PhoneNumber("+15551231234")))]
        for subject in subjects {
            let enrolment = PendingEnrolment(uid: "uid", subject: subject, displayName: "Näme", random: SecureRandom.bytes, now: now)
            let sealed = enrolment.sealed(with: ring)
            #expect(PendingEnrolment.open(sealed, uid: "uid", with: ring, now: now) == enrolment)
            #expect(PendingEnrolment.open(sealed, uid: "eve", with: ring, now: now) == nil)
            #expect(PendingEnrolment.open(sealed, uid: "uid", with: other, now: now) == nil)
            #expect(PendingEnrolment.open(sealed, uid: "uid", with: ring, now: now + 600_000) == nil)
        }
    }

    @Test func `a sealed text of one kind is none of another`() {
        let sealed = pending().sealed(with: ring, browser: Array("uid".utf8))
        #expect(PendingEnrolment.open(sealed, uid: "uid", with: ring, now: now) == nil)
        let facts = AccountFactors(account: account, factors: [Factor(id: "f", type: .totp, enrolledAt: 0)])
        #expect(!RememberedBrowser.isValid(sealed, facts, with: ring, now: now))
    }

    @Test func `a browser is remembered for one account, until the time, while the factor exists`() {
        let sealed = RememberedBrowser.sealed(uid: "uid", factor: "f", lifetime: 1_000, now: now, with: ring)
        var facts = AccountFactors(account: account, factors: [Factor(id: "f", type: .totp, enrolledAt: 0)])
        #expect(RememberedBrowser.isValid(sealed, facts, with: ring, now: now + 999))
        #expect(!RememberedBrowser.isValid(sealed, facts, with: ring, now: now + 1_000))
        #expect(!RememberedBrowser.isValid(sealed, facts, with: other, now: now))
        facts.factors = [Factor(id: "g", type: .totp, enrolledAt: 0)]
        #expect(!RememberedBrowser.isValid(sealed, facts, with: ring, now: now))
        facts = AccountFactors(account: Account(uid: "eve", createdAt: 0), factors: [Factor(id: "f", type: .totp, enrolledAt: 0)])
        #expect(!RememberedBrowser.isValid(sealed, facts, with: ring, now: now))
    }

    @Test(
        "names of factors",
        arguments: [
            (nil, nil), ("", nil), ("  ", nil), (" My phone ", "My phone"), ("a\u{0}b\nc\u{2028}", "abc"), ("📱 Ada’s", "📱 Ada’s"),
            (String(repeating: "x", count: 200), String(repeating: "x", count: 100)),
        ] as [(String?, String?)])
    func names(text: String?, kept: String?) { #expect(FactorName.kept(text) == kept) }
}

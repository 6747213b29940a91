import Accounts
import Primitives
import Testing
import TokenCrypto

@testable import SecondFactors

@Suite("Sealed pending sign-ins and enrolments")
struct PendingTests {
    private let ring = SealingKeyRing(keys: [[UInt8](repeating: 7, count: 32)], purpose: "accounts")
    private let other = SealingKeyRing(keys: [[UInt8](repeating: 8, count: 32)], purpose: "accounts")
    private let now: Int64 = 1_800_000_000_000
    private let account = Account(uid: "uid", email: EmailAddress("ada@example.com"), verification: .mail, createdAt: 0, revision: 7)

    private let site = "https://app.example"
    private let browser = BrowserBinding.cookie("factor")
    private var seal: BrowserSeal { BrowserSeal(ring: ring, site: site) }

    private func pending(_ task: WaitingSignIn.Task = .verify) -> PendingSecondFactor {
        PendingSecondFactor(account, task: task, session: [1, 0, 255], now: now)
    }

    @Test(arguments: [WaitingSignIn.Task.verify, .enrol])
    func `a pending sign-in opens in its browser, for ten minutes`(task: WaitingSignIn.Task) {
        let pending = pending(task)
        let sealed = pending.sealed(with: seal, for: browser)
        #expect(PendingSecondFactor(sealed, with: seal, for: browser, now: now) == pending)
        #expect(PendingSecondFactor(sealed, with: seal, for: browser, now: now + 599_999) == pending)
        #expect(PendingSecondFactor(sealed, with: seal, for: browser, now: now + 600_000) == nil)
        #expect(pending.revision == 7 && pending.uid == "uid" && pending.startedAt == now)
        #expect(sealed.utf8.count < 500)
    }

    @Test func `the payload and the secret are not readable, and each pending sign-in has its own`() {
        let (one, two) = (pending(), pending())
        #expect(one.secret != two.secret && one.mark != two.mark && one.ceremony.subject != two.ceremony.subject)
        #expect(one.binding != two.binding)
        #expect(one.ceremony.webAuthnChallenge("a") != one.ceremony.webAuthnChallenge("b"))
        #expect(one.ceremony.webAuthnChallenge("a") != two.ceremony.webAuthnChallenge("a"))
        #expect(one.ceremony.webAuthnChallenge("a").count == 32)
        #expect(!one.mark.digest.contains(one.secret) && one.mark.digest.count == 32)
    }

    @Test func `an enrolment opens in the browser that began it, for ten minutes`() throws {
        let kinds: [EnrolmentSubject.Kind] = [.totp(TOTP.secret()), .webauthn, .phone(try #require(PhoneNumber("+15551231234")))]
        for kind in kinds {
            let enrolment = PendingEnrolment(EnrolmentSubject(kind, displayName: "Näme"), of: account, now: now)
            let sealed = enrolment.sealed(with: seal, for: .session("r"))
            func open(_ browser: BrowserBinding, at time: Int64) -> PendingEnrolment? {
                PendingEnrolment(sealed, with: seal, for: browser, now: time)
            }
            #expect(open(.session("r"), at: now) == enrolment && open(.session("r"), at: now + 600_000) == nil)
            for other in [BrowserBinding.session("q"), .cookie("r"), pending().binding] { #expect(open(other, at: now) == nil) }
        }
    }

    @Test func `a sealed text of one kind is none of another`() {
        let sealed = pending().sealed(with: seal, for: browser)
        #expect(PendingEnrolment(sealed, with: seal, for: browser, now: now) == nil)
        #expect(PendingPasskey(sealed, with: seal, for: browser, now: now) == nil)
        let facts = AccountFactors(account: account, factors: [Factor(id: "f", type: .totp, enrolledAt: 0)])
        #expect(RememberedBrowser.beginning(sealed, facts, with: seal, for: browser, now: now) == nil)
    }

    @Test func `a browser is remembered for one account and one site, until the time, while the factor exists`() {
        let sealed = RememberedBrowser.sealed(
            uid: "uid", factor: "f", .init(time: now - 5, ending: 7), lifetime: 1_000, now: now, with: seal, for: browser)
        func isValid(_ facts: AccountFactors, at time: Int64, _ seal: BrowserSeal? = nil) -> Bool {
            RememberedBrowser.beginning(sealed, facts, with: seal ?? self.seal, for: browser, now: time)
                == .init(time: now - 5, ending: 7)
        }
        var facts = AccountFactors(account: account, factors: [Factor(id: "f", type: .totp, enrolledAt: 0)])
        #expect(isValid(facts, at: now + 999) && !isValid(facts, at: now + 1_000))
        #expect(!isValid(facts, at: now, BrowserSeal(ring: other, site: site)))
        #expect(!isValid(facts, at: now, BrowserSeal(ring: ring, site: "https://other.example")))
        facts.factors = [Factor(id: "g", type: .totp, enrolledAt: 0)]
        #expect(!isValid(facts, at: now))
        facts = AccountFactors(account: Account(uid: "eve", createdAt: 0), factors: [Factor(id: "f", type: .totp, enrolledAt: 0)])
        #expect(!isValid(facts, at: now))
    }

    @Test func `a browser that an earlier build remembered stays so, until the time`() {
        let members: [String: JSONValue] = ["factor": .string("f"), "exp": .integer(now + 1_000)]
        func sealed(_ uid: String) -> String {
            Base64URL.encode(
                ring.seal(JSONValue.object(members).serializedBytes(), associatedData: Array("gateway remembered browser v1\0\(uid)".utf8)))
        }
        let facts = AccountFactors(account: account, factors: [Factor(id: "f", type: .totp, enrolledAt: 0)])
        func since(_ text: String, at time: Int64) -> RememberedBrowser.Beginning? {
            RememberedBrowser.beginning(text, facts, with: seal, for: browser, now: time)
        }
        // As early as it can have begun: whatever `rememberBrowser` was then, an ending since then counts.
        let greatest: Int64 = 36_500 * 86_400_000
        #expect(since(sealed("uid"), at: now) == .init(time: now + 1_000 - greatest, ending: .max))
        #expect(since(sealed("uid"), at: now + 1_000) == nil && since(sealed("eve"), at: now) == nil)
    }

    @Test(
        "names of factors",
        arguments: [
            (nil, nil), ("", nil), ("  ", nil), (" My phone ", "My phone"), ("a\u{0}b\nc\u{2028}", "abc"), ("📱 Ada’s", "📱 Ada’s"),
            (String(repeating: "x", count: 200), String(repeating: "x", count: 100)),
        ] as [(String?, String?)])
    func names(text: String?, kept: String?) { #expect(FactorName.kept(text) == kept) }
}

import Testing
import TokenCrypto

@testable import SecondFactors

@Suite("TOTP")
struct TOTPTests {
    /// The ASCII secret of RFC 4226 appendix D and RFC 6238 appendix B.
    private let secret = TOTPSecret(bytes: Array("12345678901234567890".utf8))

    @Test("RFC 4226 appendix D", arguments: zip(Int64(0)..<10, Self.hotpCodes))
    func counters(counter: Int64, code: String) { #expect(TOTP.code(secret, counter: counter) == code) }

    private static let hotpCodes = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]

    /// The RFC's codes have eight digits; the last six are those of six digits.
    @Test("RFC 6238 appendix B, SHA-1", arguments: Self.totpCodes)
    func times(seconds: Int64, counter: Int64, code: String) {
        #expect(TOTP.code(secret, counter: counter) == String(code.suffix(6)))
        #expect(TOTP.acceptedStep(String(code.suffix(6)), secret, after: nil, now: seconds * 1_000) == counter)
    }

    private static let totpCodes: [(Int64, Int64, String)] = [
        (59, 0x1, "94287082"), (1_111_111_109, 0x23523EC, "07081804"), (1_111_111_111, 0x23523ED, "14050471"),
        (1_234_567_890, 0x273EF07, "89005924"), (2_000_000_000, 0x3F940AA, "69279037"), (20_000_000_000, 0x27BC86AA, "65353130"),
    ]

    @Test("a code counts one step before and after its own", arguments: [(-2, false), (-1, true), (0, true), (1, true), (2, false)])
    func window(steps: Int64, isAccepted: Bool) throws {
        let now: Int64 = 2_000_000_000_000
        let code = try #require(TOTP.code(secret, counter: now / TOTP.step + steps))
        #expect(TOTP.acceptedStep(code, secret, after: nil, now: now) == (isAccepted ? now / TOTP.step + steps : nil))
    }

    @Test func `the bounds of a step are exact`() throws {
        let step: Int64 = 66_666_666
        let code = try #require(TOTP.code(secret, counter: step))
        let first = (step - 1) * TOTP.step
        let last = (step + 2) * TOTP.step - 1
        #expect(TOTP.acceptedStep(code, secret, after: nil, now: first) == step)
        #expect(TOTP.acceptedStep(code, secret, after: nil, now: first - 1) == nil)
        #expect(TOTP.acceptedStep(code, secret, after: nil, now: last) == step)
        #expect(TOTP.acceptedStep(code, secret, after: nil, now: last + 1) == nil)
    }

    @Test func `a step that was used, and an earlier one, are refused`() throws {
        let now: Int64 = 2_000_000_000_000
        let step = now / TOTP.step
        let code = try #require(TOTP.code(secret, counter: step))
        #expect(TOTP.acceptedStep(code, secret, after: step - 1, now: now) == step)
        #expect(TOTP.acceptedStep(code, secret, after: step, now: now) == nil)
        #expect(TOTP.acceptedStep(code, secret, after: step + 1, now: now) == nil)
    }

    @Test(
        "spaces and dashes are ignored, anything else is no code",
        arguments: [
            ("287 082", true), (" 287-082 ", true), ("28708", false), ("2870821", false), ("28708x", false), ("", false), ("２８７０８２", false),
            ("+287082", false), (String(repeating: " ", count: 40) + "287082", false),
        ])
    func spelling(text: String, isAccepted: Bool) {
        #expect((TOTP.acceptedStep(text, secret, after: nil, now: 59_000) != nil) == isAccepted)
    }

    @Test func `times at the edges end nothing`() {
        for now in [Int64.min, -1, 0, 1, 29_999, Int64.max] { _ = TOTP.acceptedStep("000000", secret, after: nil, now: now) }
        #expect(TOTP.acceptedStep(TOTP.code(secret, counter: 0) ?? "", secret, after: nil, now: 0) == 0)
    }

    @Test func `a secret has 160 bits, and its text is base32 without padding`() {
        #expect(TOTP.secret().bytes.count == 20)
        #expect(TOTP.secret() != TOTP.secret())
        #expect(secret.text == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        #expect("\(secret)" == "<redacted>")
    }

    @Test func `the URI has the issuer twice, percent-encoded`() {
        #expect(
            TOTP.uri(secret, issuer: "Äpp & Co: Ltd", account: "ada+x@example.com")
                == "otpauth://totp/%C3%84pp%20%26%20Co%20Ltd:ada%2Bx%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                + "&issuer=%C3%84pp%20%26%20Co%20Ltd&algorithm=SHA1&digits=6&period=30")
    }
}

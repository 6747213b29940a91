import Testing
import TokenCrypto

@testable import SecondFactors

@Suite("Recovery codes, telephone numbers and message codes")
struct CodeTests {
    @Test func `a set has ten codes of 80 bits in groups that are easy to read`() {
        let codes = RecoveryCode.set()
        #expect(codes.count == 10 && Set(codes.map(\.text)).count == 10)
        for code in codes {
            #expect(code.text.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}/) != nil)
            #expect(RecoveryCode(code.text) == code)
        }
        // Each byte gives five bits, all of them used.
        let all = RecoveryCode.set { count in (0..<count).map { UInt8($0 * 2 + 1) } }
        #expect(all[0].text == "1357-9BDF-HKNQ-SVXZ")
    }

    @Test(
        "a code is read in any case, with any separators, and O, I and L as digits",
        arguments: [
            "7k3m-xq2p-9trb-40z1", "7K3MXQ2P9TRB40Z1", " 7k3m xq2p 9trb 4oz1 ", "7K3M-XQ2P-9TRB-4OZI", "7k3m-xq2p-9trb-4ozl",
        ])
    func spelling(text: String) { #expect(RecoveryCode(text)?.text == "7K3M-XQ2P-9TRB-40Z1") }

    @Test(
        "other texts are no codes",
        arguments: [
            "", "7K3M-XQ2P-9TRB-40Z", "7K3M-XQ2P-9TRB-40Z11", "7K3M-XQ2P-9TRB-40ZU", "7K3M_XQ2P_9TRB_40Z1", "７K3M-XQ2P-9TRB-40Z1",
            String(repeating: "-", count: 60) + "7K3MXQ2P9TRB40Z1", "ß", "ŉ",
        ])
    func invalid(text: String) { #expect(RecoveryCode(text) == nil) }

    @Test func `the digest depends on the account and the code, not on the spelling`() throws {
        let code = try #require(RecoveryCode("7K3M-XQ2P-9TRB-40Z1"))
        #expect(code.digest(uid: "a") == RecoveryCode("7k3mxq2p9trb4ozi")?.digest(uid: "a"))
        #expect(code.digest(uid: "a") != code.digest(uid: "b"))
        #expect(code.digest(uid: "a").count == 32)
        #expect("\(code)" == "<redacted>")
    }

    @Test(
        "E.164",
        arguments: [
            ("+15551231234", true), ("+4915112345678", true), ("+1234567", true), ("+123456789012345", true), ("+123456", false),
            ("+1234567890123456", false), ("15551231234", false), ("+05551231234", false), ("+1 555 123 1234", false),
            ("+1555123123x", false),
            ("＋15551231234", false), ("+１５５５１２３１２３４", false), ("", false), ("+", false), ("++5551231234", false), ("+15551231234\n", false),
        ])
    func phoneNumbers(text: String, isValid: Bool) { #expect((PhoneNumber(text) != nil) == isValid) }

    @Test func `a number is masked as in the contract, whatever its length`() {
        #expect(PhoneNumber("+15551231234")?.masked == "+•••••••1234")
        #expect(PhoneNumber("+491511234567890")?.masked == "+•••••••7890")
        #expect(PhoneNumber("+1234567")?.masked == "+•••••••4567")
    }

    @Test func `message codes have six digits, and no number is likelier than another`() {
        func code(_ number: UInt32, _ then: UInt32 = 7) -> String {
            var numbers = [number, then]
            return MessageCode { _ in
                let next = numbers.removeFirst()
                return (0..<4).map { UInt8(truncatingIfNeeded: next >> (24 - 8 * UInt32($0))) }
            }.text
        }
        #expect(code(0) == "000000" && code(42) == "000042" && code(1_999_999) == "999999")
        #expect(code(4_293_999_999) == "999999", "the last number before the limit")
        #expect(code(4_294_000_000) == "000007" && code(.max) == "000007", "numbers from the limit on are drawn again")
        #expect(Set((0..<50).map { _ in MessageCode().text }).count > 40)
        #expect(MessageCode().text.utf8.count == 6)
    }

    @Test func `a stored code needs the secret of its ceremony`() throws {
        let one = try #require(MessageCode.digest("123456", secret: [1], subject: "f"))
        #expect(one == MessageCode.digest("123 456", secret: [1], subject: "f"))
        #expect(one != MessageCode.digest("123456", secret: [2], subject: "f"))
        #expect(one != MessageCode.digest("123456", secret: [1], subject: "g"))
        #expect(one != MessageCode.digest("123457", secret: [1], subject: "f"))
        #expect(MessageCode.digest("12345", secret: [1], subject: "f") == nil)
        #expect(MessageCode.challenge(secret: [1], subject: "f") != MessageCode.challenge(secret: [2], subject: "f"))
        #expect(MessageCode.challenge(secret: [1], subject: "f") != MessageCode.challenge(secret: [1], subject: "g"))
    }
}

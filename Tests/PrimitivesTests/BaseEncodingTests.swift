import Primitives
import TestTools
import Testing

@Suite struct BaseEncodingTests {
    @Test(
        "RFC 4648 section 10: the test vectors",
        arguments: [
            ("", "", "", ""),
            ("f", "Zg==", "Zg", "my"),
            ("fo", "Zm8=", "Zm8", "mzxq"),
            ("foo", "Zm9v", "Zm9v", "mzxw6"),
            ("foob", "Zm9vYg==", "Zm9vYg", "mzxw6yq"),
            ("fooba", "Zm9vYmE=", "Zm9vYmE", "mzxw6ytb"),
            ("foobar", "Zm9vYmFy", "Zm9vYmFy", "mzxw6ytboi"),
        ])
    func vectors(text: String, base64: String, base64URL: String, base32: String) {
        #expect(Base64.encode(Array(text.utf8)) == base64)
        #expect(Base64.decode(base64) == Array(text.utf8))
        #expect(Base64URL.encode(Array(text.utf8)) == base64URL)
        #expect(Base64URL.decode(base64URL) == Array(text.utf8))
        #expect(Base32.lowercased(Array(text.utf8)) == base32)
    }

    @Test func `RFC 4648 section 5: the two alphabets differ in two symbols`() {
        #expect(Base64.encode([0xFB, 0xEF, 0xFF]) == "++//")
        #expect(Base64URL.encode([0xFB, 0xEF, 0xFF]) == "--__")
    }

    @Test(
        "RFC 7515 section 2: anything but the one unpadded spelling is refused",
        arguments: [
            "Zg==", "Zm8=", "Zg=", "=", "Z", "Zm9vY", "Zh", "Zm9", "++//", "Zm 8", "Zm8\n", "\nZm8", "Zm9v\r\n", "Zm9é", "Zm9v.", "Zm\09v",
        ])
    func refusedURL(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test(
        "RFC 4648 section 3.5: base64 without its padding or with bits left over is refused",
        arguments: [
            "Zg", "Zg=", "Zg===", "Zm8", "Zm8==", "Zm9v====", "====", "Z===", "=Zm8", "Zg==Zg==", "Zh==", "Zm9=", "--__", "Zm8=\n", "Zm 8",
            "Zg=a",
        ])
    func refusedStandard(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(.seeded) func `every length comes back`() {
        var generator = SeededGenerator()
        for length in 0...300 {
            let random = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            #expect(Base64.decode(Base64.encode(random)) == random)
            #expect(Base64URL.decode(Base64URL.encode(random)) == random)
            #expect(Base32.lowercased(random).utf8.count == (length * 8 + 4) / 5)
        }
    }

    @Test(
        "Keys of the configuration: either alphabet, with or without padding",
        arguments: [("Zg==", "f"), ("Zg", "f"), ("Zm8=", "fo"), ("Zm8", "fo"), ("Zm9v", "foo"), ("", "")])
    func eitherAlphabet(text: String, expected: String) {
        #expect(Base64.decodeAny(text) == Array(expected.utf8))
        #expect(Base64.decodeAny("+-/_") == Base64.decode("++//"))
    }

    @Test("Other spellings of such keys are refused", arguments: ["Z", "Zg=", "Zg===", "=", "====", "Zh", "Zm9=", "Zm 8", "Zm8\n", "Zg=a"])
    func refusedEither(text: String) { #expect(Base64.decodeAny(text) == nil) }
}

import Primitives
import Testing

@Suite struct JSONEscapingTests {
    private func escaped(_ text: String, alsoEscaping isEscaped: (Unicode.Scalar) -> Bool = { _ in false }) -> String {
        var bytes: [UInt8] = []
        JSONEscaping.append(text, to: &bytes, alsoEscaping: isEscaped)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "RFC 8259 section 7: quotes, backslashes and controls are escaped",
        arguments: [
            ("plain <&>", "plain <&>"), ("a\"b\\c", #"a\"b\\c"#), ("\n\r\t", #"\n\r\t"#), ("\u{0}\u{1F}\u{7F}", #"\u0000\u001f\u007f"#),
            ("é€😀\u{85}", "é€😀\u{85}"),
        ])
    func controls(text: String, expected: String) { #expect(escaped(text) == expected) }

    @Test("A caller names other characters")
    func additions() { #expect(escaped("a<é\u{2028}") { $0 == "<" || $0 == "\u{2028}" } == #"a\u003cé\u2028"#) }
}

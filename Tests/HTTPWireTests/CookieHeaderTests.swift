import HTTPWire
import Primitives
import TestTools
import Testing

@Suite struct CookieHeaderTests {
    private func cookiePairs(_ bytes: [UInt8]) -> [CookiePair] {
        var found: [CookiePair] = []
        var pairs = CookieHeader(bytes.span.bytes)
        while let pair = pairs.next() { found.append(pair) }
        return found
    }

    private func pairs(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        return cookiePairs(bytes).map { string($0.name) + "→" + string($0.value) }
    }

    private func lookup(_ name: String, _ text: String) -> String {
        withBytes(text) { bytes in
            switch withBytes(name, { CookieHeader.value(named: $0, in: bytes) }) {
            case .none: "none"
            case .several: "several"
            case .one(let range): "one:" + String(decoding: bytes.extracting(range))
            }
        }
    }

    private func stripped(_ text: String, names: Set<String>) -> (text: String, survivors: Int) {
        var output: [UInt8] = []
        let survivors = withBytes(text) { bytes in
            CookieHeader.strippingPairs(from: bytes, into: &output) { names.contains(String(decoding: $0)) }
        }
        return (String(decoding: output, as: UTF8.self), survivors)
    }

    @Test(
        "RFC 6265bis section 5.7: pairs are read tolerantly and nothing is decoded",
        arguments: [
            ("a=b", ["a→b"]), ("a=b; c=d", ["a→b", "c→d"]), ("a=b;c=d", ["a→b", "c→d"]), ("  a = b ;\tc=d ", ["a→b", "c→d"]), ("", []),
            (";;; ;", []), ("a", ["→a"]), ("=a", ["→a"]), ("a=", ["a→"]), ("=", ["→"]), ("a=b=c==", ["a→b=c=="]),
            ("a=\"x y\"", ["a→\"x y\""]), ("a=\"x;b=1\"", ["a→\"x", "b→1\""]), ("a=b; a=c", ["a→b", "a→c"]),
            ("a=b,c=d", ["a→b,c=d"]), ("a=%3B", ["a→%3B"]), ("a=é", ["a→é"]), ("a=\u{1}; b=\u{7F}", ["a→\u{1}", "b→\u{7F}"]),
            ("a=b;", ["a→b"]), ("; a=b", ["a→b"]), ("a= =b", ["a→=b"]), ("a=   ", ["a→"]), ("__Host-session=x", ["__Host-session→x"]),
        ] as [(String, [String])])
    func reading(_ text: String, _ expected: [String]) {
        #expect(pairs(text) == expected)
    }

    @Test(
        "A name that occurs twice has no value, whatever the values are",
        arguments: [
            ("s=1", "one:1"), ("x=0; s=1; y=2", "one:1"), ("s=1; s=1", "several"), ("s=1; s=2; s=3", "several"), ("S=1", "none"),
            ("ss=1", "none"), ("", "none"), ("s", "none"), ("s=", "one:"), ("s =1", "one:1"), ("x=\"; s=1; \"", "one:1"),
        ])
    func duplicates(_ text: String, _ expected: String) {
        #expect(lookup("s", text) == expected)
    }

    @Test(
        "Only the claimed pairs are taken out; the rest keeps its bytes and order",
        arguments: [
            ("s=1", "", 0), ("a=1; s=2; b=3", "a=1; b=3", 2), ("s=1;a=2", "a=2", 1), ("a=\"x; s=1; y\"", "a=\"x; y\"", 2),
            ("a=1", "a=1", 1), ("", "", 0), ("a = 1 ;; b", "a = 1; b", 2), ("s=1; s=2; a=3; s", "a=3; s", 2), ("S=1", "S=1", 1),
            ("s.0=x; s.1=y; a=1", "a=1", 1), ("s =1; a=2", "a=2", 1), ("\ts=1", "", 0),
        ])
    func stripping(_ text: String, _ expected: String, _ survivors: Int) {
        let result = stripped(text, names: ["s", "s.0", "s.1"])
        #expect(result.text == expected)
        #expect(result.survivors == survivors)
    }

    @Test("What is stripped cannot be read back, whatever the bytes around it")
    func strippedIsGone() {
        var random = SeededGenerator(fixed: 7)
        let alphabet = Array("s=; \t\",a\u{1}é".utf8)
        for _ in 0..<3_000 {
            let bytes = (0..<Int(random.next() % 24)).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
            var output: [UInt8] = []
            let survivors = withBytes(bytes) { raw in
                CookieHeader.strippingPairs(from: raw, into: &output) { $0.equals("s") }
            }
            withBytes(output) { raw in
                #expect(withBytes("s") { CookieHeader.value(named: $0, in: raw) } == .none)
                #expect(cookiePairs(output).count == survivors)
            }
        }
    }

    @Test("Two hundred cookies and 64 KiB in one value are read through")
    func large() {
        let many = (0..<200).map { "c\($0)=v" }.joined(separator: "; ")
        #expect(pairs(many).count == 200)
        #expect(lookup("s", "a=" + String(repeating: "x", count: 65_536) + "; s=1") == "one:1")
        #expect(pairs(String(repeating: ";", count: 65_536)).isEmpty)
    }
}

import HTTPWire
import Testing

func withBytes<Result>(_ text: String, _ body: (RawSpan) throws -> Result) rethrows -> Result {
    try body(text.utf8.span.bytes)
}

func withBytes<Result>(_ bytes: [UInt8], _ body: (RawSpan) throws -> Result) rethrows -> Result {
    try body(bytes.span.bytes)
}

@Suite struct RequestPathTests {
    @Test("Each path of the corpus is refused for its reason, or passes", arguments: pathCorpus)
    func corpus(_ row: PathRow) {
        let findings = withBytes(row.path, RequestPath.findings)
        #expect(findings.refusal(under: .strict) == row.strict)
        #expect(findings.refusal(under: .encoded) == row.encoded)
    }

    @Test("The corpus has at least 150 rows, and every refusal occurs in it")
    func corpusIsLarge() {
        #expect(pathCorpus.count >= 150)
        #expect(Set(pathCorpus.compactMap(\.strict)) == Set(PathRefusal.allCases))
    }

    @Test("Bytes that are no UTF-8 at all are non-ASCII", arguments: [UInt8(0x80), 0xC3, 0xFE, 0xFF])
    func rawBytes(_ byte: UInt8) {
        #expect(withBytes([0x2F, byte], RequestPath.findings).refusal(under: .encoded) == .rawNonASCII)
    }

    @Test("Every raw byte is refused exactly when RFC 9112 section 3.2 or the path policy says so")
    func everyRawByte() {
        for byte in UInt8.min...UInt8.max {
            let findings = withBytes([UInt8(ascii: "/"), UInt8(ascii: "a"), byte, UInt8(ascii: "b")], RequestPath.findings)
            let passes = byte > 0x20 && byte < 0x7F && !"#?%;\\".utf8.contains(byte)
            #expect((findings.refusal(under: .strict) == nil) == passes, "byte \(byte)")
        }
    }

    @Test("Every escaped ASCII byte is refused exactly when it is a separator or a control character")
    func everyEscape() {
        for byte in UInt8.min...0x7F {
            for digits in ["0123456789ABCDEF", "0123456789abcdef"] {
                let hex = Array(digits.utf8)
                let path = Array("/a%".utf8) + [hex[Int(byte >> 4)], hex[Int(byte & 15)]] + Array("b".utf8)
                let findings = withBytes(path, RequestPath.findings)
                let passes = byte >= 0x20 && byte != 0x7F && !"/\\;".utf8.contains(byte)
                #expect((findings.refusal(under: .strict) == nil) == passes, "byte \(byte)")
                #expect(findings.contains(.hasEscapes))
            }
        }
    }

    @Test("Every scalar passes when escaped as UTF-8, but for control characters (RFC 3629 section 4)")
    func everyScalar() {
        for value in stride(from: UInt32(0x80), through: 0x10FFFF, by: 61) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            var path = Array("/".utf8)
            for byte in String(scalar).utf8 {
                path += [UInt8(ascii: "%"), RequestPath.upperHexDigit(byte >> 4), RequestPath.upperHexDigit(byte & 15)]
            }
            let refusal = withBytes(path, RequestPath.findings).refusal(under: .strict)
            #expect(refusal == (value < 0xA0 ? .encodedControl : nil), "U+\(String(value, radix: 16))")
        }
    }

    @Test(
        "RFC 3986 section 6.2.2: the canonical form decodes unreserved characters once and upper-cases the other escapes",
        arguments: [
            ("/%61dmin", "/admin"), ("/%41dmin", "/Admin"), ("/%7Euser", "/~user"), ("/a%2Db%5fc%2e", "/a-b_c."), ("/%2f", "/%2F"),
            ("/%2F", "/%2F"), ("/caf%c3%a9", "/caf%C3%A9"), ("/%2561dmin", "/%2561dmin"), ("/%252e", "/%252e"), ("/a%20b", "/a%20b"),
            ("/%3a", "/%3A"), ("/a", "/a"), ("/%30%39", "/09"), ("/%zz", "/%zz"), ("/%2", "/%2"), ("/%", "/%"),
        ])
    func canonical(_ path: String, _ expected: String) {
        var output: [UInt8] = []
        withBytes(path) { RequestPath.appendCanonical($0, to: &output) }
        #expect(String(decoding: output, as: UTF8.self) == expected)
    }

    @Test("The canonical form of a canonical form is itself, for every path of the corpus", arguments: pathCorpus)
    func canonicalIsStable(_ row: PathRow) {
        // `%25` stays an escape, so decoding never makes a new one.
        var once: [UInt8] = []
        withBytes(row.path) { RequestPath.appendCanonical($0, to: &once) }
        var twice: [UInt8] = []
        RequestPath.appendCanonical(once.span.bytes, to: &twice)
        if row.encoded == nil { #expect(once == twice) }
    }

    @Test("A path without escapes needs no canonical form")
    func withoutEscapes() {
        #expect(!withBytes("/a/b.c", RequestPath.findings).contains(.hasEscapes))
    }
}

import Testing

@testable import SecondFactors

@Suite("QR codes")
struct QRCodeTests {
    @Test func `the modules have the three finder patterns and the timing patterns`() throws {
        let code = try #require(QRCode("otpauth://totp/A:b?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"))
        #expect(code.modules.count == code.width * code.width && code.width % 4 == 1)
        let finder = ["#######", "#     #", "# ### #", "# ### #", "# ### #", "#     #", "#######"]
        for (left, top) in [(0, 0), (code.width - 7, 0), (0, code.width - 7)] {
            let rows = (0..<7).map { row in
                String((0..<7).map { column -> Character in code.modules[(top + row) * code.width + left + column] ? "#" : " " })
            }
            #expect(rows == finder)
        }
        for index in 8..<code.width - 8 { #expect(code.modules[6 * code.width + index] == (index % 2 == 0)) }
    }

    @Test func `the image draws each dark module once, inside a quiet zone of four modules`() throws {
        let code = try #require(QRCode("hello"))
        let svg = code.svg(label: "a <b> & \"c\"")
        #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(code.width + 8) \(code.width + 8)\""))
        #expect(svg.contains("aria-label=\"a &lt;b&gt; &amp; &quot;c&quot;\""))
        #expect(!svg.contains("<script") && !svg.contains("style"))
        var drawn = [Bool](repeating: false, count: code.modules.count)
        for match in svg.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
            let (column, row, count) = (Int(match.1)! - 4, Int(match.2)! - 4, Int(match.3)!)
            #expect(match.3 == match.4)
            for offset in 0..<count {
                #expect(!drawn[row * code.width + column + offset])
                drawn[row * code.width + column + offset] = true
            }
        }
        #expect(drawn == code.modules)
    }

    @Test func `without the library, or for a text that is too long or empty, there is no image`() {
        #expect(QREncodeLibrary("libqrencode-absent.so.4") == nil)
        #expect(QREncodeLibrary("libc.so.6") == nil, "a library without the functions")
        #expect(QRCode("hello", library: nil) == nil)
        #expect(QRCode("") == nil)
        #expect(QRCode(String(repeating: "x", count: 2_332)) == nil)
        #expect(QRCode(String(repeating: "x", count: 2_331))?.width == 177)
    }
}

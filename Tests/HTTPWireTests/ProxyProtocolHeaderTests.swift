import Testing

@testable import HTTPWire

@Suite("PROXY protocol headers")
struct ProxyProtocolHeaderTests {
    private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]

    private func parse(_ bytes: [UInt8]) throws -> ProxyProtocolHeader? {
        try ProxyProtocolHeader.parse(bytes.span.bytes)
    }

    static func binary(_ versionAndCommand: UInt8, _ family: UInt8, _ payload: [UInt8], length: Int? = nil) -> [UInt8] {
        let length = length ?? payload.count
        return signature + [versionAndCommand, family, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
    }

    private static let ipv4: [UInt8] = [192, 0, 2, 1, 198, 51, 100, 1, 0xDC, 0x04, 0x01, 0xBB]
    private static let ipv6: [UInt8] =
        [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1] + [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [
            2
        ]
        + [0x00, 0x50, 0x01, 0xBB]

    @Test(
        "a header names the client, and ends where the client's own bytes begin",
        arguments: [
            (Array("PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\nGET".utf8), "192.0.2.1:56324", 45),
            (Array("PROXY TCP6 2001:db8::1 2001:db8::2 0 65535\r\n".utf8), "2001:db8::1:0", 44),
            (Array("PROXY UNKNOWN\r\n".utf8), "-", 15),
            (Array("PROXY UNKNOWN ffff::1 ffff::2 65535 65535\r\nx".utf8), "-", 43),
            (binary(0x21, 0x11, ipv4) + [0x47], "192.0.2.1:56324", 28),
            (binary(0x21, 0x21, ipv6), "2001:db8::1:80", 52),
            // Extensions after the addresses are passed over.
            (binary(0x21, 0x11, ipv4 + [0x04, 0x00, 0x02, 0xAA, 0xBB, 0x01, 0x00, 0x00]), "192.0.2.1:56324", 36),
            // A health check of the proxy itself; whatever it carries is not looked at.
            (binary(0x20, 0x00, []), "-", 16), (binary(0x20, 0x11, ipv4), "-", 28), (binary(0x20, 0x11, [1]), "-", 17),
            (binary(0x21, 0x00, []), "-", 16), (binary(0x21, 0x31, [UInt8](repeating: 0x61, count: 216)), "-", 232),
        ] as [([UInt8], String, Int)])
    func headers(bytes: [UInt8], client: String, length: Int) throws {
        let header = try #require(try parse(bytes))
        #expect(header.source.map { "\($0.address):\($0.port)" } ?? "-" == client)
        #expect(header.length == length)
        // However it is cut, a part of it is never a header, and never an error.
        for count in 0..<length { #expect(try parse(Array(bytes[..<count])) == nil, "\(count) bytes") }
    }

    @Test(
        "what is no header, or could be read in two ways, is refused",
        arguments: [
            (Array("GET / HTTP/1.1\r\n".utf8), .noHeader), (Array("proxy TCP4 ".utf8), .noHeader), (Array("PROXY\tTCP4".utf8), .noHeader),
            (Array("\r\n\r\nPROXY ".utf8), .noHeader), ([0x16, 0x03, 0x01], .noHeader),
            (Array("PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\n".utf8), .malformed),
            (Array("PROXY TCP4 192.0.2.1  198.51.100.1 56324 443\r\n".utf8), .malformed),
            (Array("PROXY TCP4 192.0.2.1 198.51.100.1 56324 443 \r\n".utf8), .malformed),
            (Array("PROXY TCP4 192.0.2.1 198.51.100.1 56324\r\n".utf8), .malformed),
            (Array("PROXY TCP4 192.0.2.01 198.51.100.1 1 443\r\n".utf8), .malformed),
            (Array("PROXY TCP4 192.0.2 198.51.100.1 1 443\r\n".utf8), .malformed),
            (Array("PROXY TCP4 2001:db8::1 198.51.100.1 1 443\r\n".utf8), .malformed),
            (Array("PROXY TCP4 ::ffff:192.0.2.1 198.51.100.1 1 443\r\n".utf8), .malformed),
            (Array("PROXY TCP6 192.0.2.1 198.51.100.1 1 443\r\n".utf8), .malformed),
            (Array("PROXY TCP6 fe80::1%eth0 2001:db8::2 1 443\r\n".utf8), .malformed),
            (Array("PROXY TCP4 192.0.2.1 198.51.100.1 056 443\r\n".utf8), .malformed),
            (Array("PROXY TCP4 192.0.2.1 198.51.100.1 -1 443\r\n".utf8), .malformed),
            (Array("PROXY TCP4 192.0.2.1 198.51.100.1 65536 443\r\n".utf8), .malformed),
            (Array("PROXY TCP4 192.0.2.1 198.51.100.1 1 +443\r\n".utf8), .malformed),
            (Array("PROXY UNKNOWN \u{7}\r\n".utf8), .malformed), (Array("PROXY UDP4 192.0.2.1 198.51.100.1 1 443\r\n".utf8), .unsupported),
            (Array("PROXY \r\n".utf8), .unsupported), (Array("PROXY tcp4 192.0.2.1 198.51.100.1 1 443\r\n".utf8), .unsupported),
            (Array(("PROXY UNKNOWN " + String(repeating: "x", count: 100)).utf8), .tooLong),
            (binary(0x11, 0x11, ipv4), .unsupported), (binary(0x31, 0x11, ipv4), .unsupported), (binary(0x22, 0x11, ipv4), .unsupported),
            (binary(0x21, 0x41, ipv4), .unsupported), (binary(0x21, 0x13, ipv4), .unsupported),
            // A datagram's addresses, or none of a kind, are not this connection's.
            (binary(0x21, 0x12, ipv4), .unsupported), (binary(0x21, 0x10, ipv4), .unsupported),
            (binary(0x21, 0x11, Array(ipv4[..<11])), .malformed), (binary(0x21, 0x21, ipv4), .malformed),
            (binary(0x21, 0x11, ipv4 + [0x04]), .malformed), (binary(0x21, 0x11, ipv4 + [0x04, 0x00, 0x05, 0x00]), .malformed),
            (binary(0x21, 0x11, [], length: 4096), .tooLong), (binary(0x21, 0x11, [], length: 65_535), .tooLong),
        ] as [([UInt8], ProxyProtocolError)])
    func refusals(bytes: [UInt8], error: ProxyProtocolError) {
        #expect(throws: error) { try parse(bytes) }
    }
}

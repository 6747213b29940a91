package import Primitives

/// The reason why the start of a connection is not a PROXY protocol header.
package enum ProxyProtocolError: String, Error, Sendable, Hashable, CaseIterable {
    /// Neither `PROXY ` nor the signature of version 2.
    case noHeader = "proxy-protocol-missing"
    case malformed = "proxy-protocol-malformed"
    /// Longer than 107 bytes in version 1, or than the limit for version 2.
    case tooLong = "proxy-protocol-too-long"
    /// The version, command or transport does not exist or is not for streams.
    case unsupported = "proxy-protocol-unsupported"
}

/// The header in which a proxy names its client before the first byte of the connection (PROXY protocol, versions 1 and 2).
package struct ProxyProtocolHeader: Sendable, Hashable {
    /// The client's address and port; nil if the proxy itself connects (`LOCAL`, such as health checks) or does not know the client
    /// (`UNKNOWN`).
    package let source: Source?
    /// The number of bytes of the header; the following bytes are the client's.
    package let length: Int

    package struct Source: Sendable, Hashable {
        package let address: NetworkAddress
        package let port: Int
    }

    /// Larger than any real header; version 2 may announce 64 KiB.
    package static let maximumLength = 4096
    private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]
    private static let word: [UInt8] = Array("PROXY ".utf8)
    /// The limit of a line, including its CRLF.
    private static let lineLimit = 107

    /// Nil if more bytes are needed. Rejects anything else at the first byte that differs.
    package static func parse(_ bytes: RawSpan) throws(ProxyProtocolError) -> ProxyProtocolHeader? {
        if begins(bytes, with: word) { return bytes.byteCount < word.count ? nil : try parseLine(bytes) }
        if begins(bytes, with: signature) { return bytes.byteCount < 16 ? nil : try parseBinary(bytes) }
        throw .noHeader
    }

    /// Returns whether the bytes are a prefix of `expected`, or start with it.
    private static func begins(_ bytes: RawSpan, with expected: [UInt8]) -> Bool {
        for index in 0..<min(bytes.byteCount, expected.count) where bytes[index] != expected[index] { return false }
        return true
    }

    // MARK: Version 1

    /// Parses `PROXY TCP4 192.0.2.1 198.51.100.1 56324 443` CRLF, with single spaces and plain decimal ports.
    private static func parseLine(_ bytes: RawSpan) throws(ProxyProtocolError) -> ProxyProtocolHeader? {
        var end = 0
        while end < min(bytes.byteCount, lineLimit), bytes[end] != 0x0A { end += 1 }
        if end == lineLimit { throw .tooLong }
        guard end < bytes.byteCount else { return nil }
        guard end > 0, bytes[end - 1] == 0x0D else { throw .malformed }
        let line = bytes.extracting(word.count..<(end - 1))
        let fields = fields(of: line)
        let family = line.extracting(fields[0])
        if family.equals("UNKNOWN") {
            // The rest is ignored, but must still be a line of text.
            guard line.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { throw .malformed }
            return ProxyProtocolHeader(source: nil, length: end + 1)
        }
        let isIPv4 = family.equals("TCP4")
        guard isIPv4 || family.equals("TCP6") else { throw .unsupported }
        guard fields.count == 5, let source = address(line.extracting(fields[1]), isIPv4: isIPv4),
            address(line.extracting(fields[2]), isIPv4: isIPv4) != nil, let sourcePort = port(line.extracting(fields[3])),
            port(line.extracting(fields[4])) != nil
        else { throw .malformed }
        return ProxyProtocolHeader(source: Source(address: source, port: sourcePort), length: end + 1)
    }

    /// What stands between the spaces; never empty.
    private static func fields(of line: RawSpan) -> [Range<Int>] {
        var fields: [Range<Int>] = []
        var start = 0
        for offset in line.byteOffsets where line[offset] == 0x20 {
            fields.append(start..<offset)
            start = offset + 1
        }
        return fields + [start..<line.byteCount]
    }

    private static func address(_ text: RawSpan, isIPv4: Bool) -> NetworkAddress? {
        guard isIPv4 == (text.firstOffset(of: UInt8(ascii: ":")) == nil) else { return nil }
        return NetworkAddress(parsing: text)
    }

    /// Parses 0 to 65535 without leading zeros.
    private static func port(_ text: RawSpan) -> Int? {
        guard (1...5).contains(text.byteCount), text.byteCount == 1 || text[0] != UInt8(ascii: "0") else { return nil }
        var value = 0
        for offset in text.byteOffsets {
            let byte = text[offset]
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value <= 65_535 ? value : nil
    }

    // MARK: Version 2

    private static func parseBinary(_ bytes: RawSpan) throws(ProxyProtocolError) -> ProxyProtocolHeader? {
        let version = bytes[12]
        guard version >> 4 == 2, version & 0x0F <= 1 else { throw .unsupported }
        let isLocal = version & 0x0F == 0
        let family = bytes[13] >> 4
        let transport = bytes[13] & 0x0F
        guard family <= 3, transport <= 2 else { throw .unsupported }
        // The addresses of a datagram do not belong to this connection.
        if !isLocal, family != 0, transport != 1 { throw .unsupported }
        let length = 16 + (Int(bytes[14]) << 8 | Int(bytes[15]))
        guard length <= maximumLength else { throw .tooLong }
        let addressLength = isLocal ? 0 : [0, 12, 36, 216][Int(family)]
        guard length >= 16 + addressLength else { throw .malformed }
        guard bytes.byteCount >= length else { return nil }
        // A health check may carry anything after its addresses, and all of it is ignored.
        if !isLocal { try checkExtensions(bytes.extracting((16 + addressLength)..<length)) }
        guard !isLocal, family == 1 || family == 2 else { return ProxyProtocolHeader(source: nil, length: length) }
        let width = family == 1 ? 4 : 16
        guard let address = NetworkAddress(bytes: bytes.extracting(16..<(16 + width))) else {
            throw .malformed
        }
        let portStart = 16 + 2 * width
        let port = Int(bytes[portStart]) << 8 | Int(bytes[portStart + 1])
        return ProxyProtocolHeader(source: Source(address: address, port: port), length: length)
    }

    /// Checks type, two bytes of length, and value. Nothing is used, but a header with inconsistent lengths is rejected.
    private static func checkExtensions(_ bytes: RawSpan) throws(ProxyProtocolError) {
        var index = 0
        while index < bytes.byteCount {
            guard index + 3 <= bytes.byteCount else { throw .malformed }
            index += 3 + (Int(bytes[index + 1]) << 8 | Int(bytes[index + 2]))
            guard index <= bytes.byteCount else { throw .malformed }
        }
    }
}

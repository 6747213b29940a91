/// An IPv4 or IPv6 address. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`, RFC 4291 section 2.5.5.2) equals the IPv4 address.
package struct NetworkAddress: Sendable, Hashable {
    /// The address as a number; IPv4 in its mapped form.
    package let value: UInt128

    private static let mappedPrefix: UInt128 = 0xFFFF << 32

    package init(value: UInt128) { self.value = value }
    package init(ipv4: UInt32) { value = Self.mappedPrefix | UInt128(ipv4) }

    package var isIPv4: Bool { value >> 32 == 0xFFFF }

    /// The unit of limits per client: a single IPv4 address, or the /64 of an IPv6 address, which belongs to one subscriber.
    package var subscriber: NetworkAddress {
        isIPv4 ? self : NetworkAddress(value: (value >> 64) << 64)
    }

    /// A single IPv4 address, or the /48 of an IPv6 address: the most that a provider gives to one customer (RFC 6177).
    package var site: NetworkAddress {
        isIPv4 ? self : NetworkAddress(value: (value >> 80) << 80)
    }

    /// Reads 4 or 16 bytes in network order; nil for other lengths.
    package init?(bytes: RawSpan) {
        guard bytes.byteCount == 4 || bytes.byteCount == 16 else { return nil }
        let bytes = Span<UInt8>(_bytes: bytes)
        var number: UInt128 = 0
        for index in bytes.indices { number = number << 8 | UInt128(bytes[index]) }
        value = bytes.count == 4 ? Self.mappedPrefix | number : number
    }

    /// Parses dotted-quad IPv4 or IPv6 (RFC 4291 section 2.2), with nothing around it.
    ///
    /// Rejects zones (`%eth0`), brackets, ports, white space, and leading zeros and other bases in IPv4.
    package init?(parsing text: RawSpan) {
        if let address = NetworkAddress(ipv4: text) ?? NetworkAddress(ipv6: text) {
            self = address
        } else {
            return nil
        }
    }

    /// Parses dotted-quad IPv4 only.
    package init?(ipv4 text: RawSpan) {
        guard let number = Self.parseIPv4(Span<UInt8>(_bytes: text)) else { return nil }
        self.init(ipv4: number)
    }

    /// Parses text in the format of IPv6 only; a mapped address is IPv4 then.
    package init?(ipv6 text: RawSpan) {
        guard let number = Self.parseIPv6(Span<UInt8>(_bytes: text)) else { return nil }
        self.init(value: number)
    }

    package init?(_ text: String) {
        self.init(parsing: text.utf8.span.bytes)
    }

    package init?(ipv6 text: String) {
        self.init(ipv6: text.utf8.span.bytes)
    }

    fileprivate static func parseIPv4(_ text: borrowing Span<UInt8>) -> UInt32? {
        guard text.count >= 7, text.count <= 15 else { return nil }
        var result: UInt32 = 0
        var parts = 0
        var octet: UInt32 = 0
        var digits = 0
        for index in 0...text.count {
            let byte = index < text.count ? text[index] : UInt8(ascii: ".")
            if byte == UInt8(ascii: ".") {
                guard digits > 0, octet <= 255, parts < 4 else { return nil }
                result = result << 8 | octet
                parts += 1
                octet = 0
                digits = 0
            } else {
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), digits < 3 else { return nil }
                // Some programs read `010` as 10, others as 8.
                if digits > 0, octet == 0 { return nil }
                octet = octet * 10 + UInt32(byte - UInt8(ascii: "0"))
                digits += 1
            }
        }
        return parts == 4 ? result : nil
    }

    private static func parseIPv6(_ text: borrowing Span<UInt8>) -> UInt128? {
        guard text.count >= 2, text.count <= 45 else { return nil }
        var parser = IPv6Parser()
        return parser.parse(text)
    }
}

/// Parses text of RFC 4291 section 2.2: up to eight groups, one `::`, an IPv4 tail.
private struct IPv6Parser {
    private var head: UInt128 = 0
    private var groups = 0
    /// The number of groups before `::`.
    private var gap: Int?

    mutating func parse(_ text: borrowing Span<UInt8>) -> UInt128? {
        var index = 0
        if text[0] == UInt8(ascii: ":") {
            guard text[1] == UInt8(ascii: ":") else { return nil }
            gap = 0
            index = 2
        }
        while index < text.count {
            let start = index
            var group: UInt128 = 0
            while index < text.count, index - start < 5, let digit = Self.hexValue(text[index]) {
                group = group << 4 | UInt128(digit)
                index += 1
            }
            if index < text.count, text[index] == UInt8(ascii: ".") {
                return finish(withIPv4: text, from: start)
            }
            guard index > start, index - start <= 4, groups < 8 else { return nil }
            head = head << 16 | group
            groups += 1
            if index == text.count { break }
            guard let next = separator(text, index) else { return nil }
            index = next
        }
        return result()
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The index after the `:` or `::` at `index`; nil for anything else, or for a single `:` at the end.
    private mutating func separator(_ text: borrowing Span<UInt8>, _ index: Int) -> Int? {
        guard text[index] == UInt8(ascii: ":"), index + 1 < text.count else { return nil }
        guard text[index + 1] == UInt8(ascii: ":") else { return index + 1 }
        guard gap == nil else { return nil }
        gap = groups
        return index + 2
    }

    private mutating func finish(withIPv4 text: borrowing Span<UInt8>, from start: Int) -> UInt128? {
        guard groups <= 6, let ipv4 = NetworkAddress.parseIPv4(text.extracting(start...)) else {
            return nil
        }
        head = head << 32 | UInt128(ipv4)
        groups += 2
        return result()
    }

    private func result() -> UInt128? {
        guard let gap else { return groups == 8 ? head : nil }
        // `::` stands for at least one group of zeros.
        guard groups < 8 else { return nil }
        let after = groups - gap
        let tailMask: UInt128 = after == 0 ? 0 : UInt128.max >> UInt128(128 - 16 * after)
        let front = gap == 0 ? 0 : (head >> UInt128(16 * after)) << UInt128(128 - 16 * gap)
        return front | (head & tailMask)
    }
}

extension NetworkAddress: CustomStringConvertible {
    /// The format of RFC 5952: lower case, with `::` for the first of the longest runs of two or more zero groups.
    package var description: String {
        if isIPv4 {
            let number = UInt32(truncatingIfNeeded: value)
            return "\(number >> 24).\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
        }
        let groups = (0..<8).map { UInt16(truncatingIfNeeded: value >> UInt128(112 - 16 * $0)) }
        let gap = Self.longestZeroRun(groups)
        func text(_ slice: ArraySlice<UInt16>) -> String {
            slice.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard let gap else { return text(groups[...]) }
        return text(groups[..<gap.lowerBound]) + "::" + text(groups[gap.upperBound...])
    }

    private static func longestZeroRun(_ groups: [UInt16]) -> Range<Int>? {
        var best: Range<Int>?
        var start = 0
        while start < groups.count {
            var end = start
            while end < groups.count, groups[end] == 0 { end += 1 }
            if end - start >= 2, end - start > (best?.count ?? 0) { best = start..<end }
            start = end + 1
        }
        return best
    }
}

/// An IPv4 or IPv6 address. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`, RFC 4291 section 2.5.5.2) equals the IPv4 address.
package struct NetworkAddress: Sendable, Hashable {
    /// The address as a number; IPv4 in its mapped form.
    package let value: UInt128

    private static let mappedPrefix: UInt128 = 0xFFFF << 32

    package init(value: UInt128) { self.value = value }
    package init(ipv4: UInt32) { value = Self.mappedPrefix | UInt128(ipv4) }

    package var isIPv4: Bool { value >> 32 == 0xFFFF }

    /// The unit of limits per client: a single IPv4 address, or the /64 of an IPv6 address, which belongs to one subscriber.
    package var subscriber: NetworkAddress { isIPv4 ? self : NetworkAddress(value: (value >> 64) << 64) }

    /// Reads 4 or 16 bytes in network order; nil for other lengths.
    package init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var number: UInt128 = 0
        for byte in bytes { number = number << 8 | UInt128(byte) }
        value = bytes.count == 4 ? Self.mappedPrefix | number : number
    }

    /// Parses dotted-quad IPv4 or IPv6 (RFC 4291 section 2.2), with nothing around it.
    ///
    /// Rejects zones (`%eth0`), brackets, ports, white space, and leading zeros and other bases in IPv4.
    package init?(parsing text: UnsafeRawBufferPointer) {
        if let ipv4 = Self.parseIPv4(text) {
            self.init(ipv4: ipv4)
        } else if let ipv6 = Self.parseIPv6(text) {
            self.init(value: ipv6)
        } else {
            return nil
        }
    }

    package init?(_ text: String) {
        var text = text
        guard let address = text.withUTF8({ NetworkAddress(parsing: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = address
    }

    static func parseIPv4(_ text: UnsafeRawBufferPointer) -> UInt32? {
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

    static func parseIPv6(_ text: UnsafeRawBufferPointer) -> UInt128? {
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

    mutating func parse(_ text: UnsafeRawBufferPointer) -> UInt128? {
        var index = 0
        if text[0] == UInt8(ascii: ":") {
            guard text[1] == UInt8(ascii: ":") else { return nil }
            gap = 0
            index = 2
        }
        while index < text.count {
            let start = index
            var group: UInt128 = 0
            while index < text.count, index - start < 5, let digit = RequestPath.hexValue(text[index]) {
                group = group << 4 | UInt128(digit)
                index += 1
            }
            if index < text.count, text[index] == UInt8(ascii: ".") { return finish(withIPv4: text, from: start) }
            guard index > start, index - start <= 4, groups < 8 else { return nil }
            head = head << 16 | group
            groups += 1
            if index == text.count { break }
            guard let next = separator(text, index) else { return nil }
            index = next
        }
        return result()
    }

    /// The index after the `:` or `::` at `index`; nil for anything else, or for a single `:` at the end.
    private mutating func separator(_ text: UnsafeRawBufferPointer, _ index: Int) -> Int? {
        guard text[index] == UInt8(ascii: ":"), index + 1 < text.count else { return nil }
        guard text[index + 1] == UInt8(ascii: ":") else { return index + 1 }
        guard gap == nil else { return nil }
        gap = groups
        return index + 2
    }

    private mutating func finish(withIPv4 text: UnsafeRawBufferPointer, from start: Int) -> UInt128? {
        guard groups <= 6, let ipv4 = NetworkAddress.parseIPv4(UnsafeRawBufferPointer(rebasing: text[start...])) else { return nil }
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
        func text(_ slice: ArraySlice<UInt16>) -> String { slice.map { String($0, radix: 16) }.joined(separator: ":") }
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

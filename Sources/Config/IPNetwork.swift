/// A block of IP addresses in CIDR notation (RFC 4632 section 3.1, RFC 4291 section 2.3).
package struct IPNetwork: Sendable, Hashable {
    package struct Address: Sendable, Hashable {
        package var isIPv6: Bool
        /// The address as a number of 32 or 128 bits.
        package var bits: UInt128
    }

    package var isIPv6: Bool
    package var first: UInt128
    package var last: UInt128

    /// Parses `10.0.0.0/8` or `2001:db8::/32`. Nil without a prefix length, with one that is too long, and
    /// for a block that is partly IPv4-mapped. Host bits are ignored; a mapped block becomes the IPv4 one.
    package init?(_ text: String) {
        guard let slash = text.firstIndex(of: "/"), let address = Self.address(String(text[..<slash])) else { return nil }
        let digits = text[text.index(after: slash)...]
        guard (1...3).contains(digits.utf8.count), digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            digits == "0" || digits.first != "0", let length = Int(digits)
        else { return nil }
        let width = address.isIPv6 ? 128 : 32
        guard length <= width else { return nil }
        let hostMask: UInt128 = width == length ? 0 : (UInt128.max >> UInt128(128 - (width - length)))
        let lowest = address.bits & ~hostMask
        // IPv4-mapped addresses (RFC 4291 section 2.5.5.2) compare equal to IPv4 addresses.
        let isMapped = address.isIPv6 && address.bits >> 32 == 0xFFFF
        if isMapped, length < 96 { return nil }
        isIPv6 = address.isIPv6 && !isMapped
        first = isMapped ? lowest & 0xFFFF_FFFF : lowest
        last = first | hostMask
    }

    package static func address(_ text: String) -> Address? {
        if text.utf8.contains(UInt8(ascii: ":")) {
            return ipv6(text).map { Address(isIPv6: true, bits: $0) }
        }
        return ipv4(text.utf8[...]).map { Address(isIPv6: false, bits: UInt128($0)) }
    }

    /// Parses four decimal numbers without leading zeros.
    private static func ipv4(_ text: Substring.UTF8View) -> UInt32? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var value: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                part.count == 1 || part.first != UInt8(ascii: "0"), let byte = UInt8(Substring(part))
            else { return nil }
            value = value << 8 | UInt32(byte)
        }
        return value
    }

    /// Parses an IPv6 address (RFC 4291 section 2.2), with at most one `::` and no zone.
    private static func ipv6(_ text: String) -> UInt128? {
        let halves = text.components(separatedByDoubleColon: ())
        guard halves.count <= 2, let head = groups(halves[0], isLast: halves.count == 1) else { return nil }
        guard halves.count == 2 else { return head.count == 8 ? number(head) : nil }
        guard let tail = groups(halves[1], isLast: true), head.count + tail.count < 8 else { return nil }
        return number(head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail)
    }

    private static func number(_ groups: [UInt16]) -> UInt128 {
        groups.reduce(0) { $0 << 16 | UInt128($1) }
    }

    private static func groups(_ text: Substring, isLast: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var result: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if isLast, index == parts.count - 1, part.contains(".") {
                guard let value = ipv4(part.utf8) else { return nil }
                result += [UInt16(value >> 16), UInt16(value & 0xFFFF)]
            } else {
                guard (1...4).contains(part.utf8.count), let value = UInt16(part, radix: 16), part.first != "+" else { return nil }
                result.append(value)
            }
        }
        return result.count <= 8 ? result : nil
    }
}

extension String {
    /// The pieces around each `::`. `:::` leaves a piece that starts with a colon, which is not a valid group.
    fileprivate func components(separatedByDoubleColon: Void) -> [Substring] {
        var pieces: [Substring] = []
        var start = startIndex
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix("::") {
                pieces.append(self[start..<index])
                index = self.index(index, offsetBy: 2)
                start = index
            } else {
                index = self.index(after: index)
            }
        }
        pieces.append(self[start...])
        return pieces
    }
}

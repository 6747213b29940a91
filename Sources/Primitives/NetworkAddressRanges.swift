/// A CIDR block, IPv4 or IPv6; a bare address is a block of one. Host bits are ignored.
package struct CIDRBlock: Sendable, Hashable {
    /// The first address; mapped for IPv4 blocks.
    package let lowest: NetworkAddress
    package let highest: NetworkAddress

    /// Nil for anything but `address` or `address/bits`. An IPv4-mapped block (`::ffff:10.0.0.0/104`) equals the IPv4 block.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = NetworkAddress(String(parts[0])) else { return nil }
        let writtenAsIPv6 = parts[0].utf8.contains(UInt8(ascii: ":"))
        let width = writtenAsIPv6 ? 128 : 32
        var bits = width
        if parts.count == 2 {
            let digits = parts[1].utf8
            guard (1...3).contains(digits.count),
                digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
                digits.count == 1 || digits.first != UInt8(ascii: "0"), let number = Int(parts[1]),
                number <= width
            else { return nil }
            bits = number
        }
        // A block that is only partly mapped would belong to neither family.
        if writtenAsIPv6, address.isIPv4, bits < 96 { return nil }
        let hostBits = UInt128(width - bits)
        let hostMask: UInt128 = hostBits == 0 ? 0 : UInt128.max >> (128 - hostBits)
        lowest = NetworkAddress(value: address.value & ~hostMask)
        highest = NetworkAddress(value: address.value | hostMask)
    }

    /// An IPv6 block never contains an IPv4 address: `::/0` covers every IPv6 address only.
    package func contains(_ address: NetworkAddress) -> Bool {
        address.value >= lowest.value && address.value <= highest.value && address.isIPv4 == isIPv4
    }

    package var isIPv4: Bool { lowest.isIPv4 && highest.isIPv4 }
}

/// Ranges of addresses, looked up once per connection or forwarded hop.
package struct CIDRSet: Sendable, Hashable {
    package let blocks: [CIDRBlock]

    package init(_ blocks: [CIDRBlock] = []) { self.blocks = blocks }

    /// Nil if one of the texts is not a block, because a partial list would have another meaning.
    package init?(_ texts: [String]) {
        var blocks: [CIDRBlock] = []
        for text in texts {
            guard let block = CIDRBlock(text) else { return nil }
            blocks.append(block)
        }
        self.blocks = blocks
    }

    package var isEmpty: Bool { blocks.isEmpty }

    package func contains(_ address: NetworkAddress) -> Bool {
        for block in blocks where block.contains(address) { return true }
        return false
    }

    /// True if the blocks together contain every IPv4 address, or every IPv6 address.
    package var coversEverything: Bool { completingIndex != nil }

    /// The index of the first block at which the blocks so far contain every IPv4 or every IPv6 address.
    package var completingIndex: Int? {
        guard Self.coversAFamily(blocks[...]) else { return nil }
        return blocks.indices.first { Self.coversAFamily(blocks[...$0]) }
    }

    private static func coversAFamily(_ blocks: ArraySlice<CIDRBlock>) -> Bool {
        let mappedLowest: UInt128 = 0xFFFF << 32
        let mappedHighest = mappedLowest | 0xFFFF_FFFF
        if covers(from: mappedLowest, through: mappedHighest, blocks.filter(\.isIPv4)) { return true }
        let ipv6 = blocks.filter { !$0.isIPv4 }
        // Mapped addresses count as IPv4, so IPv6 is everything around them.
        return covers(from: 0, through: mappedLowest - 1, ipv6)
            && covers(from: mappedHighest + 1, through: .max, ipv6)
    }

    private static func covers(from first: UInt128, through last: UInt128, _ blocks: [CIDRBlock])
        -> Bool
    {
        var next = first
        for block in blocks.sorted(by: { $0.lowest.value < $1.lowest.value })
        where block.highest.value >= next {
            if block.lowest.value > next { return false }
            if block.highest.value >= last { return true }
            next = block.highest.value + 1
        }
        return false
    }
}

/// The grammar rules of RFC 9110 and RFC 3986 that a byte matches, with one table look-up each.
package struct ByteClass: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `tchar` (RFC 9110 section 5.6.2).
    package static let token = ByteClass(rawValue: 1)
    /// Bytes of a field value: HTAB, SP, VCHAR, obs-text (RFC 9110 section 5.5).
    package static let fieldValue = ByteClass(rawValue: 2)
    /// Bytes of a request-target: visible ASCII without `#`. The path policy checks `"<>\^` and `` `{|} ``.
    package static let target = ByteClass(rawValue: 4)
    /// `HEXDIG`, both cases.
    package static let hex = ByteClass(rawValue: 8)
    /// `DIGIT`.
    package static let digit = ByteClass(rawValue: 16)
    /// Bytes of a host name. RFC 3986 section 3.2.2 allows more in a `reg-name`, but DNS names do not contain these, and apps
    /// build links from the name.
    package static let host = ByteClass(rawValue: 32)
    /// Bytes of a chunk extension: visible ASCII, HTAB and SP.
    package static let chunkExtension = ByteClass(rawValue: 64)

    fileprivate static func classes(of byte: UInt8) -> UInt8 {
        var classes: ByteClass = []
        let isDigit = (0x30...0x39).contains(byte)
        let isAlpha = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        if isDigit || isAlpha || "!#$%&'*+-.^_`|~".utf8.contains(byte) { classes.insert(.token) }
        if byte == 0x09 || (byte >= 0x20 && byte != 0x7F) { classes.insert(.fieldValue) }
        if byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "#") { classes.insert(.target) }
        if isDigit || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte) { classes.insert(.hex) }
        if isDigit { classes.insert(.digit) }
        if isDigit || isAlpha || "-._".utf8.contains(byte) { classes.insert(.host) }
        if byte == 0x09 || (byte >= 0x20 && byte < 0x7F) { classes.insert(.chunkExtension) }
        return classes.rawValue
    }
}

/// The 256-entry table behind `ByteClass`, at a fixed address, so that a loop over bytes loads nothing else.
///
/// Unchecked: the table is immutable after initialisation and never freed.
package struct ByteClassTable: @unchecked Sendable {
    private let base: UnsafePointer<UInt8>

    package static let shared = ByteClassTable()

    private init() {
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        for byte in 0..<256 { (table + byte).initialize(to: ByteClass.classes(of: UInt8(byte))) }
        base = UnsafePointer(table)
    }

    @inline(__always)
    package func contains(_ byte: UInt8, _ wanted: ByteClass) -> Bool {
        base[Int(byte)] & wanted.rawValue != 0
    }

    /// The first index in `start..<end` whose byte is not in `wanted`, or `end`.
    @inline(__always)
    func prefixEnd(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, _ wanted: ByteClass) -> Int {
        var index = start
        while index < end, base[Int(bytes[index])] & wanted.rawValue != 0 { index &+= 1 }
        return index
    }

    /// The same for `token`, with a fast path for letters and `-`.
    @inline(__always)
    func tokenEnd(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
        var index = start
        while index &+ 8 <= end, Self.isPlainName(bytes + index) { index &+= 8 }
        // Checks the last bytes together with some before them.
        if end &- start >= 8, end &- index < 8, Self.isPlainName(bytes + (end &- 8)) { return end }
        return prefixEnd(bytes, from: index, to: end, .token)
    }

    /// The same for `fieldValue`, several bytes at a time, because cookies are long.
    @inline(__always)
    func fieldValueEnd(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
        var index = start
        while index &+ 256 <= end, Self.isPrintable(bytes + index, 256) { index &+= 256 }
        while index &+ 64 <= end, Self.isPrintable(bytes + index, 64) { index &+= 64 }
        while index &+ 16 <= end, Self.isPrintable(bytes + index, 16) { index &+= 16 }
        // Checks the last bytes together with some before them.
        if end &- start >= 16 {
            if end &- index < 16, Self.isPrintable(bytes + (end &- 16), 16) { return end }
        } else if end &- start >= 8, Self.areControlless(bytes + start), Self.areControlless(bytes + (end &- 8)) {
            return end
        }
        // A tab is allowed, so the table decides.
        return prefixEnd(bytes, from: index, to: end, .fieldValue)
    }

    /// Returns whether all bytes may be part of a field value.
    package func areFieldValue(_ bytes: RawSpan) -> Bool {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return true }
            return fieldValueEnd(base, from: 0, to: bytes.count) == bytes.count
        }
    }

    /// The index of the first `:` in `start..<end`, or `end`.
    @inline(__always)
    static func colon(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
        var index = start
        while index &+ 8 <= end {
            let crossed = UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self) ^ 0x3A3A_3A3A_3A3A_3A3A
            // The lowest bit is that of the first `:`; a borrow affects later bytes only.
            let found = (crossed &- 0x0101_0101_0101_0101) & ~crossed & 0x8080_8080_8080_8080
            if found != 0 { return index &+ UInt64(littleEndian: found).trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < end, bytes[index] != UInt8(ascii: ":") { index &+= 1 }
        return index
    }

    /// Returns whether all bytes are printable ASCII, as they usually are. Without an early exit, and with a literal count, the
    /// compiler vectorises the loop.
    @inline(__always)
    private static func isPrintable(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var most: UInt8 = 0
        for index in 0..<count { most = max(most, bytes[index] &- 0x20) }
        return most < 0x5F
    }

    /// Returns whether none of eight bytes is below 0x20 or equal to 0x7F.
    @inline(__always)
    private static func areControlless(_ bytes: UnsafePointer<UInt8>) -> Bool {
        let word = UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)
        let crossed = word ^ 0x7F7F_7F7F_7F7F_7F7F
        let controls = (word &- 0x2020_2020_2020_2020) & ~word | (crossed &- 0x0101_0101_0101_0101) & ~crossed
        return controls & 0x8080_8080_8080_8080 == 0
    }

    /// Returns whether each of eight bytes is a letter or `-`.
    @inline(__always)
    private static func isPlainName(_ bytes: UnsafePointer<UInt8>) -> Bool {
        let word = UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)
        // Bytes below 0x80, so that no sum overflows into the next; the high bit then means "at least a" and not "beyond z".
        let small = word & 0x7F7F_7F7F_7F7F_7F7F | 0x2020_2020_2020_2020
        let letters = (small &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(small &+ 0x0505_0505_0505_0505)
        let hyphens = ~((word & 0x7F7F_7F7F_7F7F_7F7F ^ 0x2D2D_2D2D_2D2D_2D2D) &+ 0x7F7F_7F7F_7F7F_7F7F)
        return (letters | hyphens) & ~word & 0x8080_8080_8080_8080 == 0x8080_8080_8080_8080
    }
}

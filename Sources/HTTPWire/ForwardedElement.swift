package import Primitives

/// A forwarded element of RFC 7239 section 4, as byte offsets into the field value.
///
/// Ranges of quoted values are within the quotes. Values with backslash escapes are rejected, because no address or
/// host needs one.
struct ForwardedElement {
    var node: Range<Int>?
    var proto: Range<Int>?
    var host: Range<Int>?

    /// Parses `for=…;proto=…` in any order, and skips unknown parameters (section 4: extensions are registered).
    ///
    /// Nil if malformed: no pair, a name that is not a token, a missing value, an unclosed quote, or a repeated name.
    init?(_ bytes: RawSpan, in range: Range<Int>) {
        var index = range.lowerBound
        var pairs = 0
        while index < range.upperBound {
            guard let equals = Self.tokenEnd(bytes, index, range.upperBound), equals < range.upperBound,
                bytes[equals] == UInt8(ascii: "="), let value = Self.value(bytes, equals + 1, range.upperBound),
                store(value.range, under: bytes.extracting(index..<equals))
            else { return nil }
            pairs += 1
            index = value.end
            if index == range.upperBound { break }
            guard bytes[index] == UInt8(ascii: ";"), index + 1 < range.upperBound else { return nil }
            index += 1
        }
        if pairs == 0 { return nil }
    }

    /// Returns false if the parameter is repeated.
    private mutating func store(_ range: Range<Int>, under name: RawSpan) -> Bool {
        if name.equalsIgnoringCase("for") {
            defer { node = range }
            return node == nil
        }
        if name.equalsIgnoringCase("proto") {
            defer { proto = range }
            return proto == nil
        }
        if name.equalsIgnoringCase("host") {
            defer { host = range }
            return host == nil
        }
        return true
    }

    private static func tokenEnd(_ bytes: RawSpan, _ start: Int, _ limit: Int) -> Int? {
        var index = start
        while index < limit, isTokenCharacter(bytes[index]) { index += 1 }
        return index > start ? index : nil
    }

    private static func value(_ bytes: RawSpan, _ start: Int, _ limit: Int) -> (range: Range<Int>, end: Int)? {
        guard start < limit else { return nil }
        guard bytes[start] == UInt8(ascii: "\"") else {
            guard let end = tokenEnd(bytes, start, limit) else { return nil }
            return (start..<end, end)
        }
        var index = start + 1
        while index < limit, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") || bytes[index] < 0x20 || bytes[index] > 0x7E { return nil }
            index += 1
        }
        return index < limit ? (start + 1..<index, index + 1) : nil
    }

    /// `tchar` of RFC 9110 section 5.6.2.
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

/// Iterates over a comma-separated field value from its end to its start.
///
/// Backwards, because the nearest proxies wrote the end. An unclosed quote that a client put at the start would hide
/// everything after it from a forward parser.
struct BackwardElements: ~Escapable {
    private let bytes: RawSpan
    private let quoted: Bool
    private var end: Int
    private var finished = false

    /// `quoted`: commas within `"…"` do not separate (RFC 7239); otherwise every comma does.
    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, quoted: Bool) {
        self.bytes = bytes
        self.quoted = quoted
        end = bytes.byteCount
    }

    /// The element before the last one returned, without surrounding white space; it may be empty. Nil after the first element,
    /// and if a closing quote has no opening one.
    mutating func next() -> Range<Int>? {
        if finished { return nil }
        var index = end
        while index > 0, bytes[index - 1] != UInt8(ascii: ",") {
            if quoted, bytes[index - 1] == UInt8(ascii: "\"") {
                index -= 1
                while index > 0, bytes[index - 1] != UInt8(ascii: "\"") { index -= 1 }
                if index == 0 {
                    finished = true
                    return nil
                }
            }
            index -= 1
        }
        var lower = index
        var upper = end
        finished = index == 0
        end = max(index - 1, 0)
        while lower < upper, bytes[lower] == 0x20 || bytes[lower] == 0x09 { lower += 1 }
        while upper > lower, bytes[upper - 1] == 0x20 || bytes[upper - 1] == 0x09 { upper -= 1 }
        return lower..<upper
    }
}

/// The node of a forwarded hop: `for=` of RFC 7239 section 6, or an item of `X-Forwarded-For`.
package enum ForwardedNode: Sendable, Hashable {
    case address(NetworkAddress)
    /// `unknown` (section 6.2).
    case unknown
    /// `_hidden` (section 6.3).
    case obfuscated

    /// Parses an address with or without a port (`192.0.2.1:80`, `[2001:db8::1]:80`), a bare IPv6 address, `unknown`, or `_…`.
    ///
    /// Nil for anything else, including zones.
    package init?(parsing text: RawSpan) {
        if let address = NetworkAddress(parsing: text) {
            self = .address(address)
            return
        }
        guard let first = text.first else { return nil }
        if first == UInt8(ascii: "[") {
            guard let close = text.firstOffset(of: UInt8(ascii: "]")), Self.isPortOrEnd(text, from: close + 1),
                let address = NetworkAddress(ipv6: text.extracting(1..<close))
            else { return nil }
            self = .address(address)
            return
        }
        let colon = text.firstOffset(of: UInt8(ascii: ":")) ?? text.byteCount
        guard Self.isPortOrEnd(text, from: colon) else { return nil }
        let name = text.extracting(0..<colon)
        if let address = NetworkAddress(ipv4: name) {
            self = .address(address)
        } else if name.equalsIgnoringCase("unknown") {
            self = .unknown
        } else if first == UInt8(ascii: "_"), name.byteCount > 1, name.extracting(droppingFirst: 1).allSatisfy(Self.isObfuscated) {
            self = .obfuscated
        } else {
            return nil
        }
    }

    private static func isObfuscated(_ byte: UInt8) -> Bool { byte != UInt8(ascii: "~") && RequestPath.isUnreserved(byte) }

    /// Returns whether the text ends here, or continues with `:` and one to five digits or an obfuscated port (section 6).
    private static func isPortOrEnd(_ text: RawSpan, from index: Int) -> Bool {
        if index == text.byteCount { return true }
        let port = text.extracting(index + 1..<text.byteCount)
        guard text[index] == UInt8(ascii: ":"), let first = port.first else { return false }
        if first == UInt8(ascii: "_") { return port.byteCount > 1 && port.extracting(droppingFirst: 1).allSatisfy(isObfuscated) }
        return port.byteCount <= 5 && port.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }
}

import Primitives

/// The fields of a message that define its framing and the use of its connection.
struct FramingFields {
    var contentLength: Int?
    var isChunked = false
    var hasTransferEncoding = false
    var closes = false
    var keepsAlive = false
    /// `Connection` lists an option besides a lone `keep-alive`.
    var hasConnectionOptions = false

    /// Parses `Content-Length`, `Transfer-Encoding` and `Connection` strictly (RFC 9112 section 6). `present`: the known fields that the
    /// message has, one bit each.
    init(
        _ fields: borrowing FieldList, present: UInt64, _ bytes: UnsafePointer<UInt8>, classes: ByteClassTable
    ) throws(WireError) {
        // Most requests have none of them.
        guard present & (KnownField.contentLength.bit | KnownField.transferEncoding.bit | KnownField.connection.bit) != 0 else { return }
        for index in 0..<fields.count {
            let field = fields[index]
            switch field.known {
            case .contentLength:
                // Even an identical second one is rejected, because an upstream might join them or pick one (RFC 9110 section 8.6).
                guard contentLength == nil else { throw .contentLengthInvalid }
                contentLength = try Self.contentLength(bytes + Int(field.valueStart), Int(field.valueLength))
            case .transferEncoding:
                guard !hasTransferEncoding else { throw .transferEncodingInvalid }
                hasTransferEncoding = true
                let value = bytes + Int(field.valueStart)
                let length = Int(field.valueLength)
                guard equalsIgnoringASCIICase(value, length, "chunked") else {
                    throw Self.isSingleToken(value, length, classes) ? .transferEncodingUnknown : .transferEncodingInvalid
                }
                isChunked = true
            case .connection:
                try readConnection(bytes + Int(field.valueStart), Int(field.valueLength), classes)
            default: break
            }
        }
        if hasTransferEncoding && contentLength != nil { throw .transferEncodingWithLength }
    }

    /// Parses `1*DIGIT` that fits (RFC 9110 section 8.6): no sign, no list, no white space, at most 18 digits.
    static func contentLength(_ bytes: UnsafePointer<UInt8>, _ length: Int) throws(WireError) -> Int {
        guard length > 0, length <= 18 else { throw .contentLengthInvalid }
        var value = 0
        for index in 0..<length {
            let digit = bytes[index] &- 0x30
            guard digit < 10 else { throw .contentLengthInvalid }
            value = value * 10 + Int(digit)
        }
        return value
    }

    /// Returns whether the value is a single unsupported coding (501), rather than malformed or layered (400).
    private static func isSingleToken(_ bytes: UnsafePointer<UInt8>, _ length: Int, _ classes: ByteClassTable) -> Bool {
        guard length > 0, classes.prefixEnd(bytes, from: 0, to: length, .token) == length else { return false }
        // A name that contains "chunked" may be an attempt to be read as chunked by one side only.
        for coding: StaticString in ["gzip", "x-gzip", "deflate", "compress", "x-compress", "identity", "br", "zstd"]
        where equalsIgnoringASCIICase(bytes, length, coding) { return true }
        return false
    }

    /// Parses `#connection-option`: tokens separated by commas (RFC 9110 section 7.6.1).
    private mutating func readConnection(
        _ bytes: UnsafePointer<UInt8>, _ length: Int, _ classes: ByteClassTable
    ) throws(WireError) {
        // The usual value from upstreams.
        if equalsIgnoringASCIICase(bytes, length, "keep-alive") { return keepsAlive = true }
        hasConnectionOptions = true
        var options = ListElements(RawSpan(_unsafeStart: bytes, count: length))
        while let option = options.next() {
            guard classes.prefixEnd(bytes, from: option.lowerBound, to: option.upperBound, .token) == option.upperBound else {
                throw .connectionInvalid
            }
            let start = bytes + option.lowerBound
            if equalsIgnoringASCIICase(start, option.count, "close") { closes = true }
            if equalsIgnoringASCIICase(start, option.count, "keep-alive") { keepsAlive = true }
        }
    }
}

/// The elements of a comma-separated list without quoted strings; empty ones are skipped (RFC 9110 section 5.6.1.2).
package struct ListElements: ~Escapable {
    private let bytes: RawSpan
    private var index = 0

    @_lifetime(copy bytes)
    package init(_ bytes: RawSpan) { self.bytes = bytes }

    package mutating func next() -> Range<Int>? {
        let length = bytes.byteCount
        while index < length {
            var start = index
            var end = start
            while end < length, bytes[end] != UInt8(ascii: ",") { end += 1 }
            index = end + 1
            while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
            while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
            if start < end { return start..<end }
        }
        return nil
    }
}

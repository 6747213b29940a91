import HTTPWire
import NIOCore
import NIOHPACK

/// Turns the field section of an HTTP/2 request into the one form of request head that the gateway knows.
///
/// What RFC 9113 section 8 calls malformed is refused here; the rest is written as an HTTP/1.1 head and read by the parser that
/// reads HTTP/1.1, so that both versions obey one set of rules and nothing can be smuggled from one form into the other
/// (RFC 9113 section 10.3).
struct HTTP2RequestHead {
    enum Refusal: Error, Equatable {
        /// The stream ends with PROTOCOL_ERROR (RFC 9113 section 8.1.1). The word is for tests and logs.
        case malformed(StaticString)
        /// The request is answered with the error's status.
        case refused(WireError)

        static func == (one: Refusal, other: Refusal) -> Bool {
            switch (one, other) {
            case (.malformed(let one), .malformed(let other)): "\(one)" == "\(other)"
            case (.refused(let one), .refused(let other)): one == other
            default: false
            }
        }
    }

    private var method: Span?
    private var path: Span?
    private var scheme: Span?
    private var authority: Span?
    private var host: Span?
    private var hasLength = false
    private var cookieCount = 0
    private var isInFields = false
    /// Bytes of the fields that the others are made from, and the fields that go on as they are.
    private var values = ByteBuffer()
    private var fields = ByteBuffer()
    private var cookies = ByteBuffer()
    private let limits: HeadLimits
    private var fieldCount = 0

    /// A stretch of `values`.
    private typealias Span = Range<Int>

    private init(limits: HeadLimits) { self.limits = limits }

    /// The head, and whether a body follows is the caller's to say: `isEnd` is END_STREAM.
    static func head(from section: HPACKHeaders, isEnd: Bool, limits: HeadLimits) throws(Refusal) -> RequestHead {
        var reader = HTTP2RequestHead(limits: limits)
        for (name, value, _) in section { try reader.read(name, value) }
        var bytes = try reader.rendered(isEnd: isEnd)
        var parser = RequestHeadParser(limits: limits)
        let parsed: RequestHead?
        do throws(WireError) {
            parsed = try parser.parse(&bytes)
        } catch {
            throw .refused(error)
        }
        guard var head = parsed, bytes.readableBytes == 0 else { throw .malformed("head") }
        if isEnd, head.framing != .none { throw .malformed("content-length") }
        head.majorVersion = 2
        return head
    }

    // MARK: Reading

    private mutating func read(_ name: String, _ value: String) throws(Refusal) {
        var refusal: Refusal?
        var name = name
        var value = value
        name.withUTF8 { name in
            value.withUTF8 { value in
                do throws(Refusal) { try read(name, value) } catch { refusal = error }
            }
        }
        if let refusal { throw refusal }
    }

    private mutating func read(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) throws(Refusal) {
        guard let first = name.first else { throw .malformed("field-name") }
        try Self.checkValue(value)
        if first == UInt8(ascii: ":") {
            // All of them before the first field (RFC 9113 section 8.3).
            if isInFields { throw .malformed("pseudo-header-after-field") }
            return try readPseudo(name, value)
        }
        isInFields = true
        try HTTP2FieldRules.checkName(name)
        switch name.count {
        case 4 where Self.equals(name, "host"):
            guard host == nil else { throw .refused(.hostInvalid) }
            host = keep(value)
        case 6 where Self.equals(name, "cookie"):
            // Crumbs become one line again before anybody looks (RFC 9113 section 8.2.3).
            if cookieCount > 0 { cookies.writeStaticString("; ") }
            cookies.writeBytes(value)
            cookieCount += 1
        case 2 where Self.equals(name, "te") && !Self.equals(value, "trailers"):
            throw .malformed("te")
        default:
            if Self.equals(name, "content-length") { hasLength = true }
            fieldCount += 1
            guard fieldCount <= limits.fields else { throw .refused(.tooManyFields) }
            fields.writeBytes(name)
            fields.writeStaticString(": ")
            fields.writeBytes(value)
            fields.writeStaticString("\r\n")
        }
        guard fields.readableBytes + cookies.readableBytes <= limits.bytes else { throw .refused(.headTooLarge) }
    }

    /// Each once, and no others: `:protocol` belongs to extended CONNECT, which is not offered (RFC 8441 section 3).
    private mutating func readPseudo(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) throws(Refusal) {
        let place: WritableKeyPath<HTTP2RequestHead, Span?>
        if Self.equals(name, ":method") {
            place = \.method
        } else if Self.equals(name, ":path") {
            place = \.path
        } else if Self.equals(name, ":scheme") {
            place = \.scheme
        } else if Self.equals(name, ":authority") {
            place = \.authority
        } else {
            throw .malformed("pseudo-header-unknown")
        }
        guard self[keyPath: place] == nil else { throw .malformed("pseudo-header-twice") }
        self[keyPath: place] = keep(value)
    }

    private mutating func keep(_ value: UnsafeBufferPointer<UInt8>) -> Span {
        let start = values.writerIndex
        values.writeBytes(value)
        return start..<values.writerIndex
    }

    /// RFC 9113 section 8.2.1: no NUL, CR or LF anywhere, no white space at either end.
    private static func checkValue(_ value: UnsafeBufferPointer<UInt8>) throws(Refusal) {
        for byte in value where byte == 0 || byte == 0x0D || byte == 0x0A { throw .malformed("field-value") }
        if let first = value.first, let last = value.last {
            if first == 0x20 || first == 0x09 || last == 0x20 || last == 0x09 { throw .malformed("field-value") }
        }
        // The decoder below us makes text of the bytes and puts U+FFFD for what is not UTF-8. What we cannot pass on as it came
        // is refused.
        if HTTP2FieldRules.holdsReplacement(value) { throw .refused(.fieldValueInvalid) }
    }

    // MARK: Writing

    private func rendered(isEnd: Bool) throws(Refusal) -> ByteBuffer {
        guard let method, !method.isEmpty else { throw .malformed("method") }
        if equals(method, "CONNECT") { throw .refused(.methodNotAllowed) }
        guard let scheme, equals(scheme, "https") || equals(scheme, "http") else {
            throw self.scheme == nil ? .malformed("scheme") : .refused(.targetInvalid)
        }
        guard let path, let first = values.getInteger(at: path.lowerBound, as: UInt8.self), !path.isEmpty else { throw .malformed("path") }
        // Origin-form, or `*` (RFC 9113 section 8.3.1): an absolute-form here would be a second authority.
        guard first == UInt8(ascii: "/") || equals(path, "*") else { throw .malformed("path") }
        if let authority, let host, view(authority) != view(host) { throw .refused(.hostInvalid) }
        guard let target = authority ?? host else { throw .refused(.hostMissing) }
        let classes = ByteClassTable.shared
        for byte in values.readableBytesView[method] where !classes.contains(byte, .token) { throw .refused(.methodInvalid) }

        var output = ByteBuffer()
        output.reserveCapacity(values.readableBytes + fields.readableBytes + cookies.readableBytes + 96)
        output.writeBytes(values.readableBytesView[method])
        output.writeInteger(UInt8(ascii: " "))
        output.writeBytes(values.readableBytesView[path])
        output.writeStaticString(" HTTP/1.1\r\nhost: ")
        output.writeBytes(values.readableBytesView[target])
        output.writeStaticString("\r\n")
        output.writeImmutableBuffer(fields)
        if cookieCount > 0 {
            output.writeStaticString("cookie: ")
            output.writeImmutableBuffer(cookies)
            output.writeStaticString("\r\n")
        }
        // A body of unknown length; the frames delimit it (RFC 9113 section 8.1).
        if !isEnd, !hasLength { output.writeStaticString("transfer-encoding: chunked\r\n") }
        output.writeStaticString("\r\n")
        return output
    }

    private func view(_ span: Span) -> [UInt8] { Array(values.readableBytesView[span]) }

    private func equals(_ span: Span, _ text: StaticString) -> Bool {
        values.withUnsafeReadableBytes { bytes in
            span.count == text.utf8CodeUnitCount
                && zip(bytes[span], UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)).allSatisfy { $0 == $1 }
        }
    }

    private static func equals(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count where bytes[index] != text.utf8Start[index] { return false }
        return true
    }
}

/// What field names may be in HTTP/2, in both directions (RFC 9113 section 8.2).
enum HTTP2FieldRules {
    /// A token in lower case that is none of HTTP/1.1's connection fields.
    static func checkName(_ name: UnsafeBufferPointer<UInt8>) throws(HTTP2RequestHead.Refusal) {
        let classes = ByteClassTable.shared
        for byte in name where !classes.contains(byte, .token) || (byte >= 0x41 && byte <= 0x5A) { throw .malformed("field-name") }
        if isConnectionSpecific(name) { throw .malformed("connection-specific-field") }
    }

    /// RFC 9113 section 8.2.2. `name` is in lower case.
    static func isConnectionSpecific(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        func equals(_ text: StaticString) -> Bool {
            guard name.count == text.utf8CodeUnitCount else { return false }
            for index in 0..<name.count where name[index] != text.utf8Start[index] { return false }
            return true
        }
        return switch name.count {
        case 7: equals("upgrade")
        case 10: equals("connection") || equals("keep-alive")
        case 16: equals("proxy-connection")
        case 17: equals("transfer-encoding")
        default: false
        }
    }

    /// U+FFFD in UTF-8.
    static func holdsReplacement(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index + 2 < value.count {
            if value[index] == 0xEF, value[index + 1] == 0xBF, value[index + 2] == 0xBD { return true }
            index += 1
        }
        return false
    }
}

import HTTPWire
import NIOCore
import NIOHPACK
import Primitives

/// Turns the field section of an HTTP/2 request into the one form of request head that the gateway knows.
///
/// Refuses requests that RFC 9113 section 8 calls malformed. Others are written as an HTTP/1.1 head and read by the parser that
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

    private var method: String?
    private var path: String?
    private var scheme: String?
    private var authority: String?
    private var host: String?
    /// Joins split cookie fields into one line (RFC 9113 section 8.2.3).
    private var cookie: String?
    private var hasLength = false
    private var isInFields = false
    private let limits: HeadLimits
    private var fieldCount = 0

    private init(limits: HeadLimits) { self.limits = limits }

    /// The head, and whether a body follows is the caller's to say: `isEnd` is END_STREAM. `parser` and `lines` serve one head after
    /// another.
    static func head(
        from section: HPACKHeaders, isEnd: Bool, limits: HeadLimits, parser: inout RequestHeadParser, lines: inout LineBytes
    ) throws(Refusal) -> RequestHead {
        var reader = HTTP2RequestHead(limits: limits)
        lines.removeAll()
        for (name, value, _) in section { try reader.read(name, value, into: &lines) }
        var bytes = try reader.rendered(isEnd: isEnd, &lines)
        var head = RequestHead()
        do throws(WireError) {
            guard try parser.parse(&bytes, into: &head), bytes.readableBytes == 0 else { throw .requestLineMalformed }
        } catch {
            // It is in the middle of a head now.
            parser = RequestHeadParser(limits: limits)
            throw .refused(error)
        }
        if isEnd, head.framing != .none { throw .malformed("content-length") }
        head.majorVersion = 2
        return head
    }

    // MARK: Reading

    private mutating func read(_ name: String, _ value: String, into lines: inout LineBytes) throws(Refusal) {
        try HTTP2FieldRules.checkValue(value)
        if name.utf8.first == UInt8(ascii: ":") {
            // All of them before the first field (RFC 9113 section 8.3).
            if isInFields { throw .malformed("pseudo-header-after-field") }
            return try readPseudo(name, value)
        }
        isInFields = true
        try HTTP2FieldRules.checkName(name)
        switch name {
        case "host":
            guard host == nil else { throw .refused(.hostInvalid) }
            host = value
        case "cookie":
            // In place: many crumbs must not be copied once for each.
            if cookie == nil {
                cookie = value
            } else {
                cookie?.append("; ")
                cookie?.append(value)
            }
        case "te" where value != "trailers":
            throw .malformed("te")
        default:
            if name == "content-length" { hasLength = true }
            fieldCount += 1
            guard fieldCount <= limits.fields else { throw .refused(.tooManyFields) }
            lines.put(text: name)
            lines.put(": ")
            lines.put(text: value)
            lines.put("\r\n")
        }
        guard lines.count + (cookie?.utf8.count ?? 0) <= limits.bytes else { throw .refused(.headTooLarge) }
    }

    /// Each once, and no others: `:protocol` belongs to extended CONNECT, which is not offered (RFC 8441 section 3).
    private mutating func readPseudo(_ name: String, _ value: String) throws(Refusal) {
        func once(_ place: inout String?) throws(Refusal) {
            guard place == nil else { throw .malformed("pseudo-header-twice") }
            place = value
        }
        switch name {
        case ":method": try once(&method)
        case ":path": try once(&path)
        case ":scheme": try once(&scheme)
        case ":authority": try once(&authority)
        default: throw .malformed("pseudo-header-unknown")
        }
    }

    // MARK: Writing

    private func rendered(isEnd: Bool, _ lines: inout LineBytes) throws(Refusal) -> ByteBuffer {
        guard let method, !method.isEmpty else { throw .malformed("method") }
        if method == "CONNECT" { throw .refused(.methodNotAllowed) }
        guard let scheme, scheme == "https" || scheme == "http" else {
            throw self.scheme == nil ? .malformed("scheme") : .refused(.targetInvalid)
        }
        // Origin-form, or `*` (RFC 9113 section 8.3.1): an absolute-form here would be a second authority.
        guard let path, path.utf8.first == UInt8(ascii: "/") || path == "*" else { throw .malformed("path") }
        // By bytes: equal as text is not equal.
        if let authority, let host, !authority.utf8.elementsEqual(host.utf8) { throw .refused(.hostInvalid) }
        guard let target = authority ?? host else { throw .refused(.hostMissing) }
        let classes = ByteClassTable.shared
        for byte in method.utf8 where !classes.contains(byte, .token) { throw .refused(.methodInvalid) }

        if let cookie {
            lines.put("cookie: ")
            lines.put(text: cookie)
            lines.put("\r\n")
        }
        // A body of unknown length; the frames delimit it (RFC 9113 section 8.1).
        if !isEnd, !hasLength { lines.put("transfer-encoding: chunked\r\n") }
        lines.put("\r\n")
        var output = ByteBuffer()
        output.reserveCapacity(method.utf8.count + path.utf8.count + target.utf8.count + 32 + lines.count)
        output.writeString(method)
        output.writeInteger(UInt8(ascii: " "))
        output.writeString(path)
        output.writeStaticString(" HTTP/1.1\r\nhost: ")
        output.writeString(target)
        output.writeStaticString("\r\n")
        output.put(lines.bytes)
        return output
    }
}

/// The rules for field names in HTTP/2, in both directions (RFC 9113 section 8.2).
enum HTTP2FieldRules {
    /// A token in lower case that is none of HTTP/1.1's connection fields.
    static func checkName(_ name: String) throws(HTTP2RequestHead.Refusal) {
        let classes = ByteClassTable.shared
        guard !name.isEmpty else { throw .malformed("field-name") }
        for byte in name.utf8 where !classes.contains(byte, .token) || (byte >= 0x41 && byte <= 0x5A) { throw .malformed("field-name") }
        if isConnectionSpecific(name) { throw .malformed("connection-specific-field") }
    }

    /// RFC 9113 section 8.2.2. `name` is in lower case.
    static func isConnectionSpecific(_ name: String) -> Bool {
        switch name.utf8.count {
        case 7: name == "upgrade"
        case 10: name == "connection" || name == "keep-alive"
        case 16: name == "proxy-connection"
        case 17: name == "transfer-encoding"
        default: false
        }
    }

    /// RFC 9113 section 8.2.1: no NUL, CR or LF anywhere, no white space at either end.
    static func checkValue(_ value: String) throws(HTTP2RequestHead.Refusal) {
        let value = value.utf8.span.bytes
        guard value.trimmingBlanks().byteCount == value.byteCount else { throw .malformed("field-value") }
        if !ByteClassTable.shared.areFieldValue(value) {
            let breaksLine = !value.allSatisfy { $0 != 0 && $0 != 0x0D && $0 != 0x0A }
            throw breaksLine ? .malformed("field-value") : .refused(.fieldValueInvalid)
        }
        // The decoder below us makes text of the bytes and puts U+FFFD for what is not UTF-8. What we cannot pass on as it came
        // is refused.
        if holdsReplacement(value) { throw .refused(.fieldValueInvalid) }
    }

    /// U+FFFD in UTF-8.
    private static func holdsReplacement(_ value: RawSpan) -> Bool {
        guard value.byteCount > 2, value.firstOffset(of: 0xEF) != nil else { return false }
        return (0..<value.byteCount - 2).contains { value[$0] == 0xEF && value[$0 + 1] == 0xBF && value[$0 + 2] == 0xBD }
    }
}

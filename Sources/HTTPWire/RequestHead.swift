import Glibc
import Primitives
package import NIOCore

/// A strictly parsed request head within its limits; the body has not been read.
///
/// Everything is offsets into `bytes`; nothing is copied. A value exists only for an unambiguous head.
public struct RequestHead: Sendable {
    /// Request line, field lines and the empty line, exactly as received.
    package internal(set) var bytes = ByteBuffer()
    package internal(set) var method = Method.other
    package internal(set) var methodRange = 0..<0
    /// The path as forwarded, from its `/` to before `?`. Empty for asterisk-form and for absolute-form without a path.
    package internal(set) var pathRange = 0..<0
    /// From `?` (included) to the end of the target; empty without a query.
    package internal(set) var queryRange = 0..<0
    /// Host and port, from an absolute-form target or else from `Host` (RFC 9112 section 3.2.2).
    package internal(set) var authorityRange = 0..<0
    package internal(set) var isAsteriskForm = false
    /// 1, or 2 for a head from HTTP/2 frames, which is stored in the form of HTTP/1.1.
    package var majorVersion: UInt8 = 1
    /// 0 or 1.
    package internal(set) var minorVersion: UInt8 = 1
    package internal(set) var fields = FieldList()
    package internal(set) var framing = BodyFraming.none
    /// True if the client wants to keep the connection open.
    package internal(set) var keepsAlive = true
    /// `Connection` lists an option besides a lone `keep-alive`: field lines may end at this hop (RFC 9110 section 7.6.1).
    package internal(set) var hasConnectionOptions = false
    package internal(set) var expectsContinue = false
    /// The known fields that are present, one bit each.
    public internal(set) var present: UInt64 = 0

    package init() {}

    /// Resets everything except `bytes` and `fields`. In place, because a new value would count references to both.
    fileprivate mutating func reset() {
        method = .other
        methodRange = 0..<0
        pathRange = 0..<0
        queryRange = 0..<0
        authorityRange = 0..<0
        isAsteriskForm = false
        majorVersion = 1
        minorVersion = 1
        framing = .none
        keepsAlive = true
        hasConnectionOptions = false
        expectsContinue = false
        present = 0
    }

    /// Releases the read buffer, so that the next read can reuse it, and returns the list of fields to the parser.
    /// The ranges are invalid afterwards.
    package mutating func recycle(into parser: inout RequestHeadParser) {
        parser.takeBack(&bytes, &fields)
    }

    @inlinable @inline(__always)
    public func has(_ field: KnownField) -> Bool { present & field.bit != 0 }

    /// The first line with this name; the only one for single-valued fields.
    package func first(_ known: KnownField) -> FieldLine? {
        guard known == .other || has(known) else { return nil }
        return fields.first { $0.known == known }
    }

    /// The value of the first line with this name; nil if there is none. `bytes` are those of the head.
    @_lifetime(copy bytes)
    package func value(_ known: KnownField, in bytes: RawSpan) -> RawSpan? {
        guard let field = first(known) else { return nil }
        return field.value(in: bytes)
    }

    /// The value of the first line with this lower-case name, which is none of `KnownField`.
    @_lifetime(copy bytes)
    package func value(named name: StaticString, in bytes: RawSpan) -> RawSpan? {
        guard let field = first(named: name) else { return nil }
        return field.value(in: bytes)
    }

    /// The first line with this lower-case name, which is none of `KnownField`.
    package func first(named name: StaticString) -> FieldLine? {
        let bytes = bytes.byteSpan
        return fields.first { $0.known == .other && $0.name(in: bytes).equalsIgnoringCase(name) }
    }

    /// The value of the first line with this lower-case name, as text; nil if there is none. Not for the request path.
    package func value(named name: StaticString) -> String? {
        let bytes = bytes.byteSpan
        return fields.first { $0.name(in: bytes).equalsIgnoringCase(name) }.map { text($0.valueStart, $0.valueLength) }
    }

    /// True if `TE` lists `trailers` (RFC 9110 section 10.1.4).
    package var acceptsTrailers: Bool {
        guard has(.te) else { return false }
        let bytes = bytes.byteSpan
        return fields.contains { $0.known == .te && Self.lists("trailers", in: $0.value(in: bytes)) }
    }

    /// Returns whether a comma-separated field contains an element, ignoring case.
    static func lists(_ element: StaticString, in value: RawSpan) -> Bool {
        var elements = ListElements(value)
        while let found = elements.next() {
            if value.extracting(found).equalsIgnoringCase(element) { return true }
        }
        return false
    }

    /// The value of the first line with this name, as text. Not for the request path.
    package func text(_ known: KnownField) -> String? {
        first(known).map { text($0.valueStart, $0.valueLength) }
    }

    package func text(_ start: UInt32, _ length: UInt32) -> String {
        text(Int(start)..<Int(start + length))
    }

    package func text(_ range: Range<Int>) -> String {
        bytes.getString(at: bytes.readerIndex + range.lowerBound, length: range.count) ?? ""
    }

    package var methodText: String { text(methodRange) }
    package var pathText: String { pathRange.isEmpty ? (isAsteriskForm ? "*" : "/") : text(pathRange) }
    /// The query without the `?`.
    package var queryText: String { String(text(queryRange).dropFirst()) }
    package var authorityText: String { text(authorityRange) }
}

/// Parses consecutive request heads from a connection's bytes.
///
/// Strict: throws a `WireError` for anything that RFC 9112 calls invalid or that programs may read differently. The connection
/// must then be closed.
package struct RequestHeadParser {
    private enum State { case start, fields }

    private var state = State.start
    private var scanner: HeadScanner
    private var head = RequestHead()
    private var skippedEmptyLine = false
    private var emptied = EmptiedBuffer()
    private let classes = ByteClassTable.shared

    package init(limits: HeadLimits) {
        scanner = HeadScanner(limits: limits)
    }

    /// True if any byte of a head has been read, so that a close is an abort.
    package var isInHead: Bool { state != .start || !scanner.isAtStart }

    /// Parses a complete head at the start of `buffer` and consumes it; leaves an incomplete one in `buffer`.
    package mutating func parse(_ buffer: inout ByteBuffer) throws(WireError) -> RequestHead? {
        var complete = RequestHead()
        return try parse(&buffer, into: &complete) ? complete : nil
    }

    /// Parses without a copy: returns true once `complete` contains the next head.
    package mutating func parse(_ buffer: inout ByteBuffer, into complete: inout RequestHead) throws(WireError) -> Bool {
        if state == .start && !skippedEmptyLine { try skipEmptyLine(&buffer) }
        let length = try withBytes(of: buffer) { (bytes, count) throws(WireError) in try self.parse(bytes, count) }
        guard let length, var slice = buffer.readSlice(length: length) else { return false }
        swap(&complete, &head)
        head.reset()
        swap(&complete.bytes, &slice)
        emptied.keep(consume slice)
        complete.fields = scanner.takeFields()
        scanner.reset()
        state = .start
        skippedEmptyLine = false
        return true
    }

    /// Makes a head of a request line and `Host`, and of fields of another head. Those were parsed with that one and are not parsed again.
    ///
    /// Nothing is kept of `Host` and of the fields about framing and connection, whatever `isKept` returns. Must not be called within a head.
    /// `complete`: becomes the head, and brings the memory of an earlier one.
    package mutating func head(
        method: RawSpan, target: RawSpan, host: RawSpan, fieldsOf other: borrowing RequestHead, into complete: inout RequestHead,
        isKept: (FieldLine) -> Bool
    ) throws(WireError) {
        scanner.takeBack(&complete.fields)
        var lines = LineBytes(capacity: other.bytes.readableBytes + method.byteCount + target.byteCount + host.byteCount + 64)
        lines.put(method)
        lines.put(" ")
        lines.put(target)
        lines.put(" HTTP/1.1\r\nhost: ")
        lines.put(host)
        lines.put("\r\n\r\n")
        let length = lines.count
        let parsed = try lines.bytes.withUnsafeBytes { (bytes) throws(WireError) -> Int? in
            guard let start = bytes.baseAddress else { return nil }
            return try parse(start.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        guard parsed == length, scanner.fields.count == 1 else { throw .requestLineMalformed }
        lines.removeLast(2)
        var present = KnownField.host.bit
        let bytes = other.bytes.byteSpan
        for field in other.fields where !field.known.isAboutMessage && isKept(field) {
            present |= other.present & field.known.bit
            scanner.add(field, movedBy: lines.count - Int(field.nameStart))
            lines.put(bytes.extracting(Int(field.nameStart)..<Int(field.lineEnd)))
        }
        lines.put("\r\n")
        swap(&complete, &head)
        swap(&complete.bytes, &head.bytes)
        head.reset()
        complete.present = present
        complete.bytes.clear()
        lines.write(to: &complete.bytes)
        complete.fields = scanner.takeFields()
        scanner.reset()
        state = .start
    }

    /// Takes back the memory of a list for the next head.
    fileprivate mutating func takeBack(_ bytes: inout ByteBuffer, _ fields: inout FieldList) {
        emptied.exchange(&bytes)
        scanner.takeBack(&fields)
    }

    /// Ignores one CRLF before the request line (RFC 9112 section 2.2), but not a second one.
    private mutating func skipEmptyLine(_ buffer: inout ByteBuffer) throws(WireError) {
        guard buffer.readableBytes >= 2, buffer.getInteger(at: buffer.readerIndex, as: UInt16.self) == 0x0D0A else { return }
        buffer.moveReaderIndex(forwardBy: 2)
        skippedEmptyLine = true
    }

    private mutating func parse(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws(WireError) -> Int? {
        if state == .start {
            guard let line = try scanner.line(bytes, count, tooLong: .requestLineTooLong) else {
                // A lone CR may be the first half of the ignored empty line. Any other byte that cannot
                // start a method is rejected at once.
                if count > 0, bytes[0] != 0x0D, !classes.contains(bytes[0], .token) { throw .requestLineMalformed }
                return nil
            }
            try readRequestLine(bytes, line)
            state = .fields
        }
        guard try scanner.readFields(bytes, count) else { return nil }
        try interpretFields(bytes)
        return scanner.position
    }

    /// Parses `method SP request-target SP HTTP-version` with single spaces (RFC 9112 section 3).
    private mutating func readRequestLine(_ bytes: UnsafePointer<UInt8>, _ line: Range<Int>) throws(WireError) {
        let methodEnd = classes.prefixEnd(bytes, from: line.lowerBound, to: line.upperBound, .token)
        guard methodEnd > line.lowerBound, methodEnd < line.upperBound, bytes[methodEnd] == 0x20 else {
            throw .requestLineMalformed
        }
        guard methodEnd - line.lowerBound <= 32 else { throw .methodInvalid }
        head.methodRange = line.lowerBound..<methodEnd
        head.method = try Self.method(bytes + line.lowerBound, methodEnd - line.lowerBound)

        let targetStart = methodEnd + 1
        let versionStart = line.upperBound - 8
        guard versionStart > targetStart + 1, bytes[versionStart - 1] == 0x20 else { throw .requestLineMalformed }
        try readVersion(bytes + versionStart)
        try readTarget(bytes, targetStart..<(versionStart - 1))
    }

    private mutating func readVersion(_ bytes: UnsafePointer<UInt8>) throws(WireError) {
        let prefix: StaticString = "HTTP/"
        for index in 0..<5 where bytes[index] != prefix.utf8Start[index] { throw .requestLineMalformed }
        let major = bytes[5]
        let minor = bytes[7]
        guard classes.contains(major, .digit), bytes[6] == UInt8(ascii: "."), classes.contains(minor, .digit) else {
            throw .requestLineMalformed
        }
        guard major == UInt8(ascii: "1"), minor <= UInt8(ascii: "1") else { throw .versionUnsupported }
        head.minorVersion = minor - UInt8(ascii: "0")
    }

    private static func method(_ bytes: UnsafePointer<UInt8>, _ length: Int) throws(WireError) -> Method {
        func matches(_ name: StaticString) -> Bool {
            guard length == name.utf8CodeUnitCount else { return false }
            for index in 0..<length where bytes[index] != name.utf8Start[index] { return false }
            return true
        }
        switch length {
        case 3:
            if matches("GET") { return .get }
            if matches("PUT") { return .put }
        case 4:
            if matches("POST") { return .post }
            if matches("HEAD") { return .head }
        case 5:
            // TRACE would echo the identity headers back to the browser (RFC 9110 section 9.3.8).
            if matches("TRACE") { throw .methodNotAllowed }
            if matches("PATCH") { return .patch }
        case 6:
            if matches("DELETE") { return .delete }
        case 7:
            if matches("CONNECT") { throw .methodNotAllowed }
            if matches("OPTIONS") { return .options }
        default: break
        }
        // `post` is not the method POST, but some apps treat it as such. A spelling must not bypass rules by method.
        for name: StaticString in ["get", "put", "post", "head", "patch", "trace", "delete", "options", "connect"]
        where equalsIgnoringASCIICase(bytes, length, name) { throw .methodInvalid }
        return .other
    }

    /// Parses origin-form and absolute-form, and asterisk-form for OPTIONS (RFC 9112 section 3.2). Rejects white space, control
    /// characters, non-ASCII bytes and `#`.
    private mutating func readTarget(_ bytes: UnsafePointer<UInt8>, _ target: Range<Int>) throws(WireError) {
        guard classes.prefixEnd(bytes, from: target.lowerBound, to: target.upperBound, .target) == target.upperBound else {
            throw .targetInvalid
        }
        if bytes[target.lowerBound] == UInt8(ascii: "/") {
            splitQuery(bytes, target)
        } else if target.count == 1 && bytes[target.lowerBound] == UInt8(ascii: "*") {
            guard head.method == .options else { throw .targetFormNotAllowed }
            head.isAsteriskForm = true
        } else {
            try readAbsoluteForm(bytes, target)
        }
    }

    private mutating func readAbsoluteForm(_ bytes: UnsafePointer<UInt8>, _ target: Range<Int>) throws(WireError) {
        let start = bytes + target.lowerBound
        var authorityStart: Int
        if target.count > 7, equalsIgnoringASCIICase(start, 7, "http://") {
            authorityStart = target.lowerBound + 7
        } else if target.count > 8, equalsIgnoringASCIICase(start, 8, "https://") {
            authorityStart = target.lowerBound + 8
        } else {
            throw .targetFormNotAllowed
        }
        var end = authorityStart
        while end < target.upperBound, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") { end += 1 }
        guard end > authorityStart else { throw .targetInvalid }
        head.authorityRange = authorityStart..<end
        authorityStart = end
        splitQuery(bytes, end..<target.upperBound)
    }

    private mutating func splitQuery(_ bytes: UnsafePointer<UInt8>, _ target: Range<Int>) {
        if let found = memchr(bytes + target.lowerBound, Int32(UInt8(ascii: "?")), target.count) {
            let question = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - bytes
            head.pathRange = target.lowerBound..<question
            head.queryRange = question..<target.upperBound
        } else {
            head.pathRange = target
            head.queryRange = target.upperBound..<target.upperBound
        }
    }

    private mutating func interpretFields(_ bytes: UnsafePointer<UInt8>) throws(WireError) {
        var present: UInt64 = 0
        var absent: UInt64 = 0
        for field in scanner.fields where field.known != .other {
            let bit = field.known.bit
            if present & bit != 0 {
                switch field.known {
                case .host: throw .hostInvalid
                case .contentLength: throw .contentLengthInvalid
                case .transferEncoding: throw .transferEncodingInvalid
                default:
                    if field.known.isSingleInRequests { throw .fieldDuplicate }
                    if field.known.isAbsentWhenRepeated { absent |= bit }
                }
            }
            present |= bit
        }
        head.present = present & ~absent
        try readHost(bytes)

        let framing = try FramingFields(scanner.fields, present: present, bytes, classes: classes)
        if framing.hasTransferEncoding && head.minorVersion == 0 { throw .transferEncodingInOldVersion }
        head.framing = framing.isChunked ? .chunked : framing.contentLength.map { $0 == 0 ? .none : .length($0) } ?? .none
        head.hasConnectionOptions = framing.hasConnectionOptions
        head.keepsAlive = head.minorVersion == 1 ? !framing.closes : framing.keepsAlive && !framing.closes
        if head.has(.expect), let expect = fields(.expect) {
            guard equalsIgnoringASCIICase(bytes + Int(expect.valueStart), Int(expect.valueLength), "100-continue") else {
                throw .expectationUnknown
            }
            head.expectsContinue = head.minorVersion == 1 && head.framing != .none
        }
    }

    private func fields(_ known: KnownField) -> FieldLine? { scanner.fields.first { $0.known == known } }

    /// Requires exactly one valid `Host` (RFC 9112 section 3.2), also in HTTP/1.0, because it selects the route.
    private mutating func readHost(_ bytes: UnsafePointer<UInt8>) throws(WireError) {
        guard let host = fields(.host) else { throw .hostMissing }
        let range = Int(host.valueStart)..<Int(host.valueStart + host.valueLength)
        guard Authority.isValid(bytes + range.lowerBound, range.count, classes) else { throw .hostInvalid }
        if head.authorityRange.isEmpty {
            head.authorityRange = range
        } else {
            let authority = head.authorityRange
            guard Authority.isValid(bytes + authority.lowerBound, authority.count, classes) else { throw .targetInvalid }
        }
    }
}

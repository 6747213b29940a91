package import HTTPWire
import NIOCore
import Primitives

/// The field lines of a response on their way to the client.
package enum ResponseWriter {
    /// Copies what is end-to-end.
    package static func copyFields(of head: ResponseHead, _ edits: ResponseEdits, into lines: inout LineBytes) {
        let bytes = head.bytes.byteSpan
        let named = head.hasConnectionOptions ? ConnectionOptions(head.fields, bytes) : nil
        // A response with a user's cookie must not be cached for others, whatever the upstream says.
        let dropsCacheControl = edits.addedLines != nil && !CacheDirectives(head).isPrivate
        if let removed = edits.route?.removed {
            copySurvivors(head.fields, bytes, into: &lines) {
                $0.known == .cacheControl && dropsCacheControl || isDropped($0, bytes, edits, named)
                    || removed.contains($0.name(in: bytes))
            }
        } else {
            copySurvivors(head.fields, bytes, into: &lines) {
                $0.known == .cacheControl && dropsCacheControl || isDropped($0, bytes, edits, named)
            }
        }
    }

    private static func isDropped(
        _ field: FieldLine, _ bytes: RawSpan, _ edits: ResponseEdits, _ named: ConnectionOptions?
    ) -> Bool {
        switch field.known {
        case .contentLength: return true
        case .setCookie: return edits.cookies.isOurs(cookieName(field.value(in: bytes)))
        case .other: return named?.contains(field, bytes) ?? false
        default: return field.known.isHopByHop || (named?.contains(field, bytes) ?? false)
        }
    }

    /// The text before the first `=` of a `Set-Cookie`, without white space (RFC 6265 section 5.2). Of a cookie without a
    /// name its value's beginning: a browser sends `=session=x` back as `session=x`.
    @_lifetime(copy value)
    private static func cookieName(_ value: RawSpan) -> RawSpan {
        let length = value.byteCount
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var start = 0
        while start < length, value[start] == UInt8(ascii: "=") || isSpace(value[start]) { start += 1 }
        var end = start
        while end < length, value[end] != UInt8(ascii: "="), value[end] != UInt8(ascii: ";") { end += 1 }
        while end > start, isSpace(value[end - 1]) { end -= 1 }
        return value.extracting(start..<end)
    }

    /// Adds our cookies, and privacy where the upstream does not say `public`: a shared cache must not keep what a signed-in
    /// person saw, nor our cookies, and a page must not come back with the Back button after sign-out (RFC 9111 section 3.5).
    package static func addOurFields(to head: ResponseHead, _ edits: ResponseEdits, into lines: inout LineBytes) {
        // To make one takes a copy of the head.
        let directives = edits.route?.cacheDirectives ?? (head.has(.cacheControl) ? CacheDirectives(head) : CacheDirectives())
        if let route = edits.route {
            lines.put(route.lines)
            if let line = route.cacheControl, edits.addedLines == nil || directives.isPrivate { lines.put(line) }
        }
        if let ours = edits.crossOriginLines { lines.put(ours) }
        if edits.addedLines != nil || edits.isPrivate && !directives.isPublic, !directives.isPrivate {
            if directives.isEmpty, isHTML(head) {
                lines.put("cache-control: no-store\r\n")
            } else {
                lines.put("cache-control: private\r\n")
            }
        }
        if let line = edits.hstsLine, !head.has(.strictTransportSecurity), edits.route?.ownsTransportSecurity != true {
            lines.put(line)
        }
        if let ours = edits.addedLines { lines.put(ours) }
    }

    private static func isHTML(_ head: ResponseHead) -> Bool {
        let bytes = head.bytes.byteSpan
        return head.fields.contains { $0.known == .contentType && $0.value(in: bytes).beginsIgnoringCase(with: "text/html") }
    }
}

/// The caching directives of a response, in the lines that reach the client (RFC 9111 section 5.2.2).
package struct CacheDirectives: Sendable {
    package var isEmpty = true
    package var isPublic = false
    /// `private` or `no-store`.
    package var isPrivate = false

    /// Of none.
    package init() {}

    /// Of one field value; nil: of none.
    package init(text: String?) {
        guard let text else { return }
        read(text.utf8.span.bytes)
    }

    package init(_ head: ResponseHead) {
        guard head.has(.cacheControl) else { return }
        let bytes = head.bytes.byteSpan
        let named = head.hasConnectionOptions ? ConnectionOptions(head.fields, bytes) : nil
        for field in head.fields where field.known == .cacheControl && !(named?.contains(field, bytes) ?? false) {
            read(field.value(in: bytes))
        }
    }

    private mutating func read(_ value: RawSpan) {
        var elements = ListElements(value)
        while let range = elements.next() {
            let element = value.extracting(range)
            isEmpty = false
            if element.equalsIgnoringCase("public") { isPublic = true }
            if element.equalsIgnoringCase("private") || element.equalsIgnoringCase("no-store") { isPrivate = true }
        }
    }
}

/// Copies the field lines that are not dropped, as they came; each run of neighbours in one piece.
@inline(__always)
package func copySurvivors(
    _ fields: borrowing FieldList, _ bytes: RawSpan, into lines: inout LineBytes, isDropped: (FieldLine) -> Bool
) {
    var runStart = -1
    var runEnd = 0
    for index in 0..<fields.count {
        let field = fields[index]
        if isDropped(field) {
            if runStart >= 0 { lines.put(bytes.extracting(runStart..<runEnd)) }
            runStart = -1
        } else {
            if runStart < 0 { runStart = Int(field.nameStart) }
            runEnd = Int(field.lineEnd)
        }
    }
    if runStart >= 0 { lines.put(bytes.extracting(runStart..<runEnd)) }
}

/// The field names that `Connection` lists besides `keep-alive`: they end at this hop (RFC 9110 section 7.6.1).
package struct ConnectionOptions {
    private var ranges: [Range<Int>] = []
    /// The same in lower case, where there are so many that comparing each field with all of them would take too long.
    private var names: Set<[UInt8]> = []
    private static let mostCompared = 16

    /// For a head that has them: nearly none does, and its fields are then compared with nothing.
    package init(_ fields: borrowing FieldList, _ bytes: RawSpan) {
        for index in 0..<fields.count where fields[index].known == .connection {
            let field = fields[index]
            var elements = ListElements(field.value(in: bytes))
            while let element = elements.next() {
                let start = Int(field.valueStart) + element.lowerBound
                ranges.append(start..<(start + element.count))
            }
        }
        if ranges.count > Self.mostCompared { names = Set(ranges.map { $0.map { Self.lower(bytes[$0]) } }) }
    }

    @inline(never)
    package func contains(_ field: FieldLine, _ bytes: RawSpan) -> Bool {
        let name = field.name(in: bytes)
        if !names.isEmpty { return names.contains(name.byteOffsets.map { Self.lower(name[$0]) }) }
        return ranges.contains { range in
            let option = bytes.extracting(range)
            guard option.byteCount == name.byteCount else { return false }
            for offset in name.byteOffsets where Self.lower(option[offset]) != Self.lower(name[offset]) { return false }
            return true
        }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}

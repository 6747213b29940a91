import Decisions
import HTTPWire
import NIOCore
import NIOHPACK
import Primitives

/// Between our HTTP/1.1 form of heads and HTTP/2's lists of fields (RFC 9113 section 8).
///
/// There is one writer of requests and one strict parser of responses; a list of fields passes through their form, after it was
/// checked that no field can become two.
enum HTTP2Translation {
    /// The fields of a request head that `RequestWriter` wrote.
    static func fields(of request: ForwardedRequest, scheme: String) -> HPACKHeaders {
        let head = request.head
        var lines = Lines(head.byteSpan)
        var fields = HPACKHeaders()
        fields.reserveCapacity(24)
        if let line = lines.next() { addRequestLine(line, scheme: scheme, to: &fields) }
        while let line = lines.next(), !line.isEmpty { addField(line, to: &fields) }
        // Whether trailers of the answer have a place to go (RFC 9110 section 10.1.4); gRPC asks for it.
        if request.acceptsTrailers { fields.add(name: "te", value: "trailers") }
        return fields
    }

    /// The fields of trailers that are complete lines.
    static func fields(ofTrailers trailers: ByteBuffer) -> HPACKHeaders {
        var lines = Lines(trailers.byteSpan)
        var fields = HPACKHeaders()
        while let line = lines.next() {
            if !line.isEmpty { addField(line, to: &fields) }
        }
        return fields
    }

    /// The lines of a head or of trailers, without their line ends.
    private struct Lines: ~Escapable {
        private var rest: RawSpan

        @_lifetime(copy bytes)
        init(_ bytes: RawSpan) { rest = bytes }

        @_lifetime(copy self)
        mutating func next() -> RawSpan? {
            guard !rest.isEmpty else { return nil }
            let line = rest.extracting(first: rest.firstOffset(of: 0x0D) ?? rest.byteCount)
            rest = rest.extracting(droppingFirst: line.byteCount + 2)
            return line
        }
    }

    private static func addRequestLine(_ line: RawSpan, scheme: String, to fields: inout HPACKHeaders) {
        let space = line.firstOffset(of: 0x20) ?? line.byteCount
        // " HTTP/1.1" is behind the target.
        let target = line.extracting(droppingFirst: space + 1).extracting(droppingLast: 9)
        fields.add(name: ":method", value: String(decoding: line.extracting(first: space)))
        fields.add(name: ":scheme", value: scheme)
        fields.add(name: ":path", value: String(decoding: target), indexing: .nonIndexable)
    }

    private static func addField(_ line: RawSpan, to fields: inout HPACKHeaders) {
        let colon = line.firstOffset(of: UInt8(ascii: ":")) ?? line.byteCount
        let value = String(decoding: line.extracting(droppingFirst: colon + 1).trimmingBlanks())
        let name = lowerCased(line.extracting(first: colon))
        switch name {
        case "host":
            // The first line behind the request line, so it still comes before every regular field.
            fields.add(name: ":authority", value: value)
        case "connection", "transfer-encoding", "upgrade", "keep-alive", "proxy-connection":
            break
        case "cookie", "authorization", "x-gateway-assertion", "x-forwarded-access-token":
            // Requests of many people share the connection and its table: what is secret is never put there, and no later hop may do
            // so (RFC 7541 section 7.1.3).
            fields.add(name: name, value: value, indexing: .neverIndexed)
        case "x-request-id", "traceparent", "tracestate", "content-length":
            // New with each request: it would only push out what comes again.
            fields.add(name: name, value: value, indexing: .nonIndexable)
        default:
            fields.add(name: name, value: value)
        }
    }

    /// The head of a response, parsed as strictly as one of HTTP/1.1.
    ///
    /// Refuses a missing, repeated or late `:status`, every other pseudo-header, upper case, connection-specific fields, line
    /// breaks and white space at either end (RFC 9113 sections 8.2 and 8.3).
    static func head(
        of fields: HPACKHeaders, method: HTTPWire.Method, limits: HeadLimits
    ) throws(WireError) -> ResponseHead {
        var iterator = fields.makeIterator()
        guard let first = iterator.next(), first.name == ":status", first.value.utf8.count == 3 else { throw .statusLineMalformed }
        var bytes = ByteBuffer()
        bytes.writeStaticString("HTTP/1.1 ")
        bytes.writeString(first.value)
        bytes.writeStaticString("\r\n")
        while let field = iterator.next() { try write(field.name, field.value, into: &bytes, limits) }
        bytes.writeStaticString("\r\n")
        var parser = ResponseHeadParser(limits: limits)
        guard let head = try parser.parse(&bytes, method: method), bytes.readableBytes == 0 else { throw .statusLineMalformed }
        // There is no switching of protocols in HTTP/2 (RFC 9113 section 8.6).
        if head.status == 101 { throw .statusLineMalformed }
        return head
    }

    /// Trailers as lines; nil when there are none. A trailer section has no pseudo-header (RFC 9113 section 8.1).
    static func trailers(of fields: HPACKHeaders, limits: HeadLimits) throws(WireError) -> ByteBuffer? {
        var bytes = ByteBuffer()
        var count = 0
        for field in fields {
            count += 1
            guard count <= limits.fields else { throw .tooManyFields }
            try write(field.name, field.value, into: &bytes, limits)
        }
        return count == 0 ? nil : bytes
    }

    private static let connectionSpecific: Set<String> = ["connection", "transfer-encoding", "upgrade", "keep-alive", "proxy-connection"]

    private static func write(_ name: String, _ value: String, into bytes: inout ByteBuffer, _ limits: HeadLimits) throws(WireError) {
        let isName = !name.isEmpty && name.utf8.allSatisfy { isLowerCaseToken($0) }
        guard isName else { throw .fieldNameInvalid }
        guard !connectionSpecific.contains(name) else { throw .connectionInvalid }
        for byte in value.utf8 where byte < 0x20 && byte != 0x09 || byte == 0x7F { throw .fieldValueInvalid }
        if let start = value.utf8.first, let end = value.utf8.last, isSpace(start) || isSpace(end) { throw .fieldValueInvalid }
        guard bytes.readableBytes + name.utf8.count + value.utf8.count < limits.bytes else { throw .headTooLarge }
        bytes.writeString(name)
        bytes.writeStaticString(": ")
        bytes.writeString(value)
        bytes.writeStaticString("\r\n")
    }

    private static func isLowerCaseToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func lowerCased(_ name: RawSpan) -> String {
        String(unsafeUninitializedCapacity: name.byteCount) { output in
            for index in name.byteOffsets {
                let byte = name[index]
                output[index] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            }
            return name.byteCount
        }
    }
}

import Decisions
import HTTPWire
import NIOCore
import NIOHPACK

/// Between our HTTP/1.1 form of heads and HTTP/2's lists of fields (RFC 9113 section 8).
///
/// There is one writer of requests and one strict parser of responses; a list of fields passes through their form, after it was
/// checked that no field can become two.
enum HTTP2Translation {
    /// The fields of a request head that `RequestWriter` wrote.
    static func fields(of request: ForwardedRequest, scheme: String) -> HPACKHeaders {
        withBytes(of: request.head) { bytes, count in
            var fields = HPACKHeaders()
            fields.reserveCapacity(24)
            var lineStart = 0
            var isFirst = true
            while lineStart < count {
                var end = lineStart
                while end < count, bytes[end] != 0x0D { end += 1 }
                if end == lineStart { break }
                if isFirst {
                    isFirst = false
                    addRequestLine(bytes, lineStart..<end, scheme: scheme, to: &fields)
                } else {
                    addField(bytes, lineStart..<end, to: &fields)
                }
                lineStart = end + 2
            }
            // Whether trailers of the answer have a place to go (RFC 9110 section 10.1.4); gRPC asks for it.
            if request.acceptsTrailers { fields.add(name: "te", value: "trailers") }
            return fields
        }
    }

    /// The fields of trailers that are complete lines.
    static func fields(ofTrailers lines: ByteBuffer) -> HPACKHeaders {
        withBytes(of: lines) { bytes, count in
            var fields = HPACKHeaders()
            var lineStart = 0
            while lineStart < count {
                var end = lineStart
                while end < count, bytes[end] != 0x0D { end += 1 }
                if end > lineStart { addField(bytes, lineStart..<end, to: &fields) }
                lineStart = end + 2
            }
            return fields
        }
    }

    private static func addRequestLine(_ bytes: UnsafePointer<UInt8>, _ line: Range<Int>, scheme: String, to fields: inout HPACKHeaders) {
        var space = line.lowerBound
        while space < line.upperBound, bytes[space] != 0x20 { space += 1 }
        // " HTTP/1.1" is behind the target.
        let target = min(space + 1, line.upperBound)..<max(space + 1, line.upperBound - 9)
        fields.add(name: ":method", value: text(bytes, line.lowerBound..<space))
        fields.add(name: ":scheme", value: scheme)
        fields.add(name: ":path", value: text(bytes, target), indexing: .nonIndexable)
    }

    private static func addField(_ bytes: UnsafePointer<UInt8>, _ line: Range<Int>, to fields: inout HPACKHeaders) {
        var colon = line.lowerBound
        while colon < line.upperBound, bytes[colon] != UInt8(ascii: ":") { colon += 1 }
        var start = min(colon + 1, line.upperBound)
        var end = line.upperBound
        while start < end, isSpace(bytes[start]) { start += 1 }
        while end > start, isSpace(bytes[end - 1]) { end -= 1 }
        let value = text(bytes, start..<end)
        let name = lowerCased(bytes, line.lowerBound..<colon)
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

    private static func text(_ bytes: UnsafePointer<UInt8>, _ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count), as: UTF8.self)
    }

    private static func lowerCased(_ bytes: UnsafePointer<UInt8>, _ range: Range<Int>) -> String {
        String(unsafeUninitializedCapacity: range.count) { output in
            for index in 0..<range.count {
                let byte = bytes[range.lowerBound + index]
                output[index] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            }
            return range.count
        }
    }
}

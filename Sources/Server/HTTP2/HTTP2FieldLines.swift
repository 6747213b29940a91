import Primitives
import HTTPWire
import NIOCore
import NIOHPACK

/// Between complete `name: value` lines and HTTP/2 field sections.
enum HTTP2FieldLines {
    /// Adds each line as a field with its name in lower case; connection-specific ones are left out (RFC 9113 section 8.2.2).
    ///
    /// A value that is not UTF-8 gets U+FFFD for each byte that is none: the library below takes text only.
    static func append(_ lines: RawSpan, to section: inout HPACKHeaders) {
        var rest = lines
        while !rest.isEmpty {
            let feed = rest.firstOffset(of: 0x0A) ?? rest.byteCount
            append(line: rest.extracting(0..<feed), to: &section)
            rest = rest.extracting(droppingFirst: feed + 1)
        }
    }

    /// One line, with or without its carriage return.
    private static func append(line: RawSpan, to section: inout HPACKHeaders) {
        guard let colon = line.firstOffset(of: 0x3A), colon > 0 else { return }
        var start = colon + 1
        var end = line.byteCount
        while start < end, isBlank(line[start]) { start += 1 }
        while end > start, isBlank(line[end - 1]) || line[end - 1] == 0x0D { end -= 1 }
        let name = String(unsafeUninitializedCapacity: colon) { output in
            for index in 0..<colon {
                let byte = line[index]
                output[index] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            }
            return colon
        }
        if HTTP2FieldRules.isConnectionSpecific(name) { return }
        let value = String(decoding: line.extracting(start..<end))
        section.add(name: name, value: value, indexing: indexing(of: name))
    }

    /// Keeps fields that differ in each response out of the compression table.
    private static func indexing(of name: String) -> HPACKIndexing {
        switch name {
        // A session must not be found out by guessing into the table (RFC 7541 section 7.1).
        case "set-cookie": .neverIndexed
        case "age", "content-range", "etag", "location", "x-request-id": .nonIndexable
        default: .indexable
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// The trailer section of a request as lines; nil when it is malformed (RFC 9113 section 8.1).
    static func trailers(_ section: HPACKHeaders) -> ByteBuffer? {
        var lines = ByteBuffer()
        for (name, value, _) in section {
            do throws(HTTP2RequestHead.Refusal) {
                // A pseudo-header is no token.
                try HTTP2FieldRules.checkName(name)
                try HTTP2FieldRules.checkValue(value)
            } catch {
                return nil
            }
            lines.writeString(name)
            lines.writeStaticString(": ")
            lines.writeString(value)
            lines.writeStaticString("\r\n")
            guard lines.readableBytes <= 8 * 1024 else { return nil }
        }
        return lines
    }
}

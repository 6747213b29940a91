import HTTPWire
import NIOCore
import NIOHPACK

/// Between complete `name: value` lines and HTTP/2 field sections.
enum HTTP2FieldLines {
    /// Adds each line as a field with its name in lower case; connection-specific ones are left out (RFC 9113 section 8.2.2).
    ///
    /// A value that is not UTF-8 gets U+FFFD for each byte that is none: the library below takes text only.
    static func append(_ lines: UnsafeRawBufferPointer, to section: inout HPACKHeaders) {
        let bytes = lines.bindMemory(to: UInt8.self)
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            let line = UnsafeBufferPointer(rebasing: bytes[start..<max(start, end - (end > start && bytes[end - 1] == 0x0D ? 1 : 0))])
            start = end + 1
            append(line, to: &section)
        }
    }

    private static func append(_ line: UnsafeBufferPointer<UInt8>, to section: inout HPACKHeaders) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return }
        var start = colon + 1
        var end = line.count
        while start < end, line[start] == 0x20 || line[start] == 0x09 { start += 1 }
        while end > start, line[end - 1] == 0x20 || line[end - 1] == 0x09 { end -= 1 }
        let name = String(unsafeUninitializedCapacity: colon) { output in
            for index in 0..<colon {
                let byte = line[index]
                output[index] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            }
            return colon
        }
        var spelled = name
        if spelled.withUTF8({ HTTP2FieldRules.isConnectionSpecific($0) }) { return }
        let value = String(decoding: UnsafeBufferPointer(rebasing: line[start..<end]), as: UTF8.self)
        // A session must not be found out by guessing into a compression table (RFC 7541 section 7.1).
        section.add(name: name, value: value, indexing: name == "set-cookie" ? .neverIndexed : .indexable)
    }

    /// The trailer section of a request as lines; nil when it is malformed (RFC 9113 section 8.1).
    static func trailers(_ section: HPACKHeaders) -> ByteBuffer? {
        var lines = ByteBuffer()
        for (name, value, _) in section {
            var name = name
            var value = value
            let isValid = name.withUTF8 { name in
                value.withUTF8 { value in
                    guard let first = name.first, first != UInt8(ascii: ":"), (try? HTTP2FieldRules.checkName(name)) != nil,
                        !HTTP2FieldRules.holdsReplacement(value), value.allSatisfy({ ByteClassTable.shared.contains($0, .fieldValue) })
                    else { return false }
                    lines.writeBytes(name)
                    lines.writeStaticString(": ")
                    lines.writeBytes(value)
                    lines.writeStaticString("\r\n")
                    return true
                }
            }
            guard isValid, lines.readableBytes <= 8 * 1024 else { return nil }
        }
        return lines
    }
}

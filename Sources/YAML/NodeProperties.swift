import Diagnostics

/// The locations of a node's anchor and tag, and the start of its content.
struct NodeProperties {
    private(set) var contentStart: Int
    private(set) var anchor: SourceSpan?
    private(set) var tag: SourceSpan?

    /// libyaml marks the start of a node at its first property; the rest comes from the text.
    init(_ event: Event, in source: SourceFile) {
        contentStart = event.start
        guard event.anchor != nil || event.hasTag else { return }
        let bytes = source.bytes
        let limit = max(event.start, event.end)
        var missing = (event.anchor == nil ? 0 : 1) + (event.hasTag ? 1 : 0)
        var index = event.start
        while missing > 0, index < bytes.count {
            let start = index
            while index < bytes.count, !Self.endsProperty(bytes[index], isVerbatim: bytes[start] == UInt8(ascii: "!")) { index += 1 }
            let span = SourceSpan(start: start, end: index)
            if bytes[start] == UInt8(ascii: "&") { anchor = span } else { tag = span }
            missing -= 1
            index = Self.skipSpace(bytes, from: index)
        }
        // An empty node consists of its properties only.
        contentStart = min(index, max(limit, tag?.end ?? 0, anchor?.end ?? 0))
        if case .sequenceStart = event.kind { contentStart = index }
        if case .mappingStart = event.kind { contentStart = index }
    }

    private static func endsProperty(_ byte: UInt8, isVerbatim: Bool) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: true
        case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"): !isVerbatim
        default: false
        }
    }

    /// Skips white space, line breaks and comments.
    private static func skipSpace(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            case UInt8(ascii: "#"):
                while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
            default: return index
            }
        }
        return index
    }
}

import HTTPWire

/// What a path policy lets pass has one reading: decoded by whoever stands behind, it still names no other place; its form
/// for matching is a fixed point and means the same.
enum PathTarget {
    static func check(_ bytes: [UInt8]) throws(Broken) {
        let findings = findings(bytes)
        let strict = findings.refusal(under: .strict)
        let encoded = findings.refusal(under: .encoded)
        try hold(encoded == nil || strict != nil, "strict lets pass what encoded refuses")
        let canonical = canonical(bytes)
        if !findings.contains(.hasEscapes) { try hold(canonical == bytes, "a path without escapes has another canonical form") }
        guard encoded == nil else { return }
        try hold(self.canonical(canonical) == canonical, "the canonical form of a canonical form is another one")
        let decoded = try Self.decoded(bytes)
        try hold(try Self.decoded(canonical) == decoded, "the canonical form decodes to another path")
        try hold(
            self.findings(canonical).subtracting(.hasEscapes) == findings.subtracting(.hasEscapes), "the canonical form is judged otherwise"
        )
        try checkPlace(decoded)
        guard strict == nil else { return }
        try hold(count(UInt8(ascii: "/"), decoded) == count(UInt8(ascii: "/"), bytes), "decoding makes a new segment")
        try hold(!decoded.contains(UInt8(ascii: ";")), "a path parameter was let through")
        try hold(
            zip(decoded, decoded.dropFirst()).allSatisfy { !($0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "/")) },
            "an empty segment was let through")
    }

    private static func checkPlace(_ decoded: [UInt8]) throws(Broken) {
        try hold(decoded.first == UInt8(ascii: "/"), "a path that does not start with a slash was let through")
        try hold(
            decoded.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }, "a control character or backslash was let through")
        guard let text = String(validating: decoded, as: UTF8.self) else { throw Broken("what is not UTF-8 was let through") }
        try hold(!text.unicodeScalars.contains { $0.value >= 0x80 && $0.value < 0xA0 }, "a C1 control was let through")
        for segment in decoded.split(separator: UInt8(ascii: "/")) {
            let name = Array(segment.prefix { $0 != UInt8(ascii: ";") })
            try hold(name != Array(".".utf8) && name != Array("..".utf8), "a dot segment was let through")
        }
    }

    private static func findings(_ bytes: [UInt8]) -> PathFindings { RequestPath.findings(of: bytes.span.bytes) }

    private static func canonical(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        RequestPath.appendCanonical(bytes.span.bytes, to: &output)
        return output
    }

    private static func count(_ byte: UInt8, _ bytes: [UInt8]) -> Int { bytes.count { $0 == byte } }

    /// Every escape decoded once; an incomplete one breaks.
    private static func decoded(_ bytes: [UInt8]) throws(Broken) -> [UInt8] {
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, let value = UInt8(text(bytes[(index + 1)...(index + 2)]), radix: 16) else {
                    throw Broken("an incomplete escape was let through")
                }
                output.append(value)
                index += 3
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return output
    }
}

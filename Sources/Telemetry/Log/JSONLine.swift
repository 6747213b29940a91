import Primitives

/// A JSON object that becomes a line. Names are constants; values may come from outside and are escaped.
package struct JSONLine {
    package private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]
    private var isFirst = true

    package init() {}

    /// `limit`: how many bytes of a text are shown.
    package mutating func add(_ name: String, _ value: EventLog.Value, limit: Int = .max) {
        begin(name)
        switch value {
        case .text(let text): quote(text, limit: limit)
        case .number(let number): bytes.append(contentsOf: String(number).utf8)
        case .flag(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        }
    }

    /// An object within.
    package mutating func object(_ name: String, _ fill: (inout JSONLine) -> Void) {
        var inner = JSONLine()
        fill(&inner)
        inner.end()
        begin(name)
        bytes.append(contentsOf: inner.bytes)
    }

    package mutating func array(_ name: String, _ items: [JSONLine]) {
        begin(name)
        bytes.append(UInt8(ascii: "["))
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            var item = item
            item.end()
            bytes.append(contentsOf: item.bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private var isEnded = false

    /// Closes the object; once.
    package mutating func end() {
        guard !isEnded else { return }
        isEnded = true
        bytes.append(UInt8(ascii: "}"))
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    private mutating func begin(_ name: String) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        quote(name)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func quote(_ text: String, limit: Int = .max) {
        bytes.append(UInt8(ascii: "\""))
        LogEscaping.append(text, to: &bytes, limit: limit)
        bytes.append(UInt8(ascii: "\""))
    }
}

/// Writes values from outside into lines of a log.
enum LogEscaping {
    /// As in a JSON string: controls, quotes and backslashes are escaped (RFC 8259 section 7), and DEL and C1 with them, so
    /// that a line shown in a terminal is one line and moves no cursor.
    ///
    /// Writes at most `limit` bytes, and `…` instead of what does not fit. An escape is never cut.
    static func append(_ text: String, to bytes: inout [UInt8], limit: Int = .max) {
        let start = bytes.count
        for scalar in text.unicodeScalars {
            let end = bytes.count
            JSONEscaping.append(scalar, to: &bytes, alsoEscaping: isEscaped)
            if bytes.count - start > limit {
                bytes.removeSubrange(end...)
                return bytes.append(contentsOf: "…".utf8)
            }
        }
    }

    /// C1 controls and the separators U+2028 and U+2029 move cursors and end lines.
    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool { (0x80..<0xA0).contains(scalar.value) || scalar.value & ~1 == 0x2028 }
}

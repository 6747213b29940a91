import Primitives

/// The state of a scan of a request path.
struct RequestPathScan {
    private(set) var findings: PathFindings = []
    private var segment = Segment.start
    private var utf8 = EscapedUTF8()

    /// The contents of the segment so far.
    private enum Segment {
        case start
        case oneDot
        case twoDots
        case other
    }

    mutating func run(_ path: RawSpan) {
        if path.first != UInt8(ascii: "/") { findings.insert(.notAbsolute) }
        var index = 0
        var previous: UInt8 = 0
        while index < path.byteCount {
            let byte = path[index]
            if byte == UInt8(ascii: "%") {
                index += escape(in: path, at: index)
            } else {
                // A multi-byte character that is only partly escaped has several spellings.
                if utf8.isInside { utf8Broken() }
                raw(byte, after: previous)
                index += 1
            }
            previous = byte
        }
        if utf8.isInside { findings.insert(.invalidUTF8Escape) }
        endSegment()
    }

    private mutating func raw(_ byte: UInt8, after previous: UInt8) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            segment = .other
        case UInt8(ascii: "/"):
            if previous == UInt8(ascii: "/") { findings.insert(.emptySegment) }
            endSegment()
        case UInt8(ascii: "."):
            dot()
        case UInt8(ascii: ";"):
            findings.insert(.semicolon)
            endName()
        case UInt8(ascii: "\\"):
            findings.insert(.backslash)
            endSegment()
        case UInt8(ascii: "#"):
            findings.insert(.fragment)
            endName()
        case UInt8(ascii: "?"):
            findings.insert(.query)
            endName()
        case 0x20:
            findings.insert(.rawSpace)
            segment = .other
        case 0x00...0x1F, 0x7F:
            findings.insert(.rawControl)
            segment = .other
        case 0x80...0xFF:
            findings.insert(.rawNonASCII)
            segment = .other
        default:
            segment = .other
        }
    }

    /// Parses the escape at `index`; returns its number of bytes.
    private mutating func escape(in path: RawSpan, at index: Int) -> Int {
        findings.insert(.hasEscapes)
        guard let value = RequestPath.escapedByte(path, at: index) else {
            findings.insert(.incompleteEscape)
            if utf8.isInside { utf8Broken() }
            segment = .other
            return 1
        }
        switch utf8.feed(value) {
        case .ascii: escapedASCII(value)
        case .incomplete: segment = .other
        case .scalar(let isControl):
            if isControl { findings.insert(.encodedControl) }
            segment = .other
        case .invalid:
            findings.insert(.invalidUTF8Escape)
            segment = .other
        }
        return 3
    }

    private mutating func escapedASCII(_ value: UInt8) {
        switch value {
        case 0x00:
            findings.insert(.encodedNUL)
            endName()
        case 0x01...0x1F, 0x7F:
            findings.insert(.encodedControl)
            segment = .other
        case UInt8(ascii: "."):
            dot()
        case UInt8(ascii: "/"):
            findings.insert(.encodedSlash)
            endSegment()
        case UInt8(ascii: "\\"):
            findings.insert(.encodedBackslash)
            endSegment()
        case UInt8(ascii: ";"):
            findings.insert(.encodedSemicolon)
            endName()
        default:
            segment = .other
        }
    }

    private mutating func dot() {
        switch segment {
        case .start: segment = .oneDot
        case .oneDot: segment = .twoDots
        case .twoDots, .other: segment = .other
        }
    }

    private mutating func endSegment() {
        if segment == .oneDot || segment == .twoDots { findings.insert(.dotSegment) }
        segment = .start
    }

    /// Ends the name of the segment, for programs that remove path parameters: they read `/..;x` as `/..`.
    private mutating func endName() {
        endSegment()
        segment = .other
    }

    private mutating func utf8Broken() {
        findings.insert(.invalidUTF8Escape)
        utf8 = EscapedUTF8()
    }
}

/// Checks a run of escaped bytes as UTF-8 (RFC 3629 section 4), byte by byte.
struct EscapedUTF8 {
    enum Step: Equatable {
        case ascii
        case incomplete
        case scalar(isControl: Bool)
        case invalid
    }

    private var missing: UInt8 = 0
    private var lower: UInt8 = 0x80
    private var upper: UInt8 = 0xBF
    private var leadIsC2 = false

    var isInside: Bool { missing > 0 }

    mutating func feed(_ byte: UInt8) -> Step {
        if missing == 0 { return lead(byte) }
        guard byte >= lower && byte <= upper else {
            self = EscapedUTF8()
            return .invalid
        }
        missing -= 1
        lower = 0x80
        upper = 0xBF
        if missing > 0 { return .incomplete }
        // C2 80 to C2 9F are the C1 controls.
        return .scalar(isControl: leadIsC2 && byte < 0xA0)
    }

    private mutating func lead(_ byte: UInt8) -> Step {
        leadIsC2 = byte == 0xC2
        switch byte {
        case 0x00...0x7F: return .ascii
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, lower) = (2, 0xA0)
        case 0xE1...0xEC, 0xEE, 0xEF: missing = 2
        case 0xED: (missing, upper) = (2, 0x9F)
        case 0xF0: (missing, lower) = (3, 0x90)
        case 0xF1...0xF3: missing = 3
        case 0xF4: (missing, upper) = (3, 0x8F)
        default: return .invalid
        }
        return .incomplete
    }
}

/// A recursive-descent parser for RFC 8259 over bytes; `maximumDepth` bounds the depth.
struct JSONParser {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var position = 0
    private var depth = 0

    init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    mutating func parseDocument() throws(JSONError) -> JSONValue {
        skipWhitespace()
        let value = try parseValue()
        skipWhitespace()
        guard position == bytes.count else { throw error("there is unexpected text after the value") }
        return value
    }

    private func error(_ reason: String, at offset: Int? = nil) -> JSONError {
        JSONError(offset: offset ?? position, reason: reason)
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func parseValue() throws(JSONError) -> JSONValue {
        switch current {
        case nil: throw error("the text ends where a value is expected")
        case UInt8(ascii: "{"): return try parseObject()
        case UInt8(ascii: "["): return try parseArray()
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseLiteral("true", .bool(true))
        case UInt8(ascii: "f"): return try parseLiteral("false", .bool(false))
        case UInt8(ascii: "n"): return try parseLiteral("null", .null)
        case UInt8(ascii: "-")?, (UInt8(ascii: "0")...UInt8(ascii: "9"))?: return try parseNumber()
        default: throw error("a value cannot start like this")
        }
    }

    private mutating func parseLiteral(_ name: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let length = name.utf8CodeUnitCount
        guard position + length <= bytes.count else { throw error("a value cannot start like this") }
        for index in 0..<length where bytes[position + index] != name.utf8Start[index] {
            throw error("a value cannot start like this")
        }
        position += length
        return value
    }

    // MARK: Arrays and objects

    private mutating func open() throws(JSONError) {
        guard depth < maximumDepth else { throw error("arrays and objects are nested deeper than \(maximumDepth) levels") }
        depth += 1
        position += 1
        skipWhitespace()
    }

    private mutating func close() {
        depth -= 1
        position += 1
    }

    private mutating func parseArray() throws(JSONError) -> JSONValue {
        try open()
        var elements: [JSONValue] = []
        if current == UInt8(ascii: "]") {
            close()
            return .array(elements)
        }
        while true {
            elements.append(try parseValue())
            skipWhitespace()
            switch current {
            case UInt8(ascii: ","):
                position += 1
                skipWhitespace()
            case UInt8(ascii: "]"):
                close()
                return .array(elements)
            default: throw error("a comma or the end of the array is expected")
            }
        }
    }

    private mutating func parseObject() throws(JSONError) -> JSONValue {
        try open()
        var members: [String: JSONValue] = [:]
        if current == UInt8(ascii: "}") {
            close()
            return .object(members)
        }
        while true {
            guard current == UInt8(ascii: "\"") else { throw error("a member name is expected") }
            let start = position
            let name = try parseString()
            guard members[name] == nil else { throw error("a member name is used twice", at: start) }
            skipWhitespace()
            guard current == UInt8(ascii: ":") else { throw error("a colon is expected") }
            position += 1
            skipWhitespace()
            members[name] = try parseValue()
            skipWhitespace()
            switch current {
            case UInt8(ascii: ","):
                position += 1
                skipWhitespace()
            case UInt8(ascii: "}"):
                close()
                return .object(members)
            default: throw error("a comma or the end of the object is expected")
            }
        }
    }

    // MARK: Strings

    private mutating func parseString() throws(JSONError) -> String {
        let start = position
        position += 1
        var decoded: [UInt8] = []
        var run = position
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                decoded.append(contentsOf: bytes[run..<position])
                position += 1
                guard let text = String(validating: decoded, as: UTF8.self) else {
                    throw error("a string is not valid UTF-8", at: start)
                }
                return text
            case UInt8(ascii: "\\"):
                decoded.append(contentsOf: bytes[run..<position])
                try parseEscape(into: &decoded)
                run = position
            case 0x00..<0x20:
                throw error("a control character in a string is not escaped")
            default:
                position += 1
            }
        }
        throw error("a string does not end", at: start)
    }

    private mutating func parseEscape(into decoded: inout [UInt8]) throws(JSONError) {
        let start = position
        position += 1
        guard let kind = current else { throw error("an escape is cut off", at: start) }
        position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(kind)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try parseEscapedScalar(start)
            decoded.append(contentsOf: UTF8.encode(scalar)!)  // every scalar has an encoding
        default: throw error("an escape is unknown", at: start)
        }
    }

    /// Parses one code unit after `\u`, or two that form a surrogate pair.
    private mutating func parseEscapedScalar(_ start: Int) throws(JSONError) -> Unicode.Scalar {
        let first = try parseHexadecimalUnit(start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, current == UInt8(ascii: "\\"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u") else {
            throw error("a surrogate is unpaired", at: start)
        }
        position += 2
        let second = try parseHexadecimalUnit(start)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw error("a surrogate is unpaired", at: start) }
        return scalar
    }

    private mutating func parseHexadecimalUnit(_ start: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = current.flatMap(Self.hexadecimalValue) else {
                throw error("an escape needs four hexadecimal digits", at: start)
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    private static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    // MARK: Numbers

    private mutating func parseNumber() throws(JSONError) -> JSONValue {
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        let integerStart = position
        try skipDigits()
        guard bytes[integerStart] != UInt8(ascii: "0") || position == integerStart + 1 else {
            throw error("a number begins with a zero", at: start)
        }
        var isInteger = true
        if current == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try skipDigits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let value = Int64(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw error("a number is out of range", at: start) }
        return .number(value)
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = position
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw error("a digit is expected") }
    }
}

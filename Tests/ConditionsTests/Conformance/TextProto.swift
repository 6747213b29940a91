/// A message in the text format of protocol buffers, as far as the conformance tests of cel-spec use it.
struct TextProto {
    enum Value {
        case word(String)
        case text([UInt8])
        case message(TextProto)
    }

    struct Malformed: Error {
        let offset: Int
    }

    private(set) var fields: [(name: String, value: Value)] = []

    init(_ bytes: [UInt8]) throws {
        var reader = Reader(bytes: bytes)
        self = try reader.message(until: nil)
    }

    fileprivate init() {}

    fileprivate mutating func append(_ name: String, _ value: Value) { fields.append((name, value)) }

    func all(_ name: String) -> [Value] { fields.filter { $0.name == name }.map(\.value) }

    func messages(_ name: String) -> [TextProto] {
        all(name).compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    func message(_ name: String) -> TextProto? { messages(name).first }

    func word(_ name: String) -> String? {
        for case .word(let word) in all(name) { return word }
        return nil
    }

    func bytes(_ name: String) -> [UInt8]? {
        for case .text(let bytes) in all(name) { return bytes }
        return nil
    }

    func text(_ name: String) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

        mutating func skipBlanks() {
            while index < bytes.count {
                if next == UInt8(ascii: "#") {
                    while index < bytes.count, next != 0x0A { index += 1 }
                } else if [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ";")].contains(next) {
                    index += 1
                } else {
                    return
                }
            }
        }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            skipBlanks()
            guard next == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        mutating func message(until end: Unicode.Scalar?) throws -> TextProto {
            var message = TextProto()
            while true {
                skipBlanks()
                if let end, take(end) { return message }
                if index == bytes.count {
                    guard end == nil else { throw Malformed(offset: index) }
                    return message
                }
                let name = try take("[") ? "[" + word(until: "]") : word(until: nil)
                let hasColon = take(":")
                if take("{") {
                    message.append(name, .message(try self.message(until: "}")))
                } else if take("[") {
                    while !take("]") {
                        message.append(name, take("{") ? .message(try self.message(until: "}")) : try scalar())
                    }
                } else {
                    guard hasColon else { throw Malformed(offset: index) }
                    message.append(name, try scalar())
                }
            }
        }

        mutating func word(until end: Unicode.Scalar?) throws -> String {
            skipBlanks()
            let start = index
            while index < bytes.count {
                if let end, next == UInt8(ascii: end) { break }
                let isWord =
                    next == UInt8(ascii: "_") || next == UInt8(ascii: "-") || next == UInt8(ascii: ".") || next == UInt8(ascii: "+")
                    || next == UInt8(ascii: "/") || (48...57).contains(next) || (65...90).contains(next) || (97...122).contains(next)
                guard isWord else { break }
                index += 1
            }
            guard index > start else { throw Malformed(offset: index) }
            let word = String(decoding: bytes[start..<index], as: UTF8.self)
            if let end, !take(end) { throw Malformed(offset: index) }
            return word
        }

        mutating func scalar() throws -> Value {
            skipBlanks()
            guard next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") else { return .word(try word(until: nil)) }
            var content: [UInt8] = []
            while next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
                try literal(into: &content)
                skipBlanks()
            }
            return .text(content)
        }

        mutating func literal(into content: inout [UInt8]) throws {
            let quote = next
            index += 1
            while next != quote {
                guard index < bytes.count else { throw Malformed(offset: index) }
                if next == UInt8(ascii: "\\") {
                    index += 1
                    try escape(into: &content)
                } else {
                    content.append(next)
                    index += 1
                }
            }
            index += 1
        }

        mutating func escape(into content: inout [UInt8]) throws {
            let letter = next
            index += 1
            let simple: [UInt8: UInt8] = [
                97: 7, 98: 8, 102: 12, 110: 10, 114: 13, 116: 9, 118: 11, 92: 92, 39: 39, 34: 34, 63: 63,
            ]
            if let byte = simple[letter] {
                content.append(byte)
            } else if letter == UInt8(ascii: "x") || letter == UInt8(ascii: "X") {
                content.append(UInt8(truncatingIfNeeded: number(radix: 16, most: 2)))
            } else if letter == UInt8(ascii: "u") || letter == UInt8(ascii: "U") {
                guard let scalar = Unicode.Scalar(number(radix: 16, most: letter == UInt8(ascii: "u") ? 4 : 8)) else {
                    throw Malformed(offset: index)
                }
                content += Array(String(Character(scalar)).utf8)
            } else {
                index -= 1
                guard (48...55).contains(letter) else { throw Malformed(offset: index) }
                content.append(UInt8(truncatingIfNeeded: number(radix: 8, most: 3)))
            }
        }

        mutating func number(radix: UInt32, most: Int) -> UInt32 {
            var value: UInt32 = 0
            var count = 0
            while count < most, let digit = Character(Unicode.Scalar(next)).hexDigitValue, digit < radix {
                value = value * radix + UInt32(digit)
                index += 1
                count += 1
            }
            return value
        }
    }
}

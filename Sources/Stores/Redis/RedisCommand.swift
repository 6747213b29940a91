/// A command: its name and arguments, in the form that a server reads: an array of bulk strings (RESP).
///
/// hiredis has a function for this. It takes many times as many instructions, because it grows a text in small steps.
struct RedisCommand: Sendable {
    let bytes: [UInt8]
    private let keyRange: Range<Int>?

    /// The key that decides which server of a cluster gets it; nil: any server.
    var key: [UInt8]? { keyRange.map { Array(bytes[$0]) } }

    /// `key`: the index of the argument that is a key; nil: none is.
    init(_ arguments: [[UInt8]], key: Int?) {
        self.init(count: arguments.count, size: arguments.reduce(0) { $0 + $1.count }) { text in
            for index in arguments.indices { text.append(arguments[index], isKey: index == key) }
        }
    }

    /// A command whose first argument is its key.
    init(_ name: StaticString, _ key: [UInt8], _ rest: [UInt8]...) {
        var size = name.utf8CodeUnitCount + key.count
        for argument in rest { size += argument.count }
        self.init(count: 2 + rest.count, size: size) { text in
            name.withUTF8Buffer { text.append($0) }
            text.append(key, isKey: true)
            for argument in rest { text.append(argument) }
        }
    }

    /// A command whose arguments are keys. The first decides about the server.
    init(_ name: StaticString, keys: [[UInt8]]) {
        var size = name.utf8CodeUnitCount
        for key in keys { size += key.count }
        self.init(count: 1 + keys.count, size: size) { text in
            name.withUTF8Buffer { text.append($0) }
            for index in keys.indices { text.append(keys[index], isKey: index == 0) }
        }
    }

    /// A command without a key.
    init(_ texts: String...) { self.init(texts.map { Array($0.utf8) }, key: nil) }

    /// A Lua script with one key or two keys of one slot.
    init(script: String, keys: [[UInt8]], _ arguments: [[UInt8]]) {
        self.init([Array("EVAL".utf8), Array(script.utf8), Array(String(keys.count).utf8)] + keys + arguments, key: 3)
    }

    /// `write` appends `count` arguments, which have `size` bytes together.
    private init(count: Int, size: Int, _ write: (inout Text) -> Void) {
        var key: Range<Int>?
        bytes = [UInt8](unsafeUninitializedCapacity: size + Text.longestFrame * (count + 1)) { buffer, used in
            var text = Text(buffer: buffer)
            text.append(UInt8(ascii: "*"), count)
            write(&text)
            (used, key) = (text.end, text.key)
        }
        keyRange = key
    }

    /// A command that is being written. The buffer has room for all of it.
    private struct Text {
        /// `$`, a length and two line ends.
        static let longestFrame = 24

        let buffer: UnsafeMutableBufferPointer<UInt8>
        private(set) var end = 0
        private(set) var key: Range<Int>?

        init(buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

        mutating func append(_ argument: [UInt8], isKey: Bool = false) {
            argument.withUnsafeBufferPointer { append($0) }
            if isKey { key = end - 2 - argument.count..<end - 2 }
        }

        mutating func append(_ argument: UnsafeBufferPointer<UInt8>) {
            append(UInt8(ascii: "$"), argument.count)
            end = buffer[end...].initialize(fromContentsOf: argument)
            endLine()
        }

        /// A line with a number, which is not negative.
        mutating func append(_ kind: UInt8, _ number: Int) {
            append(kind)
            var unit = 1
            while number / unit >= 10 { unit *= 10 }
            while unit > 0 {
                append(UInt8(ascii: "0") + UInt8(number / unit % 10))
                unit /= 10
            }
            endLine()
        }

        private mutating func endLine() {
            append(UInt8(ascii: "\r"))
            append(UInt8(ascii: "\n"))
        }

        private mutating func append(_ byte: UInt8) {
            buffer.initializeElement(at: end, to: byte)
            end += 1
        }
    }
}

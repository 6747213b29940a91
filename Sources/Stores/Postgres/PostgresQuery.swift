import CPostgres

/// A statement in PostgreSQL's form.
enum PostgresQuery {
    /// Writes the parameters ?1, ?2, … as $1, $2, … outside of literals, quoted names and comments.
    ///
    /// Literals are those of standard SQL: two quotes inside stand for one, and a backslash is an ordinary character.
    static func rewritten(_ sql: String) -> String {
        let input = Array(sql.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(input.count)
        var index = 0
        while index < input.count {
            let end = endOfOpaquePart(input, from: index)
            if end > index {
                output += input[index..<end]
                index = end
                continue
            }
            let isParameter =
                input[index] == UInt8(ascii: "?") && index + 1 < input.count
                && UInt8(ascii: "1")...UInt8(ascii: "9") ~= input[index + 1]
            output.append(isParameter ? UInt8(ascii: "$") : input[index])
            index += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The end of the literal, quoted name or comment that begins at `start`; `start` if none does.
    private static func endOfOpaquePart(_ input: [UInt8], from start: Int) -> Int {
        let next = start + 1 < input.count ? input[start + 1] : 0
        switch (input[start], next) {
        case (UInt8(ascii: "'"), _), (UInt8(ascii: "\""), _):
            // A doubled quote ends one part and begins the next one.
            return input[(start + 1)...].firstIndex(of: input[start]).map { $0 + 1 } ?? input.count
        case (UInt8(ascii: "-"), UInt8(ascii: "-")):
            return input[start...].firstIndex(of: UInt8(ascii: "\n")) ?? input.count
        case (UInt8(ascii: "/"), UInt8(ascii: "*")):
            var index = start + 2
            while index + 1 < input.count {
                if input[index] == UInt8(ascii: "*") && input[index + 1] == UInt8(ascii: "/") { return index + 2 }
                index += 1
            }
            return input.count
        default: return start
        }
    }
}

/// The object identifiers of PostgreSQL's types, which never change (src/include/catalog/pg_type.dat).
enum PostgresType {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let name: Oid = 19
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
    static let unknown: Oid = 705
    static let bpchar: Oid = 1042
    static let varchar: Oid = 1043
    static let void: Oid = 2278
}

/// Parameters of a statement in the binary format: 8 bytes for an integer, the bytes themselves for text and bytea.
struct PostgresArguments {
    /// The server's limit for a value is 1 GiB; no value of the program comes near this one.
    private static let largest = 64 << 20

    /// The types, which the server takes instead of guessing them; 0 for NULL.
    private(set) var types: [Oid] = []
    private var block: [UInt8] = []
    private var offsets: [Int?] = []
    private var lengths: [CInt] = []

    init(_ values: [SQLValue]) throws(PostgresFailure) {
        guard values.count <= Int(UInt16.max) else { throw .refused("a statement has more than 65,535 parameters") }
        for value in values { try append(value) }
        // An empty value needs an address, too: NULL is SQL's NULL.
        block.append(0)
    }

    private mutating func append(_ value: SQLValue) throws(PostgresFailure) {
        let start = block.count
        switch value {
        case .null: types.append(0)
        case .integer(let number):
            types.append(PostgresType.int8)
            withUnsafeBytes(of: number.bigEndian) { block.append(contentsOf: $0) }
        case .text(let text):
            guard !text.utf8.contains(0) else { throw .refused("a text contains a NUL character, which PostgreSQL cannot store") }
            types.append(PostgresType.text)
            block.append(contentsOf: text.utf8)
        case .bytes(let bytes):
            types.append(PostgresType.bytea)
            block.append(contentsOf: bytes)
        }
        guard block.count - start <= Self.largest else { throw .refused("a value is larger than 64 MiB") }
        offsets.append(value == .null ? nil : start)
        lengths.append(CInt(block.count - start))
    }

    /// Calls `body` with the number of parameters, their addresses, lengths and formats.
    func withPointers<Value>(
        _ body: (CInt, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<CInt>?, UnsafePointer<CInt>?) -> Value
    ) -> Value {
        let formats = [CInt](repeating: 1, count: offsets.count)
        return block.withUnsafeBytes { block in
            let start = block.bindMemory(to: CChar.self).baseAddress
            let addresses = offsets.map { offset in offset.flatMap { offset in start.map { $0 + offset } } }
            return addresses.withUnsafeBufferPointer { addresses in
                body(CInt(offsets.count), addresses.baseAddress, lengths, formats)
            }
        }
    }
}

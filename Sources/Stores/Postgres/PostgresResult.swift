import CPostgres

/// A result of libpq; freed with the value.
final class PostgresResult {
    private let libpq: LibPQ
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer, _ libpq: LibPQ) {
        self.pointer = pointer
        self.libpq = libpq
    }

    deinit { libpq.functions.PQclear(pointer) }

    var status: ExecStatusType { libpq.functions.PQresultStatus(pointer) }
    var isSuccess: Bool { status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK }
    /// Such as `COMMIT`.
    var command: String { libpq.functions.PQcmdStatus(pointer).map { String(cString: $0) } ?? "" }

    /// The failure that the server or libpq reports.
    func failure(isConnected: Bool) -> PostgresFailure {
        guard let state = field(gateway_field_sqlstate) else {
            return isConnected
                ? .refused("the PostgreSQL server sent an unexpected response") : .lost("the connection to the PostgreSQL server broke")
        }
        let columns = [field(gateway_field_table), field(gateway_field_column)].compactMap(\.self).joined(separator: ".")
        return PostgresFailure(sqlState: state, constraint: field(gateway_field_constraint) ?? columns, isConnected: isConnected)
    }

    private func field(_ code: CInt) -> String? {
        libpq.functions.PQresultErrorField(pointer, code).map { String(cString: $0) }
    }

    /// The rows of a query; none for a statement without rows.
    func rows() throws(PostgresFailure) -> [[SQLValue]] {
        guard status == PGRES_TUPLES_OK else { return [] }
        let columns = libpq.functions.PQnfields(pointer)
        let count = libpq.functions.PQntuples(pointer)
        guard columns > 0, count > 0 else { return [] }
        var rows: [[SQLValue]] = []
        rows.reserveCapacity(Int(count))
        for row in 0..<count {
            var values: [SQLValue] = []
            values.reserveCapacity(Int(columns))
            for column in 0..<columns { values.append(try value(row, column)) }
            rows.append(values)
        }
        return rows
    }

    private func value(_ row: CInt, _ column: CInt) throws(PostgresFailure) -> SQLValue {
        let functions = libpq.functions
        guard functions.PQgetisnull(pointer, row, column) == 0 else { return .null }
        let length = Int(functions.PQgetlength(pointer, row, column))
        guard functions.PQfformat(pointer, column) == 1, length >= 0, let start = functions.PQgetvalue(pointer, row, column) else {
            throw .refused("the PostgreSQL server sent a value in an unexpected format")
        }
        let bytes = UnsafeRawBufferPointer(start: start, count: length)
        let type = functions.PQftype(pointer, column)
        guard let value = Self.decoded(bytes, type) else {
            throw .refused("the PostgreSQL server sent a value of an unexpected type or size (type \(type))")
        }
        return value
    }

    /// A value in the binary format; nil for a type that the program does not use, or a size that is not the type's.
    static func decoded(_ bytes: UnsafeRawBufferPointer, _ type: Oid) -> SQLValue? {
        switch type {
        case PostgresType.int8: integer(bytes, Int64.self)
        case PostgresType.int4: integer(bytes, Int32.self)
        case PostgresType.int2: integer(bytes, Int16.self)
        // SQLite's comparisons are numbers.
        case PostgresType.bool: bytes.count == 1 && bytes[0] <= 1 ? .integer(Int64(bytes[0])) : nil
        case PostgresType.text, PostgresType.varchar, PostgresType.bpchar, PostgresType.name, PostgresType.unknown:
            String(validating: bytes, as: UTF8.self).map { .text($0) }
        case PostgresType.bytea: .bytes(Array(bytes))
        case PostgresType.void: bytes.isEmpty ? .null : nil
        default: nil
        }
    }

    private static func integer<Number: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, _: Number.Type) -> SQLValue? {
        guard bytes.count == Number.bitWidth / 8 else { return nil }
        return .integer(Int64(Number(bigEndian: bytes.loadUnaligned(as: Number.self))))
    }
}

import CPostgres

/// The functions of libpq, PostgreSQL's own client library. The program does not link it: it is loaded for the first connection.
///
/// Unchecked: the table is filled once and only read then, and libpq's functions may run on any thread, each with its own connection.
final class LibPQ: @unchecked Sendable {
    /// The oldest release with every connection parameter and message form that the program uses.
    private static let oldest: CInt = 13_00_00

    let functions: gateway_libpq

    /// Loads the library. It stays loaded until the process ends.
    init(library: String = "libpq.so.5") throws(SQLError) {
        var table = gateway_libpq()
        switch gateway_load_libpq(library, &table) {
        case 0: break
        case 1:
            throw .unavailable(
                "PostgreSQL's client library \(library) cannot be loaded; install it (Debian and Ubuntu: apt install libpq5)")
        default: throw .unavailable("PostgreSQL's client library \(library) is too old; install libpq 13 or newer")
        }
        guard table.PQlibVersion() >= Self.oldest else {
            throw .unavailable("PostgreSQL's client library \(library) is too old; install libpq 13 or newer")
        }
        functions = table
    }
}

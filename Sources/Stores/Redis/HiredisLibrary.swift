import CHiredis

/// hiredis, loaded for the first session store: a gateway without one needs no such library.
///
/// Unchecked: the table is filled once and only read then, and the functions have no state besides their arguments.
final class HiredisLibrary: @unchecked Sendable {
    let functions: UnsafePointer<gateway_hiredis>

    /// Kept for the life of the process, like the library.
    private init(functions: UnsafePointer<gateway_hiredis>) { self.functions = functions }

    static let shared: Result<HiredisLibrary, RedisFailure> = load(String(cString: gateway_hiredis_library))

    static func load(_ name: String) -> Result<HiredisLibrary, RedisFailure> {
        let table = UnsafeMutablePointer<gateway_hiredis>.allocate(capacity: 1)
        let code = gateway_load_hiredis(name, table)
        guard code == 0 else {
            table.deallocate()
            return .failure(
                RedisFailure(
                    code == 1
                        ? "the library \(name) is not installed (Debian 12: apt-get install libhiredis0.14)"
                        : "the library \(name) lacks functions of hiredis"))
        }
        return .success(HiredisLibrary(functions: table))
    }
}

/// The reason why a store did not do what it was asked. The text has no secret and no text of the server.
struct RedisFailure: Error, Sendable, Equatable {
    let reason: String
    let kind: RedisFailureKind

    init(_ reason: String, _ kind: RedisFailureKind = .connection) {
        self.reason = reason
        self.kind = kind
    }

    init(_ code: RedisErrorCode) { self.init(code.words, code.kind) }
}

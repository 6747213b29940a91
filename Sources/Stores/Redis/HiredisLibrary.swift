import CHiredis
import NIOCore

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

    /// Appends the bytes of a command, as the server reads them.
    func encode(_ command: RedisCommand, into buffer: inout ByteBuffer) {
        let arguments = command.arguments
        // The arguments one after the other: each array's own address is good only while it is looked at.
        let size = arguments.reduce(0) { $0 + $1.count }
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: max(1, size)) { bytes in
            withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: arguments.count) { starts in
                withUnsafeTemporaryAllocation(of: Int.self, capacity: arguments.count) { lengths in
                    var position = 0
                    for (index, argument) in arguments.enumerated() {
                        argument.withUnsafeBytes {
                            UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[position...]).copyMemory(from: $0)
                        }
                        starts.initializeElement(at: index, to: bytes.baseAddress.map { UnsafePointer($0 + position) })
                        lengths.initializeElement(at: index, to: argument.count)
                        position += argument.count
                    }
                    var target: UnsafeMutablePointer<CChar>?
                    let length = gateway_format_command(functions, &target, CInt(arguments.count), starts.baseAddress, lengths.baseAddress)
                    // The only failure is that of malloc, after which Swift's own allocations trap as well.
                    guard length > 0, let target else { fatalError("out of memory") }
                    defer { gateway_free_command(functions, target) }
                    buffer.writeBytes(UnsafeRawBufferPointer(start: target, count: Int(length)))
                }
            }
        }
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

/// A command: its name and arguments.
struct RedisCommand: Sendable {
    let arguments: [[UInt8]]
    /// The key that decides which server of a cluster gets it; nil: any server.
    let key: [UInt8]?

    /// `key`: the index of the argument that is a key; nil: none is.
    init(_ arguments: [[UInt8]], key: Int?) {
        self.arguments = arguments
        self.key = key.map { arguments[$0] }
    }

    /// A command whose first argument is its key.
    init(_ name: String, _ key: [UInt8], _ rest: [UInt8]...) { self.init([Array(name.utf8), key] + rest, key: 1) }

    /// A command without a key.
    init(_ texts: String...) { self.init(texts.map { Array($0.utf8) }, key: nil) }

    /// A Lua script with one key or two keys of one slot.
    init(script: String, keys: [[UInt8]], _ arguments: [[UInt8]]) {
        self.init([Array("EVAL".utf8), Array(script.utf8), Array(String(keys.count).utf8)] + keys + arguments, key: 3)
    }
}

import CHiredis

/// A reply of a server. None of it is trusted.
enum RedisReply: Sendable, Equatable {
    case text([UInt8])
    case status([UInt8])
    /// The text of the server is not kept: it may repeat what was sent.
    case error(RedisErrorCode)
    case integer(Int64)
    case array([RedisReply])
    case null

    /// Copies a reply of the reader, with all its parts.
    init(_ reply: gateway_reply) {
        switch reply.type {
        case REDIS_REPLY_STRING: self = .text(Self.bytes(reply))
        case REDIS_REPLY_STATUS: self = .status(Self.bytes(reply))
        case REDIS_REPLY_ERROR: self = .error(RedisErrorCode(Self.bytes(reply)))
        case REDIS_REPLY_INTEGER: self = .integer(reply.integer)
        case REDIS_REPLY_ARRAY:
            let elements = UnsafeBufferPointer(start: reply.elements, count: reply.count)
            self = .array(elements.map { element in element.map { RedisReply($0.pointee) } ?? .null })
        default: self = .null
        }
    }

    private static func bytes(_ reply: gateway_reply) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: reply.text, count: reply.length))
    }
}

/// The first word of an error, and for `MOVED` and `ASK` where to go.
struct RedisErrorCode: Sendable, Equatable {
    /// Upper-case letters; `UNKNOWN` for anything else.
    let name: String
    /// Of `MOVED` and `ASK`.
    let redirect: Redirect?

    struct Redirect: Sendable, Equatable {
        let slot: Int
        /// Empty: the server that answered.
        let host: String
        let port: Int
    }

    init(_ text: [UInt8]) {
        let words = text.prefix(300).split(separator: UInt8(ascii: " "))
        let first = words.first ?? []
        let isName = (1...20).contains(first.count) && first.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
        name = isName ? String(decoding: first, as: UTF8.self) : "UNKNOWN"
        var redirect: Redirect?
        if isName, name == "MOVED" || name == "ASK", words.count >= 3, let slot = Int(String(decoding: words[1], as: UTF8.self)),
            (0..<RedisSlot.count).contains(slot), let colon = words[2].lastIndex(of: UInt8(ascii: ":")),
            let port = Int(String(decoding: words[2][words[2].index(after: colon)...], as: UTF8.self)), (1...65_535).contains(port)
        {
            redirect = Redirect(slot: slot, host: String(decoding: words[2][..<colon], as: UTF8.self), port: port)
        }
        self.redirect = redirect
    }

    /// For messages.
    var words: String {
        switch name {
        case "WRONGPASS": "it refuses the password (WRONGPASS)"
        case "NOAUTH": "it requires a password (NOAUTH)"
        case "NOPERM": "its user may not use a command or a key of the gateway (NOPERM)"
        case "LOADING": "it is loading its data (LOADING)"
        case "READONLY": "it is a replica that takes no writes (READONLY)"
        case "MASTERDOWN": "it has lost its master (MASTERDOWN)"
        case "CLUSTERDOWN": "the cluster does not serve all slots (CLUSTERDOWN)"
        case "OOM": "its memory is full (OOM)"
        case "MISCONF": "it cannot write its snapshot to disk (MISCONF)"
        case "NOREPLICAS": "it has too few replicas to write (NOREPLICAS)"
        default: "it answers with the error \(name)"
        }
    }

    var kind: RedisFailureKind {
        switch name {
        case "WRONGPASS", "NOAUTH": .authentication
        case "NOPERM": .permission
        case "LOADING": .loading
        case "READONLY", "MASTERDOWN", "NOREPLICAS": .replication
        case "CLUSTERDOWN", "MOVED", "ASK", "TRYAGAIN": .cluster
        case "OOM": .memory
        case "MISCONF": .disk
        default: .reply
        }
    }

    /// The connection is of no use: another server, or another password, may do.
    var isOfConnection: Bool { ["WRONGPASS", "NOAUTH", "LOADING", "READONLY", "MASTERDOWN"].contains(name) }
}

/// Reads replies from bytes with the reader of hiredis. After a throw, it must not be used again.
final class RedisReader {
    /// A session takes 20 KiB at most; a list of a user's sessions takes more.
    static let longestReply = 8 << 20

    private let library: HiredisLibrary
    private let reader: UnsafeMutablePointer<redisReader>
    /// Bytes since the last complete reply.
    private var unread = 0

    init(_ library: HiredisLibrary) {
        self.library = library
        // The only failure is that of malloc, after which Swift's own allocations trap as well.
        guard let reader = gateway_reader_make(library.functions) else { fatalError("out of memory") }
        self.reader = reader
    }

    deinit { library.functions.pointee.redisReaderFree(reader) }

    func feed(_ bytes: UnsafeRawBufferPointer) throws(RedisFailure) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        unread += bytes.count
        guard unread <= Self.longestReply else { throw RedisFailure("it sends a reply of more than 8 MiB", .reply) }
        let code = library.functions.pointee.redisReaderFeed(reader, start.assumingMemoryBound(to: CChar.self), bytes.count)
        guard code == REDIS_OK else { throw RedisFailure("there is no memory for its reply") }
    }

    /// The next complete reply; nil: more bytes are needed.
    func next() throws(RedisFailure) -> RedisReply? {
        var reply: UnsafeMutablePointer<gateway_reply>?
        let code = gateway_reader_next(library.functions, reader, &reply)
        guard code >= 0 else { throw RedisFailure("it sends something other than replies of Redis", .reply) }
        guard code == 1, let reply else { return nil }
        defer { gateway_reply_free(reply) }
        unread = Int(reader.pointee.len) - Int(reader.pointee.pos)
        return RedisReply(reply.pointee)
    }
}

/// Divides a Firebase Auth export, as it is read, into its users: the objects of the list `users`. Keeps at most one user.
///
/// Only the structure around the users is checked here; each user is parsed by itself. What stands beside `users` is skipped.
package struct FirebaseExportSplitter: Sendable {
    /// The size limit of one user. Firebase bounds custom claims to 1,000 characters; the rest is a few kilobytes.
    package static let longestUser = 256 << 10
    private static let longestName = 64

    private enum State: Equatable {
        /// Before the object.
        case start
        /// Before a member's name. `isFirst`: the object may end.
        case name(isFirst: Bool)
        /// In a member's name.
        case inName(isEscaped: Bool)
        case colon
        /// Before a member's value.
        case value
        /// Behind a member's value.
        case afterValue
        /// In a value that is skipped; `depth` counts its open brackets.
        case skipping(depth: Int, inText: Bool, isEscaped: Bool)
        /// Before a user. `isFirst`: the list may end.
        case user(isFirst: Bool)
        case inUser(depth: Int, inText: Bool, isEscaped: Bool)
        case afterUser
        case end
    }

    private var state = State.start
    private var name: [UInt8] = []
    private var user: [UInt8] = []
    private var line = 1
    private var firstLine = 1
    private var hasUsers = false

    package init() {}

    /// The users that end in this chunk. After an error, the export cannot be read further.
    package mutating func pieces(of chunk: some Sequence<UInt8>) throws(ImportProblem) -> [ImportPiece] {
        var pieces: [ImportPiece] = []
        for byte in chunk {
            if let piece = try take(byte) { pieces.append(piece) }
            if byte == UInt8(ascii: "\n") { line += 1 }
        }
        return pieces
    }

    /// Throws if the export is not complete.
    package func end() throws(ImportProblem) {
        guard state == .end else { throw ImportProblem("line \(line): the export ends too early") }
        guard hasUsers else { throw ImportProblem("this is not a Firebase Auth export: it has no list `users`") }
    }

    private var unexpected: ImportProblem {
        ImportProblem(
            hasUsers
                ? "line \(line): this is not JSON"
                : "line \(line): this is not a Firebase Auth export in JSON (`firebase auth:export users.json`)")
    }

    private mutating func take(_ byte: UInt8) throws(ImportProblem) -> ImportPiece? {
        switch state {
        case .inName(let isEscaped): try takeName(byte, isEscaped)
        case .skipping(let depth, let inText, let isEscaped): try skip(byte, depth, inText, isEscaped)
        case .inUser(let depth, let inText, let isEscaped): return takeUser(byte, depth, inText, isEscaped)
        default:
            guard !Self.isSpace(byte) else { return nil }
            try takeBetween(byte)
        }
        return nil
    }

    private mutating func takeBetween(_ byte: UInt8) throws(ImportProblem) {
        switch (state, byte) {
        case (.start, UInt8(ascii: "{")): state = .name(isFirst: true)
        case (.name(isFirst: true), UInt8(ascii: "}")), (.afterValue, UInt8(ascii: "}")): state = .end
        case (.name, UInt8(ascii: "\"")):
            name = []
            state = .inName(isEscaped: false)
        case (.colon, UInt8(ascii: ":")): state = .value
        case (.value, _): try beginValue(byte)
        case (.afterValue, UInt8(ascii: ",")): state = .name(isFirst: false)
        case (.user, UInt8(ascii: "{")):
            user = [byte]
            firstLine = line
            state = .inUser(depth: 1, inText: false, isEscaped: false)
        case (.user(isFirst: true), UInt8(ascii: "]")), (.afterUser, UInt8(ascii: "]")): state = .afterValue
        case (.afterUser, UInt8(ascii: ",")): state = .user(isFirst: false)
        default: throw unexpected
        }
    }

    private mutating func takeName(_ byte: UInt8, _ isEscaped: Bool) throws(ImportProblem) {
        if byte == UInt8(ascii: "\""), !isEscaped {
            state = .colon
            return
        }
        guard name.count < Self.longestName else { throw unexpected }
        name.append(byte)
        state = .inName(isEscaped: byte == UInt8(ascii: "\\") && !isEscaped)
    }

    private mutating func beginValue(_ byte: UInt8) throws(ImportProblem) {
        if name == Array("users".utf8) {
            guard byte == UInt8(ascii: "["), !hasUsers else { throw unexpected }
            hasUsers = true
            state = .user(isFirst: true)
            return
        }
        guard byte != UInt8(ascii: ","), byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") else { throw unexpected }
        state = .skipping(depth: 0, inText: false, isEscaped: false)
        try skip(byte, 0, false, false)
    }

    private mutating func skip(_ byte: UInt8, _ depth: Int, _ inText: Bool, _ isEscaped: Bool) throws(ImportProblem) {
        if inText {
            let ends = byte == UInt8(ascii: "\"") && !isEscaped
            state = .skipping(depth: depth, inText: !ends, isEscaped: byte == UInt8(ascii: "\\") && !isEscaped)
            return
        }
        switch byte {
        case UInt8(ascii: "\""): state = .skipping(depth: depth, inText: true, isEscaped: false)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth < 64 else { throw unexpected }
            state = .skipping(depth: depth + 1, inText: false, isEscaped: false)
        case UInt8(ascii: "}") where depth == 0, UInt8(ascii: ",") where depth == 0:
            state = .afterValue
            try takeBetween(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            guard depth > 0 else { throw unexpected }
            state = .skipping(depth: depth - 1, inText: false, isEscaped: false)
        default: break
        }
    }

    private mutating func takeUser(_ byte: UInt8, _ depth: Int, _ inText: Bool, _ isEscaped: Bool) -> ImportPiece? {
        // One byte more than the limit marks a user that is too long.
        if user.count <= Self.longestUser { user.append(byte) }
        if inText {
            let ends = byte == UInt8(ascii: "\"") && !isEscaped
            state = .inUser(depth: depth, inText: !ends, isEscaped: byte == UInt8(ascii: "\\") && !isEscaped)
            return nil
        }
        switch byte {
        case UInt8(ascii: "\""): state = .inUser(depth: depth, inText: true, isEscaped: false)
        case UInt8(ascii: "{"), UInt8(ascii: "["): state = .inUser(depth: depth + 1, inText: false, isEscaped: false)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            guard depth == 1 else {
                state = .inUser(depth: depth - 1, inText: false, isEscaped: false)
                break
            }
            state = .afterUser
            defer { user = [] }
            return ImportPiece(line: firstLine, bytes: user.count > Self.longestUser ? nil : user)
        default: break
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
    }
}

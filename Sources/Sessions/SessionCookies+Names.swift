import Primitives

extension SessionCookies {
    /// The kind of a cookie by its name.
    package enum Kind: Equatable {
        /// The session in one piece.
        case whole
        case piece(Int)
        /// Named like a piece, but with an index that we never write.
        case strayPiece
        case login
        /// The provider of the last sign-in.
        case lastProvider
        /// Work that waits for the next sign-in.
        case pending
        case other
    }

    /// Whether a cookie of this name belongs to the gateway: it is neither sent upstream nor accepted from there.
    ///
    /// Names are compared by their bytes (RFC 6265 section 5.3). Ours are the configured name behind `__Host-`, `__Secure-`
    /// or nothing, followed by the end, by `.` and digits, by `-provider`, `-pending`, `-passkey` or `-browser`, by `-factor` and pieces, or by
    /// `-login-` and anything.
    package func isOurs(_ name: RawSpan) -> Bool {
        let offset = Self.prefixLength(of: name)
        guard offset > 0 || claimsPlainName else { return false }
        return Self.kind(of: name, from: offset, named: baseNameBytes) != .other
    }

    package func isOurs(_ name: String) -> Bool {
        isOurs(name.utf8.span.bytes)
    }

    /// The kind of a name among those that this gateway sets.
    package func kind(of name: RawSpan) -> Kind {
        let kind = Self.kind(of: name, from: 0, named: effectiveNameBytes)
        guard kind == .other, let hostNameBytes else { return kind }
        // With a domain, the session's name has another prefix than the cookies beside it.
        switch Self.kind(of: name, from: 0, named: hostNameBytes) {
        case .whole, .piece, .strayPiece, .other: return .other
        case let beside: return beside
        }
    }

    private static func prefixLength(of name: RawSpan) -> Int {
        guard name.first == UInt8(ascii: "_") else { return 0 }
        if has("__Host-", name, at: 0) { return 7 }
        return has("__Secure-", name, at: 0) ? 9 : 0
    }

    /// Reads what follows `known`, which must stand at `offset`.
    private static func kind(of name: RawSpan, from offset: Int, named known: [UInt8]) -> Kind {
        let end = offset + known.count
        // Most cookies are not ours: the length and the first byte say so.
        guard name.byteCount >= end, name[offset] == known[0], name.extracting(offset..<end).equals(known) else { return .other }
        guard end < name.byteCount else { return .whole }
        if name[end] == UInt8(ascii: ".") { return kind(ofIndex: name.extracting(end + 1..<name.byteCount)) }
        if has("-provider", name, at: end), name.byteCount == end + 9 { return .lastProvider }
        if has("-pending", name, at: end), name.byteCount == end + 8 { return .pending }
        if has("-browser", name, at: end) || has("-passkey", name, at: end), name.byteCount == end + 8 { return .pending }
        if has("-factor", name, at: end) { return name.byteCount == end + 7 || name[end + 7] == UInt8(ascii: ".") ? .pending : .other }
        return has("-login-", name, at: end) ? .login : .other
    }

    private static func has(_ text: StaticString, _ name: RawSpan, at offset: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard name.byteCount >= offset + count else { return false }
        for index in 0..<count where name[offset + index] != text.utf8Start[index] { return false }
        return true
    }

    private static func kind(ofIndex digits: RawSpan) -> Kind {
        guard let first = digits.first, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return .other }
        let index = Int(first - UInt8(ascii: "0"))
        return digits.byteCount == 1 && index < maximumPieces ? .piece(index) : .strayPiece
    }
}

extension SessionCookies {
    /// What a cookie's name says it is.
    enum Kind: Equatable {
        /// The session in one piece.
        case whole
        case piece(Int)
        /// Named like a piece, but with an index that we never write.
        case strayPiece
        case login
        case other
    }

    /// Whether a cookie of this name belongs to the gateway: it is neither sent upstream nor accepted from there.
    ///
    /// Names are compared by their bytes (RFC 6265 section 5.3). Ours are the configured name behind `__Host-`, `__Secure-`
    /// or nothing, followed by the end, by `.` and digits, or by `-login-` and anything.
    package func isOurs(_ name: UnsafeRawBufferPointer) -> Bool {
        claimedNames.contains { Self.kind(of: name, claimed: $0) != .other }
    }

    package func isOurs(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { isOurs(UnsafeRawBufferPointer($0)) }
    }

    /// What a name is among those that this gateway sets itself.
    func kind(of name: UnsafeRawBufferPointer) -> Kind { Self.kind(of: name, claimed: effectiveNameBytes) }

    private static func kind(of name: UnsafeRawBufferPointer, claimed: [UInt8]) -> Kind {
        guard name.starts(with: claimed) else { return .other }
        let rest = name.dropFirst(claimed.count)
        guard let first = rest.first else { return .whole }
        if first == UInt8(ascii: ".") { return kind(ofIndex: rest.dropFirst()) }
        return rest.starts(with: "-login-".utf8) ? .login : .other
    }

    private static func kind(ofIndex digits: Slice<UnsafeRawBufferPointer>) -> Kind {
        guard let first = digits.first, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return .other }
        let index = Int(first - UInt8(ascii: "0"))
        return digits.count == 1 && index < maximumPieces ? .piece(index) : .strayPiece
    }
}

/// What a request's cookies say about the session, before anything is opened.
package enum SessionCookieValue {
    case absent
    /// The value of the one cookie, where the request has it: valid as long as the bytes given to `assemble`.
    case whole(UnsafeRawBufferPointer)
    /// Several pieces, put together.
    case joined([UInt8])
    case refused(Authentication.Refusal)
}

extension SessionCookies {
    /// Finds the session among a request's cookies, in any order.
    ///
    /// Refused: a name of ours twice, a piece missing, an index that we never write, pieces beyond the caps, all
    /// before any memory is taken (CVE-2024-24814). Where the whole and the pieces are there, the pieces count: the whole is
    /// then what a renewal put back while the session grew. Beside a whole, pieces without a first one and indices that we
    /// never write are leftovers, and ignored.
    package func assemble(
        pairs: some Sequence<(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)>
    ) -> SessionCookieValue {
        var whole: UnsafeRawBufferPointer?
        var pieces = PieceTable()
        var hasStray = false
        for pair in pairs {
            switch kind(of: pair.name) {
            case .whole:
                guard whole == nil else { return .refused(.duplicateCookie) }
                whole = pair.value
            case .piece(let index):
                guard pieces.insert(pair.value, at: index) else { return .refused(.duplicateCookie) }
            case .strayPiece: hasStray = true
            case .login, .other: continue
            }
        }
        if let whole, !pieces.hasFirst {
            return whole.count <= Self.maximumLineBytes ? .whole(whole) : .refused(.cookieTooLarge)
        }
        if hasStray { return .refused(.cookiePieces) }
        return pieces.isEmpty ? .absent : pieces.joined()
    }
}

/// Up to five pieces by index, without an allocation.
private struct PieceTable {
    private typealias Slot = UnsafeRawBufferPointer?
    private var slots: (Slot, Slot, Slot, Slot, Slot) = (nil, nil, nil, nil, nil)
    private var count = 0
    private var highest = -1

    var isEmpty: Bool { count == 0 }
    var hasFirst: Bool { self[0] != nil }

    /// False: the slot is taken.
    mutating func insert(_ value: UnsafeRawBufferPointer, at index: Int) -> Bool {
        guard self[index] == nil else { return false }
        self[index] = value
        count += 1
        highest = max(highest, index)
        return true
    }

    func joined() -> SessionCookieValue {
        guard count == highest + 1 else { return .refused(.cookiePieces) }
        var total = 0
        for index in 0..<count {
            guard let piece = self[index], piece.count <= SessionCookies.maximumLineBytes else { return .refused(.cookieTooLarge) }
            total += piece.count
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(total)
        for index in 0..<count { if let piece = self[index] { bytes.append(contentsOf: piece) } }
        return .joined(bytes)
    }

    private subscript(index: Int) -> UnsafeRawBufferPointer? {
        get {
            switch index {
            case 0: slots.0
            case 1: slots.1
            case 2: slots.2
            case 3: slots.3
            default: slots.4
            }
        }
        set {
            switch index {
            case 0: slots.0 = newValue
            case 1: slots.1 = newValue
            case 2: slots.2 = newValue
            case 3: slots.3 = newValue
            default: slots.4 = newValue
            }
        }
    }
}

/// The session cookies among a request's cookies, found without an allocation until all of them are known to be valid.
///
/// `SessionCookies.assemble` has the rules. Values are pointed to, not copied: they must outlive this.
package struct FoundCookies {
    private typealias Slot = UnsafeRawBufferPointer?

    private var whole: Slot = nil
    /// Empty until a piece is found: most sessions are whole.
    private var pieces: [Slot] = []
    private var count = 0
    private var highest = -1
    private var hasStray = false
    private var hasDuplicate = false
    /// No cookie of another's was among them.
    package private(set) var areAllOurs = true

    package init() {}

    /// `kind`: what `SessionCookies.kind(of:)` says of the cookie's name.
    package mutating func add(_ value: UnsafeRawBufferPointer, _ kind: SessionCookies.Kind) {
        switch kind {
        case .whole:
            hasDuplicate = hasDuplicate || whole != nil
            whole = value
        case .piece(let index):
            hasDuplicate = hasDuplicate || self[index] != nil
            if pieces.isEmpty { pieces = Array(repeating: nil, count: SessionCookies.maximumPieces) }
            pieces[index] = value
            count += 1
            highest = max(highest, index)
        case .strayPiece: hasStray = true
        case .login, .lastProvider, .pending: break
        case .other: areAllOurs = false
        }
    }

    package func value() -> SessionCookieValue {
        guard !hasDuplicate else { return .refused(.duplicateCookie) }
        if let whole, self[0] == nil {
            return whole.count <= SessionCookies.maximumLineBytes ? .whole(whole) : .refused(.cookieTooLarge)
        }
        guard !hasStray, count == highest + 1 else { return .refused(.cookiePieces) }
        return count == 0 ? .absent : joined()
    }

    private func joined() -> SessionCookieValue {
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

    private subscript(index: Int) -> Slot { pieces.isEmpty ? nil : pieces[index] }
}

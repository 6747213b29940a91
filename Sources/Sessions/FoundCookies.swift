import Primitives

/// The session cookies among a request's cookies, found without an allocation until all of them are known to be valid.
///
/// Refused: a name of ours twice, a piece missing, an index that we never write, pieces beyond the caps, all before any memory is taken
/// (CVE-2024-24814). Where the whole and the pieces are there, the pieces count: the whole is then what a renewal put back while the
/// session grew. Beside a whole, pieces without a first one and indices that we never write are leftovers, and ignored.
///
/// Values are remembered as ranges of the head that holds the cookies.
package struct FoundCookies {
    private typealias Slot = Range<Int>?

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

    /// `value`: where the head has it. `kind`: what `SessionCookies.kind(of:)` says of the cookie's name.
    package mutating func add(_ value: Range<Int>, _ kind: SessionCookies.Kind) {
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

    /// `bytes`: those of the head.
    package func value(in bytes: RawSpan) -> SessionCookieValue {
        guard !hasDuplicate else { return .refused(.duplicateCookie) }
        if let whole, self[0] == nil {
            return whole.count <= SessionCookies.maximumLineBytes ? .whole(whole) : .refused(.cookieTooLarge)
        }
        guard !hasStray, count == highest + 1 else { return .refused(.cookiePieces) }
        return count == 0 ? .absent : joined(bytes)
    }

    private func joined(_ source: RawSpan) -> SessionCookieValue {
        var total = 0
        for index in 0..<count {
            guard let piece = self[index], piece.count <= SessionCookies.maximumLineBytes else { return .refused(.cookieTooLarge) }
            total += piece.count
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(total)
        for index in 0..<count { if let piece = self[index] { bytes.append(contentsOf: source.extracting(piece)) } }
        return .joined(bytes)
    }

    private subscript(index: Int) -> Slot { pieces.isEmpty ? nil : pieces[index] }
}

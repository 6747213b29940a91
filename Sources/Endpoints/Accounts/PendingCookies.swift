import Accounts
import Primitives
import Sessions

/// The cookies of one browser with pending values. The name of the first is part of the seal.
struct PendingCookies: Sendable {
    /// What waits in a browser: one value at a time in each.
    enum Slot: Sendable {
        /// A sign-in between its factors. It holds a session, which may take several cookies.
        case factor
        /// An identity that met a conflict, or a merge that its user has begun.
        case work
        /// The challenge of a sign-in with a passkey.
        case passkey

        fileprivate var mostPieces: Int { self == .factor ? 5 : 1 }

        fileprivate func name(_ index: Int, _ cookies: HostCookies) -> String {
            switch self {
            case .factor: cookies.factor(index)
            case .work: cookies.pending
            case .passkey: cookies.passkey
            }
        }
    }

    private static let pieceSize = 3_900

    private let cookies: HostCookies
    private let seal: BrowserSeal
    /// The browser's, duplicates included.
    private let sent: [(name: String, value: String)]

    init(_ cookies: HostCookies, _ seal: BrowserSeal, sent: [(name: String, value: String)]) {
        self.cookies = cookies
        self.seal = seal
        self.sent = sent
    }

    /// The `Set-Cookie` lines; nil if it does not fit.
    func lines<Payload>(_ pending: Pending<Payload>, in slot: Slot) -> [String]? {
        var rest = pending.sealed(with: seal, for: binding(slot))[...]
        guard rest.utf8.count <= Self.pieceSize * slot.mostPieces else { return nil }
        var lines: [String] = []
        while !rest.isEmpty {
            let piece = cookies.cookie(
                named: slot.name(lines.count, cookies), value: String(rest.prefix(Self.pieceSize)), maxAge: Payload.lifetime / 1_000)
            lines.append(piece.headerValue())
            rest = rest.dropFirst(Self.pieceSize)
        }
        // Pieces of a longer one before.
        return lines + deletions(of: slot, from: lines.count)
    }

    /// The value that waits; nil without one that was sealed here and has not expired.
    func open<Payload>(_ payload: Payload.Type, in slot: Slot, now: Int64) -> Pending<Payload>? {
        var text = ""
        for index in 0..<slot.mostPieces {
            let name = slot.name(index, cookies)
            let values = sent.filter { $0.name == name }.map(\.value)
            // Two cookies of one name: someone else set one of them.
            guard values.count == 1, values[0].utf8.count <= Self.pieceSize else { break }
            text += values[0]
        }
        return text.isEmpty ? nil : Pending(text, with: seal, for: binding(slot), now: now)
    }

    /// The lines that delete what the browser has of it.
    func deletions(of slot: Slot) -> [String] { deletions(of: slot, from: 0) }

    private func deletions(of slot: Slot, from first: Int) -> [String] {
        (0..<slot.mostPieces).dropFirst(first).map { slot.name($0, cookies) }
            .filter { name in sent.contains { $0.name == name } }
            .map(cookies.deletion)
    }

    private func binding(_ slot: Slot) -> BrowserBinding { .cookie(slot.name(0, cookies)) }
}

extension AccountSignIn {
    var pendingCookies: PendingCookies { PendingCookies(site.cookies.host, seal, sent: cookies) }

    /// Seals what this browser keeps for this site.
    var seal: BrowserSeal { BrowserSeal(ring: accounts.ring, site: site.publicURL?.text ?? "") }
}

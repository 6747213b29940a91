/// A session that does not fit into the cookies a browser keeps.
package struct SessionTooLarge: Error, Sendable, Equatable, CustomStringConvertible {
    /// Of the sealed text.
    package let bytes: Int
    package let limit: Int
    package var description: String {
        "the session takes \(bytes) bytes, and cookies hold \(limit): request fewer scopes or claims, or keep sessions in a store"
    }
}

extension SessionCookies {
    /// The bytes of value that fit into one piece, beside its name and attributes.
    var pieceCapacity: Int {
        Self.maximumLineBytes - cookie(named: pieceName(Self.maximumPieces - 1), value: "").headerValue().utf8.count
    }

    /// The `Set-Cookie` values that store a sealed text and delete the pieces it no longer needs.
    ///
    /// `existingNames`: the names of the cookies that the browser sent. No `Max-Age`: the cookies end with the browser's session.
    package func setCookieLines(sealed: String, existingNames: [String]) throws(SessionTooLarge) -> [String] {
        let pieces = try split(sealed)
        let names = pieces.count == 1 ? [effectiveName] : pieces.indices.map(pieceName)
        // A renewal that was on its way while the session grew may have put the one piece back: it always goes.
        let stale = storedNames(among: existingNames + (pieces.count == 1 ? [] : [effectiveName])).filter { !names.contains($0) }
        return zip(names, pieces).map { cookie(named: $0, value: $1).headerValue() } + stale.map(deletionLine)
    }

    /// The `Set-Cookie` values that store a session: without its ID token if it does not fit otherwise.
    package func setCookieLines(for session: Session, seal: SessionSeal, existingNames: [String]) throws(SessionTooLarge) -> [String] {
        do {
            return try setCookieLines(sealed: seal.seal(session), existingNames: existingNames)
        } catch {
            guard session.tokens.idToken != nil else { throw error }
            return try setCookieLines(sealed: seal.seal(session.withoutIDToken()), existingNames: existingNames)
        }
    }

    /// The `Set-Cookie` values that delete the session, whatever pieces of it the browser has.
    ///
    /// The attributes are those it was set with: browsers ignore a deletion of a `__Host-` cookie without
    /// `Secure` (CVE-2025-55162).
    package func deletionLines(existingNames: [String]) -> [String] {
        storedNames(among: [effectiveName] + existingNames).map(deletionLine)
    }

    /// The `Set-Cookie` values of a sign-out: they also delete what waits in the browser for the next step of a sign-in. A remembered browser
    /// stays remembered.
    package func signOutLines(existingNames: [String]) -> [String] {
        deletionLines(existingNames: existingNames) + Set(existingNames.filter(host.isWaiting)).sorted().map(host.deletion)
    }

    private func deletionLine(_ name: String) -> String { cookie(named: name, value: "").deleting().headerValue() }

    private func split(_ sealed: String) throws(SessionTooLarge) -> [String] {
        let bytes = Array(sealed.utf8)
        let capacity = pieceCapacity
        guard bytes.count <= capacity * Self.maximumPieces else {
            throw SessionTooLarge(bytes: bytes.count, limit: capacity * Self.maximumPieces)
        }
        guard bytes.count > capacity else { return [sealed] }
        return stride(from: 0, to: bytes.count, by: capacity).map { start in
            String(decoding: bytes[start..<min(start + capacity, bytes.count)], as: UTF8.self)
        }
    }

    /// The names that hold the session or a piece of it, each once; the first few, should a browser send hundreds.
    private func storedNames(among names: [String]) -> [String] {
        var stored: [String] = []
        for name in names where !stored.contains(name) && stored.count < 4 * Self.maximumPieces {
            switch kind(of: name.utf8.span.bytes) {
            case .whole, .piece, .strayPiece: stored.append(name)
            case .login, .lastProvider, .pending, .other: continue
            }
        }
        return stored
    }
}

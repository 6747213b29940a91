package import Config
import HTTPWire
package import Sessions

/// The provider's tokens as header lines, for the routes that ask for them.
package enum TokenHeaders {
    /// Complete lines; a token that the session does not have, that has expired or that is bound to a key of ours (RFC 9449) has none.
    /// `now` in Unix milliseconds.
    package static func lines(_ headers: RouteTokens, for session: Session, now: Int64) -> [UInt8] {
        let tokens = session.tokens
        var lines: [UInt8] = []
        if let name = headers.access, let token = tokens.accessToken, tokens.proofKey == nil, tokens.accessTokenExpiresAt ?? .max > now {
            append(name, token, to: &lines)
        }
        if let name = headers.id, let token = tokens.idToken { append(name, token, to: &lines) }
        return lines
    }

    private static func append(_ name: String, _ token: String, to lines: inout [UInt8]) {
        // RFC 6750 section 2.1. What is no token of visible characters would end the line.
        guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return }
        lines += name.utf8
        lines += (name.utf8.map(FoldedName.fold) == Array("authorization".utf8) ? ": Bearer " : ": ").utf8
        lines += token.utf8
        lines += "\r\n".utf8
    }
}

import Accounts
import Primitives
import Sessions
import TokenCrypto

/// What waits in a browser for the next sign-in: an identity that met a conflict, or a merge that its user has begun.
///
/// In the cookie `-pending`, sealed with `accounts.keys`. The name of the cookie is part of the seal.
enum PendingWork: Sendable {
    case link(PendingCredential)
    /// The user of `previous` wanted to link an identity of `current`: who signs in to that account in this browser owns both.
    case merge(previous: String, current: String)

    private static let merge = "m."
    private static let credential = "c."

    /// The `Set-Cookie` line.
    func cookie(_ cookies: SessionCookies, _ ring: SealingKeyRing, now: Int64) -> String {
        let name = cookies.pendingCookieName
        let value: String
        switch self {
        case .link(let pending): value = Self.credential + pending.sealed(with: ring, browser: Array(name.utf8))
        case .merge(let previous, let current):
            let members: [String: JSONValue] = [
                "previous": .string(previous), "current": .string(current), "exp": .integer(now + PendingCredential.lifetime),
            ]
            value = Self.merge + Base64URL.encode(ring.seal(JSONValue.object(members).serializedBytes(), associatedData: Self.binding(name)))
        }
        return cookies.cookie(named: name, value: value, maxAge: PendingCredential.lifetime / 1_000).headerValue()
    }

    private static func binding(_ name: String) -> [UInt8] { Array("gateway pending merge v1\0\(name)".utf8) }

    /// Nil without exactly one cookie that was sealed here and has not expired.
    init?(_ request: [(name: String, value: String)], _ cookies: SessionCookies, _ ring: SealingKeyRing, now: Int64) {
        let name = cookies.pendingCookieName
        let values = request.filter { $0.name == name }.map(\.value)
        guard values.count == 1, values[0].utf8.count <= 8_192 else { return nil }
        if values[0].hasPrefix(Self.credential) {
            guard
                let pending = PendingCredential.open(
                    String(values[0].dropFirst(Self.credential.count)), with: ring, browser: Array(name.utf8), now: now)
            else { return nil }
            self = .link(pending)
        } else if values[0].hasPrefix(Self.merge) {
            guard let sealed = Base64URL.decode(String(values[0].dropFirst(Self.merge.count))),
                let bytes = ring.open(sealed, associatedData: Self.binding(name)), let json = try? JSONValue(parsing: bytes),
                let previous = json["previous"]?.string, let current = json["current"]?.string, let expiry = json["exp"]?.integer,
                now < expiry
            else { return nil }
            self = .merge(previous: previous, current: current)
        } else {
            return nil
        }
    }

    /// The line that deletes the cookie; nil if the browser has none.
    static func deletion(_ request: [String], _ cookies: SessionCookies) -> String? {
        let name = cookies.pendingCookieName
        return request.contains(name) ? cookies.cookie(named: name, value: "").deleting().headerValue() : nil
    }
}

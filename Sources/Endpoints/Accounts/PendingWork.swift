import Accounts
import Primitives
import Sessions
import TokenCrypto

/// What waits in a browser for the next sign-in: an identity that met a conflict, or a merge that its user has begun.
///
/// In the cookie `-pending`, sealed with `accounts.keys`. The name of the cookie is part of the seal.
enum PendingWork: Sendable {
    /// `returnPath`: where the sign-in that met the conflict was to lead.
    case link(PendingCredential, returnPath: String)
    /// The user of `previous` wanted to link an identity of `current`: who signs in to that account in this browser owns both.
    case merge(previous: String, current: String)

    /// Longer paths become `/`: the cookie must fit into 4 KiB.
    private static let longestPath = 512
    private static let longestValue = 4_000

    /// The `Set-Cookie` line; nil if it would not fit.
    func cookie(_ cookies: SessionCookies, _ ring: SealingKeyRing, now: Int64) -> String? {
        let name = cookies.pendingCookieName
        let members: [String: JSONValue]
        switch self {
        case .link(let pending, let path):
            members = [
                "link": .string(pending.sealed(with: ring, browser: Array(name.utf8))),
                "rd": .string(path.utf8.count <= Self.longestPath ? path : "/"),
            ]
        case .merge(let previous, let current):
            members = [
                "previous": .string(previous), "current": .string(current), "exp": .integer(now + PendingCredential.lifetime),
            ]
        }
        let value = Base64URL.encode(ring.seal(JSONValue.object(members).serializedBytes(), associatedData: Self.binding(name)))
        guard value.utf8.count <= Self.longestValue else { return nil }
        return cookies.cookie(named: name, value: value, maxAge: PendingCredential.lifetime / 1_000).headerValue()
    }

    private static func binding(_ name: String) -> [UInt8] { Array("gateway pending work v1\0\(name)".utf8) }

    /// Nil without exactly one cookie that was sealed here and has not expired.
    init?(_ request: [(name: String, value: String)], _ cookies: SessionCookies, _ ring: SealingKeyRing, now: Int64) {
        let name = cookies.pendingCookieName
        let values = request.filter { $0.name == name }.map(\.value)
        guard values.count == 1, values[0].utf8.count <= Self.longestValue, let sealed = Base64URL.decode(values[0]),
            let bytes = ring.open(sealed, associatedData: Self.binding(name)), let json = try? JSONValue(parsing: bytes)
        else { return nil }
        if let text = json["link"]?.string {
            guard let pending = PendingCredential.open(text, with: ring, browser: Array(name.utf8), now: now) else { return nil }
            self = .link(pending, returnPath: json["rd"]?.string ?? "/")
        } else {
            guard let previous = json["previous"]?.string, let current = json["current"]?.string, let expiry = json["exp"]?.integer,
                now < expiry
            else { return nil }
            self = .merge(previous: previous, current: current)
        }
    }

    /// The line that deletes the cookie; nil if the browser has none.
    static func deletion(_ request: [String], _ cookies: SessionCookies) -> String? {
        let name = cookies.pendingCookieName
        return request.contains(name) ? cookies.cookie(named: name, value: "").deleting().headerValue() : nil
    }
}

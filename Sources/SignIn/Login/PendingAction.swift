import Accounts
import Primitives
package import Sessions
package import TokenCrypto

/// Work that waits for the next sign-in of a browser: a credential to link, or a merge to report.
///
/// Lives only in a sealed cookie of that browser, for ten minutes and one use. Made by `PendingActions` alone, so a value of this type proves
/// that this gateway sealed it.
package struct PendingAction: Sendable, Equatable {
    /// The time limit, in milliseconds.
    package static let lifetime: Int64 = 600_000

    package enum Kind: Sendable, Equatable {
        /// The identity was verified, but an account with this uid has its address: who signs in to that account links it.
        case link(VerifiedIdentity, uid: String)
        /// An identity could not be linked to `previous` because `current` has it: who signs in to `current` owns both.
        case merge(previous: String, current: String)
    }

    package let id: LoginID
    package let kind: Kind
    /// Where the browser was to go.
    package let returnPath: String
    /// Unix milliseconds.
    package let createdAt: Int64

    fileprivate init(id: LoginID, kind: Kind, returnPath: String, createdAt: Int64) {
        self.id = id
        self.kind = kind
        self.returnPath = returnPath
        self.createdAt = createdAt
    }

    /// The account that the browser has to sign in to.
    package var uid: String {
        switch self.kind {
        case .link(_, let uid): uid
        case .merge(_, let current): current
        }
    }
}

/// Seals and opens the pending actions of browsers. One per configuration.
package struct PendingActions: Sendable {
    /// The cookie's name.
    package let cookieName: String
    private let isSecure: Bool
    private let ring: SealingKeyRing
    private let store: any SessionStore

    /// `ring` has the purpose `pending`. `store` remembers which actions were used.
    package init(ring: SealingKeyRing, sessionCookieName: String, isSecure: Bool, store: any SessionStore) {
        self.cookieName = sessionCookieName + "-pending"
        self.isSecure = isSecure
        self.ring = ring
        self.store = store
    }

    /// The value of `Set-Cookie` that keeps an action; it replaces an earlier one. A return path over 1,536 bytes becomes `/`.
    package func setCookie(_ kind: PendingAction.Kind, returnPath: String, now: Int64) -> String {
        let action = PendingAction(
            id: LoginID(now: now), kind: kind, returnPath: returnPath.utf8.count <= 1536 ? returnPath : "/", createdAt: now)
        let sealed = self.ring.seal(Array(action.json.serialized().utf8), associatedData: Array(self.cookieName.utf8))
        return self.line(Base64URL.encode(sealed), maxAge: PendingAction.lifetime / 1000)
    }

    /// The value of `Set-Cookie` that deletes it.
    package var deletion: String { self.line("", maxAge: 0) }

    private func line(_ value: String, maxAge: Int64) -> String {
        CookieAttributes(name: self.cookieName, value: value, maxAge: maxAge, sameSite: .lax, secure: self.isSecure).headerValue()
    }

    /// The action in a browser's cookies; nil without one, after its time, or if two cookies have its name.
    package func find(in cookies: [(name: String, value: String)], now: Int64) -> PendingAction? {
        let values = cookies.filter { $0.name == self.cookieName }
        guard values.count == 1, values[0].value.utf8.count <= 4096, let bytes = Base64URL.decode(values[0].value),
            let plain = self.ring.open(bytes, associatedData: Array(self.cookieName.utf8)), let json = try? JSONValue(parsing: plain),
            let action = PendingAction(json), now - action.createdAt < PendingAction.lifetime, action.createdAt - now <= 60_000
        else { return nil }
        return action
    }

    /// Marks an action as used. False: it was used before.
    package func use(_ action: PendingAction, now: Int64) async throws(SessionStoreError) -> Bool {
        try await self.store.finishLogin(action.id.text, now: now)
    }
}

extension PendingAction {
    /// The most bytes of an optional text of the identity: the cookie must fit.
    private static let longestText = 256

    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "v": .integer(1), "id": .string(self.id.text), "r": .string(self.returnPath), "t": .integer(self.createdAt),
        ]
        switch self.kind {
        case .merge(let previous, let current):
            members["m"] = .string(previous)
            members["w"] = .string(current)
        case .link(let verified, let uid):
            let identity = verified.identity
            members["w"] = .string(uid)
            members["p"] = .string(identity.provider)
            members["i"] = .string(identity.issuer)
            members["s"] = .string(identity.subject)
            members["a"] = identity.email.map(JSONValue.string)
            members["y"] = identity.emailVerified.map(JSONValue.bool)
            for (name, text) in [("u", identity.username), ("n", identity.name), ("d", identity.picture)] {
                members[name] = text.flatMap { $0.utf8.count <= Self.longestText ? .string($0) : nil }
            }
        }
        return .object(members)
    }

    fileprivate init?(_ json: JSONValue) {
        guard json["v"]?.integer == 1, let id = json["id"]?.string.flatMap({ LoginID(parsing: $0) }),
            let returnPath = json["r"]?.string, let createdAt = json["t"]?.integer, PlausibleTime.milliseconds.contains(createdAt),
            let uid = json["w"]?.string
        else { return nil }
        if let previous = json["m"]?.string {
            self.init(id: id, kind: .merge(previous: previous, current: uid), returnPath: returnPath, createdAt: createdAt)
            return
        }
        guard let provider = json["p"]?.string, let issuer = json["i"]?.string, let subject = json["s"]?.string else { return nil }
        let identity = VerifiedIdentity(
            resealed: ProviderIdentity(
                provider: provider, issuer: issuer, subject: subject, email: json["a"]?.string, emailVerified: json["y"]?.bool,
                username: json["u"]?.string, name: json["n"]?.string, picture: json["d"]?.string))
        self.init(id: id, kind: .link(identity, uid: uid), returnPath: returnPath, createdAt: createdAt)
    }
}

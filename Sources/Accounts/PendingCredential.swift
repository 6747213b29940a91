import Primitives
package import TokenCrypto

/// An identity that met a conflict, until its owner signs in to the account that has its address.
///
/// Only a proof makes one, and only this process's keys open a sealed one: the seal replaces the proof.
package struct PendingCredential: Sendable, Equatable {
    package static let lifetime: Int64 = 600_000

    package let id: String
    /// The account that has the address.
    package let uid: String
    package let identity: LinkedIdentity
    package let expiresAt: Int64
    let runsMailbox: Bool

    init(id: String, uid: String, identity: LinkedIdentity, runsMailbox: Bool, expiresAt: Int64) {
        self.id = id
        self.uid = uid
        self.identity = identity
        self.runsMailbox = runsMailbox
        self.expiresAt = expiresAt
    }

    /// The form for a cookie. `browser`: what binds it to this browser. `ring`: of `accounts.keys`.
    package func sealed(with ring: SealingKeyRing, browser: [UInt8]) -> String {
        var members: [String: JSONValue] = [
            "id": .string(id), "uid": .string(uid), "exp": .integer(expiresAt), "provider": .string(identity.provider),
            "iss": .string(identity.issuer), "sub": .string(identity.subject), "verified": .bool(identity.emailVerified),
            "mailbox": .bool(runsMailbox), "at": .integer(identity.linkedAt),
        ]
        members["email"] = identity.email.map { .string($0.text) }
        members["username"] = identity.username.map { .string($0) }
        members["name"] = identity.name.map { .string($0) }
        return Base64URL.encode(ring.seal(JSONValue.object(members).serializedBytes(), associatedData: Self.binding(browser)))
    }

    /// Nil if it was not sealed here, or for another browser, or has expired.
    package static func open(_ text: String, with ring: SealingKeyRing, browser: [UInt8], now: Int64) -> PendingCredential? {
        guard text.utf8.count <= 8_192, let sealed = Base64URL.decode(text),
            let bytes = ring.open(sealed, associatedData: binding(browser)),
            let members = (try? JSONValue(parsing: bytes))?.object,
            let id = members["id"]?.string, let uid = members["uid"]?.string, let expiresAt = members["exp"]?.integer, now < expiresAt,
            let provider = members["provider"]?.string, let issuer = members["iss"]?.string, let subject = members["sub"]?.string,
            let linkedAt = members["at"]?.integer
        else { return nil }
        let identity = LinkedIdentity(
            provider: provider, issuer: issuer, subject: subject, email: members["email"]?.string.flatMap(EmailAddress.init),
            emailVerified: members["verified"]?.bool == true, username: members["username"]?.string, name: members["name"]?.string,
            linkedAt: linkedAt)
        return PendingCredential(
            id: id, uid: uid, identity: identity, runsMailbox: members["mailbox"]?.bool == true, expiresAt: expiresAt)
    }

    private static func binding(_ browser: [UInt8]) -> [UInt8] { Array("gateway pending credential v1\0".utf8) + browser }
}

import Primitives
package import TokenCrypto

/// What one kind of pending value holds besides the parts that all of them have.
package protocol PendingPayload: Sendable, Equatable {
    /// Part of the seal: a value for one purpose is none for another.
    static var purpose: String { get }
    /// Milliseconds.
    static var lifetime: Int64 { get }

    var members: [String: JSONValue] { get }
    init?(members: [String: JSONValue])
}

extension PendingPayload {
    package static var lifetime: Int64 { 600_000 }
}

/// What the gateway keeps in a browser while it asks the user for something (docs/decisions/0053-one-pending-value.md).
///
/// Sealed for one site, one browser and one purpose, until a deadline. It names the account with the revision that it was made for, and it
/// completes one thing: the store refuses its mark a second time.
package struct Pending<Payload: PendingPayload>: Sendable, Equatable {
    /// The account; empty while nobody knows it.
    package let uid: String
    /// The account's revision: it grows when a password, a provider or a factor changes.
    package let revision: Int64
    /// Unix milliseconds, like the deadline.
    package let startedAt: Int64
    package let expiresAt: Int64
    /// 256 random bits that only the sealed text holds.
    package let secret: [UInt8]
    package internal(set) var payload: Payload

    /// `account`: nil while nobody knows it.
    package init(_ payload: Payload, of account: Account?, now: Int64, random: (Int) -> [UInt8] = SecureRandom.bytes) {
        uid = account?.uid ?? ""
        revision = account?.revision ?? 0
        startedAt = now
        expiresAt = now + Payload.lifetime
        secret = random(32)
        self.payload = payload
    }

    private init?(_ members: [String: JSONValue]) {
        guard let uid = members["uid"]?.string, let revision = members["rev"]?.integer, let startedAt = members["at"]?.integer,
            let expiresAt = members["exp"]?.integer, let secret = members.bytes("id"), secret.count == 32,
            let payload = members["for"]?.object.flatMap(Payload.init)
        else { return nil }
        self.uid = uid
        self.revision = revision
        self.startedAt = startedAt
        self.expiresAt = expiresAt
        self.secret = secret
        self.payload = payload
    }

    package func sealed(with seal: BrowserSeal, for browser: BrowserBinding) -> String {
        seal.seal(
            [
                "uid": .string(uid), "rev": .integer(revision), "at": .integer(startedAt), "exp": .integer(expiresAt),
                "id": .string(Base64URL.encode(secret)), "for": .object(payload.members),
            ], Self.purpose, for: browser)
    }

    /// Nil if it was not sealed for this site, purpose and browser, or has expired.
    package init?(_ text: String, with seal: BrowserSeal, for browser: BrowserBinding, now: Int64) {
        guard let members = seal.open(text, Self.purpose, for: browser), let pending = Pending(members), now < pending.expiresAt else {
            return nil
        }
        self = pending
    }

    private static var purpose: String { "pending " + Payload.purpose }

    /// Milliseconds.
    package static var lifetime: Int64 { Payload.lifetime }

    /// The store sets it when the value has completed what it is for, and refuses it after that.
    package var mark: OnceMark {
        OnceMark(digest: SHA2.sha256(Array("\(Self.purpose)\0".utf8) + secret), expiresAt: expiresAt)
    }

    /// Binds other values to the browser that has this one.
    package var binding: BrowserBinding { .signIn(SHA2.sha256(Array("binding\0".utf8) + secret)) }
}

package import Primitives
import TokenCrypto

/// The gateway as a relying party of WebAuthn: the host of `publicURL` and its origin.
package struct RelyingParty: Sendable, Equatable {
    package let id: String
    package let name: String
    /// As browsers write it.
    let origin: String

    package init(_ origin: Origin, name: String) {
        id = origin.host
        self.origin = origin.text
        self.name = name
    }

    /// None: for work on stored factors, which answers no browser.
    package static let none = RelyingParty(id: "", name: "", origin: "")

    private init(id: String, name: String, origin: String) {
        self.id = id
        self.name = name
        self.origin = origin
    }

    /// The user handle (section 5.4.3): opaque, the same for all credentials of an account, and not the uid itself, which authenticators
    /// keep and may show.
    package static func userHandle(uid: String) -> [UInt8] { SHA2.sha256(Array("gateway webauthn user v1\0\(uid)".utf8)) }
}

/// Whether the authenticator must verify the user, by a PIN or a fingerprint, and not only their presence.
package enum UserVerification: String, Sendable, CaseIterable {
    case required
    case preferred
    /// The first factor has identified the user, so presence is enough.
    case discouraged
}

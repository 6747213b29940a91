import Primitives
package import TokenCrypto

/// The browser that a sealed text belongs to.
package enum BrowserBinding: Sendable, Equatable {
    /// The one that sends the text in this cookie. The cookie is host-only, so that no other host can give it to a browser.
    case cookie(String)
    /// The one that has the session with this reference.
    case session(String)
    /// The one that has this pending sign-in. The parameter is a digest of its secret.
    case signIn([UInt8])

    fileprivate var bytes: [UInt8] {
        switch self {
        case .cookie(let name): Array("cookie\0\(name)".utf8)
        case .session(let reference): Array("session\0\(reference)".utf8)
        case .signIn(let digest): Array("sign-in\0".utf8) + digest
        }
    }
}

/// Seals what a browser keeps for one site, and opens it again: nothing else does either.
///
/// A text opens with the keys, the site, the purpose and the browser that it was sealed for.
package struct BrowserSeal: Sendable {
    /// Five cookies of 3,900 bytes hold no more.
    private static let mostBytes = 20_000

    private let ring: SealingKeyRing
    private let site: String

    /// `ring`: of `accounts.keys`. `site`: the origin of the site.
    package init(ring: SealingKeyRing, site: String) {
        self.ring = ring
        self.site = site
    }

    /// `purpose`: what the text is for, without NUL.
    package func seal(_ members: [String: JSONValue], _ purpose: String, for browser: BrowserBinding) -> String {
        Base64URL.encode(ring.seal(JSONValue.object(members).serializedBytes(), associatedData: context(purpose, browser)))
    }

    /// Nil for every text that was not sealed like this.
    package func open(_ text: String, _ purpose: String, for browser: BrowserBinding) -> [String: JSONValue]? {
        open(text, context(purpose, browser))
    }

    /// Opens a text of a build that sealed neither the site nor the cookie, under the context that it used then. Only for what lives longer
    /// than an upgrade.
    package func open(_ text: String, underEarlierContext context: [UInt8]) -> [String: JSONValue]? { open(text, context) }

    private func open(_ text: String, _ context: [UInt8]) -> [String: JSONValue]? {
        guard text.utf8.count <= Self.mostBytes, let sealed = Base64URL.decode(text),
            let bytes = ring.open(sealed, associatedData: context)
        else { return nil }
        return (try? JSONValue(parsing: bytes))?.object
    }

    /// Neither a purpose nor an origin has a NUL, so no two contexts have the same bytes.
    private func context(_ purpose: String, _ browser: BrowserBinding) -> [UInt8] {
        Array("gateway browser v2\0\(purpose)\0\(site)\0".utf8) + browser.bytes
    }
}

extension [String: JSONValue] {
    package func bytes(_ name: String) -> [UInt8]? { self[name]?.string.flatMap(Base64URL.decode) }
}

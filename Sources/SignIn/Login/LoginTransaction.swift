import Primitives
package import Providers
import Sessions
package import TokenCrypto

/// The state of one sign-in while the browser is at the provider.
///
/// Lives only in the browser's cookie, sealed with the ring of purpose `login`; the cookie's name is the associated data, so
/// that one sign-in's cookie cannot stand in for another's.
package struct LoginTransaction: Sendable, Equatable {
    /// The time limit of a sign-in, in milliseconds.
    package static let lifetime: Int64 = 600_000

    package let id: LoginID
    package let provider: String
    /// The issuer the answer must come from; nil where the provider has none.
    package let issuer: String?
    /// `{id}.{256 random bits}`: at least 22 characters for providers that ask so.
    package let state: String
    /// 256 random bits and the mark of `SignInNonce`; nil where the provider returns none.
    package let nonce: String?
    /// RFC 7636 section 4.1: 43 characters of 256 random bits.
    package let verifier: String
    package let returnPath: String
    package let redirectURI: String
    /// Unix milliseconds.
    package let createdAt: Int64
    /// The authentication context classes asked for; the ID token must carry one of them.
    package let requestedACR: [String]
    /// True if a rule asked for the classes, so that a sign-in without one is refused as too weak.
    package let isStepUp: Bool
    /// nil when not asked for.
    package let maxAge: MaxAge?
    /// The key that the sign-in's tokens are bound to (RFC 9449); nil for bearer tokens.
    package let proofKey: [UInt8]?
    package let purpose: LoginPurpose

    /// A new sign-in with fresh secrets. A return path over 1,536 bytes becomes `/`: eight sign-ins must fit one header.
    package init(
        provider: String, issuer: String?, usesNonce: Bool, returnPath: String, redirectURI: String, requestedACR: [String] = [],
        isStepUp: Bool = false, maxAge: MaxAge? = nil, proofKey: ProofKey? = nil, purpose: LoginPurpose = .signIn, now: Int64
    ) {
        let id = LoginID(now: now)
        self.id = id
        self.provider = provider
        self.issuer = issuer
        self.state = id.text + "." + Base64URL.encode(SecureRandom.bytes(32))
        self.nonce = usesNonce ? SignInNonce.random() : nil
        self.verifier = Base64URL.encode(SecureRandom.bytes(32))
        self.returnPath = returnPath.utf8.count <= 1536 ? returnPath : "/"
        self.redirectURI = redirectURI
        self.createdAt = now
        self.requestedACR = requestedACR
        self.isStepUp = isStepUp
        self.maxAge = maxAge
        self.proofKey = proofKey?.secret
        self.purpose = purpose
    }

    /// RFC 7636 section 4.2, S256.
    package var challenge: String { Base64URL.encode(SHA2.sha256(Array(self.verifier.utf8))) }

    /// Also refuses a creation time in the future beyond a minute: the clock went back, or the time is not ours.
    package func isExpired(now: Int64) -> Bool { now - self.createdAt >= Self.lifetime || self.createdAt - now > 60_000 }

    /// The cookie's value.
    package func sealed(with ring: SealingKeyRing, cookieName: String) -> String {
        Base64URL.encode(ring.seal(Array(self.json.serialized().utf8), associatedData: Array(cookieName.utf8)))
    }

    /// nil: sealed by another, for another cookie, changed, or of another version.
    package init?(sealed text: String, with ring: SealingKeyRing, cookieName: String) {
        guard text.utf8.count <= 4096, let bytes = Base64URL.decode(text),
            let plain = ring.open(bytes, associatedData: Array(cookieName.utf8)), let json = try? JSONValue(parsing: plain),
            json["v"]?.integer == 1 || json["v"]?.integer == 2, let purpose = LoginPurpose(members: json),
            let id = json["id"]?.string.flatMap({ LoginID(parsing: $0) }), let provider = json["p"]?.string,
            let state = json["s"]?.string, let verifier = json["c"]?.string, let returnPath = json["r"]?.string,
            let redirectURI = json["u"]?.string, let createdAt = json["t"]?.integer,
            PlausibleTime.milliseconds.contains(createdAt)
        else { return nil }
        // An older build sealed any number: that sign-in has to be started again.
        let maxAge = json["m"]?.integer.flatMap(MaxAge.init(seconds:))
        guard json["m"] == nil || maxAge != nil else { return nil }
        self.id = id
        self.provider = provider
        self.issuer = json["i"]?.string
        self.state = state
        self.nonce = json["n"]?.string
        self.verifier = verifier
        self.returnPath = returnPath
        self.redirectURI = redirectURI
        self.createdAt = createdAt
        self.requestedACR = json["a"]?.array?.compactMap(\.string) ?? []
        self.isStepUp = json["e"]?.bool ?? false
        self.maxAge = maxAge
        self.proofKey = json["k"]?.string.flatMap { Base64URL.decode($0) }
        self.purpose = purpose
    }

    private var json: JSONValue {
        // A build before accounts knows only version 1: it must not finish a link as a sign-in.
        var members: [String: JSONValue] = [
            "v": .integer(self.purpose == .signIn ? 1 : 2), "id": .string(self.id.text), "p": .string(self.provider),
            "s": .string(self.state),
            "c": .string(self.verifier), "r": .string(self.returnPath), "u": .string(self.redirectURI), "t": .integer(self.createdAt),
        ]
        members["i"] = self.issuer.map(JSONValue.string)
        members["n"] = self.nonce.map(JSONValue.string)
        members["k"] = self.proofKey.map { .string(Base64URL.encode($0)) }
        members["m"] = self.maxAge.map { .integer($0.seconds) }
        members.merge(self.purpose.members) { kept, _ in kept }
        if self.isStepUp { members["e"] = .bool(true) }
        if !self.requestedACR.isEmpty { members["a"] = .array(self.requestedACR.map(JSONValue.string)) }
        return .object(members)
    }
}

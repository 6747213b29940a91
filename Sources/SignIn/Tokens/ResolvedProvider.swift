import Primitives
package import Providers
package import TokenCrypto

/// A provider ready for sign-ins: settings and metadata laid together.
package struct ResolvedProvider: Sendable {
    package struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
        package let reason: String
        package var description: String { self.reason }
    }

    /// The discovery document's; nil without one.
    package let metadataIssuer: String?
    package let authorization: String
    package let token: String
    /// nil for plain OAuth 2.0.
    package let jwks: String?
    package let userinfo: String?
    package let endSession: String?
    package let revocation: String?
    package let introspection: String?
    /// The endpoint that authorization requests are pushed to (RFC 9126); nil: they are not.
    package let pushedAuthorization: String?
    /// Whether tokens are bound to a key of the session (RFC 9449).
    package let usesDPoP: Bool
    package let clientAuthentication: ProviderPreset.ClientAuthentication
    /// Client assertions may be signed with these; nil: any.
    package let assertionAlgorithms: [String]?
    package let idTokenAlgorithms: Set<JWSAlgorithm>
    package let promisesResponseIssuer: Bool
    package let namesSessionsInLogouts: Bool

    /// `metadata` nil: everything comes from the settings.
    package init(settings: ProviderSettings, metadata: ProviderMetadata?) throws(Refusal) {
        let endpoints = settings.endpoints
        guard let authorization = endpoints.authorization ?? metadata?.authorization else {
            throw Refusal(reason: "no authorization endpoint is known")
        }
        guard let token = endpoints.token ?? metadata?.token else { throw Refusal(reason: "no token endpoint is known") }
        self.metadataIssuer = metadata?.issuer
        self.authorization = authorization
        self.token = token
        self.jwks = endpoints.jwks ?? metadata?.jwks
        self.userinfo = endpoints.userinfo ?? metadata?.userinfo
        self.endSession = endpoints.endSession ?? metadata?.endSession ?? Self.endSession(beside: authorization, settings.habits.logout)
        self.revocation = endpoints.revocation ?? metadata?.revocation
        self.introspection = endpoints.introspection ?? metadata?.introspection
        self.pushedAuthorization = try Self.pushedAuthorization(settings: settings, metadata: metadata)
        self.usesDPoP = try Self.usesDPoP(settings: settings, advertised: metadata?.dpopAlgorithms)
        self.assertionAlgorithms = metadata?.tokenAuthenticationAlgorithms
        self.namesSessionsInLogouts = metadata?.namesSessionsInLogouts ?? false
        self.promisesResponseIssuer = metadata?.promisesResponseIssuer ?? false
        self.clientAuthentication = try Self.authentication(settings: settings, listed: metadata?.tokenAuthentication)
        self.idTokenAlgorithms = Self.algorithms(configured: settings.idTokenAlgorithms, listed: metadata?.idTokenAlgorithms)
        if settings.kind == .oauth2, self.userinfo == nil {
            throw Refusal(reason: "no userinfo endpoint is known, so the user cannot be identified; set endpoints.userinfo")
        }
        if settings.kind == .oidc, self.jwks == nil {
            throw Refusal(reason: "no jwks endpoint is known, so ID tokens cannot be verified; set endpoints.jwks")
        }
        let all = [
            authorization, token, self.jwks, self.userinfo, self.endSession, self.revocation, self.introspection, self.pushedAuthorization,
        ]
        for url in all.compactMap({ $0 }) {
            guard let parsed = AbsoluteURL(url), parsed.isTrustworthyTransport else {
                throw Refusal(reason: "an endpoint's URL is not https")
            }
        }
    }

    /// A logout of a provider's own, where no metadata names it.
    private static func endSession(beside authorization: String, _ logout: ProviderHabits.Logout) -> String? {
        guard case .ownParameter(_, let path) = logout, let url = AbsoluteURL(authorization) else { return nil }
        return url.origin.text + path
    }

    /// As configured; else the first of basic, post, private_key_jwt, none that the provider lists and the client can do.
    /// A provider that lists nothing takes basic (OpenID Connect Discovery 1.0 section 3).
    private static func authentication(settings: ProviderSettings, listed: [String]?) throws(Refusal) -> ProviderPreset.ClientAuthentication
    {
        if let configured = settings.clientAuthentication { return configured }
        var possible: [ProviderPreset.ClientAuthentication] = []
        if settings.clientSecret != nil { possible += [.basic, .post] }
        if settings.privateKey != nil { possible.append(.privateKeyJWT) }
        if possible.isEmpty { return .none }
        guard let listed else { return possible[0] }
        guard let chosen = possible.first(where: { listed.contains($0.rawValue) }) else {
            throw Refusal(reason: "the provider lists no client authentication method that the gateway supports")
        }
        return chosen
    }

    /// A provider that requires pushed requests is never asked without one (RFC 9126 section 5).
    private static func pushedAuthorization(settings: ProviderSettings, metadata: ProviderMetadata?) throws(Refusal) -> String? {
        let endpoint = settings.endpoints.pushedAuthorization ?? metadata?.pushedAuthorization
        let isRequired = metadata?.requiresPushedRequests ?? false
        switch settings.pushedAuthorization {
        case .off:
            if isRequired {
                throw Refusal(reason: "the provider requires pushed authorization requests (RFC 9126), and pushedAuthorization is off")
            }
            return nil
        case .auto where !isRequired: return nil
        case .auto, .required:
            guard let endpoint else {
                throw Refusal(reason: "pushedAuthorization is required (RFC 9126), and the provider has no endpoint for it")
            }
            return endpoint
        }
    }

    /// Our keys are ES256 keys.
    private static func usesDPoP(settings: ProviderSettings, advertised: [String]?) throws(Refusal) -> Bool {
        switch settings.dpop {
        case .off: return false
        case .auto: return advertised?.contains("ES256") ?? false
        case .required:
            if let advertised, !advertised.contains("ES256") {
                throw Refusal(reason: "dpop is required, and the provider supports no ES256 proofs (RFC 9449)")
            }
            return true
        }
    }

    /// HS* only when named in the settings; unknown names are no algorithms.
    private static func algorithms(configured: [String]?, listed: [String]?) -> Set<JWSAlgorithm> {
        if let configured { return Set(configured.compactMap(JWSAlgorithm.init(rawValue:))) }
        let asymmetric = (listed ?? []).compactMap(JWSAlgorithm.init(rawValue:)).filter { !$0.isSymmetric }
        return asymmetric.isEmpty ? [.rs256] : Set(asymmetric)
    }
}

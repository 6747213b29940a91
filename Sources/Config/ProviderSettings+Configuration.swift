import Primitives
package import Providers

extension Configuration {
    /// The enabled providers as used for sign-in, in file order.
    ///
    /// Leaves out providers without a preset in this version, and all without `publicURL`; `validate` reports both
    /// as errors.
    package var providerSettings: [ProviderSettings] {
        self.providers.compactMap { $0.enabled ? self.settings(for: $0) : nil }
    }

    /// By provider id: the values of `acr` that mean a second factor, of providers that are trusted with them. Only an ID token proves how a user
    /// signed in.
    package var trustedSecondFactors: [String: [String]] {
        let proving = Set(self.providerSettings.filter { $0.kind == .oidc }.map(\.id))
        var trusted: [String: [String]] = [:]
        for provider in self.providers where proving.contains(provider.id) { trusted[provider.id] = provider.trustedSecondFactor?.classes }
        return trusted
    }

    /// The effective settings of a provider, enabled or not.
    package func settings(for provider: ProviderConfiguration) -> ProviderSettings? {
        guard let publicURL = self.server.publicURL else { return nil }
        var settings = ProviderSettings(
            provider, redirectBase: publicURL.text + self.server.pathPrefix, reservedEverywhere: self.reservedParameters)
        // The app could not use a token that is bound to the gateway's key.
        if settings?.dpop == .auto, self.handsOutAccessTokens { settings?.dpop = .off }
        return settings
    }
}

extension ProviderSettings {
    /// Nil if this version has no preset for the id. `redirectBase` is the origin and path prefix.
    package init?(_ provider: ProviderConfiguration, redirectBase: String, reservedEverywhere: [String] = []) {
        guard let preset = ProviderCatalogue.preset(for: provider.id) else { return nil }
        self.init(
            id: provider.id, preset: preset,
            site: Site(
                issuer: provider.issuer, baseURL: provider.baseURL, tenant: provider.tenant, realm: provider.realm,
                apiVersion: provider.apiVersion),
            clientID: provider.clientID, redirectBase: redirectBase)
        if let name = provider.displayName { self.displayName = name }
        self.clientSecret = provider.clientSecret.map { Secret($0.exposed) }
        self.privateKey = provider.privateKey.map { Secret($0.exposed) }
        self.keyID = provider.keyID
        self.teamID = provider.teamID
        self.clientAuthentication = provider.authentication(of: preset) ?? self.clientAuthentication
        if let mode = provider.responseMode { self.responseMode = mode == .formPost ? .formPost : .query }
        self.additionalAudiences = provider.additionalAudiences
        self.idTokenAlgorithms = provider.idTokenAlgorithms ?? self.idTokenAlgorithms
        self.add(scopes: provider.scopes)
        self.reserved = ReservedParameters(adding: reservedEverywhere + provider.reservedParameters)
        self.parameters.removeAll { self.reserved.contains($0.name) }
        for parameter in provider.customParameters { self.set(parameter: parameter.name, to: parameter.value) }
        self.requestParameters = provider.requestParameters.filter { !self.reserved.contains($0) }
        self.usesUserinfo = provider.userinfo ?? self.usesUserinfo
        self.trustEmail = provider.trustEmail
        self.endpoints.override(with: provider.endpoints)
        self.claims.override(with: provider.claims)
        self.pushedAuthorization = Use(provider.pushedAuthorization)
        self.dpop = Use(provider.dpop)
        self.accessTokens = provider.accessTokens.map {
            AccessTokens(audience: $0.audience, introspects: $0.introspection, scopes: $0.scopes)
        }
        // If the preset never verifies addresses, the configured claim does.
        if provider.claims.emailVerified != nil {
            self.email = .claim
            self.habits.emailAlsoVerifiedBy = nil
        }
        // A configured claim replaces every group source of the preset.
        if provider.claims.groups != nil { self.habits.groupClaims = [] }
        if provider.claims.subject != nil { self.habits.subjectQualifier = nil }
        self.groupRules = GroupRules(
            keep: provider.keptGroups,
            rename: Dictionary(provider.renamedGroups.map { ($0.name, $0.to) }, uniquingKeysWith: { first, _ in first }))
    }
}

extension ProviderSettings.Use {
    fileprivate init(_ configured: ProviderConfiguration.Use) {
        switch configured {
        case .auto: self = .auto
        case .required: self = .required
        case .off: self = .off
        }
    }
}

extension ProviderConfiguration {
    /// The client authentication: as configured, otherwise by the available credentials (private key or none).
    fileprivate func authentication(of preset: ProviderPreset) -> ProviderPreset.ClientAuthentication? {
        if let configured = self.clientAuthentication { return ProviderPreset.ClientAuthentication(rawValue: configured.rawValue) }
        if self.clientSecret != nil { return nil }
        if preset.habits.signsClientSecret, self.privateKey != nil { return .post }
        return self.privateKey != nil ? .privateKeyJWT : ProviderPreset.ClientAuthentication.none
    }
}

extension ProviderPreset.Endpoints {
    fileprivate mutating func override(with other: ProviderConfiguration.Endpoints) {
        self.authorization = other.authorization ?? self.authorization
        self.token = other.token ?? self.token
        self.userinfo = other.userinfo ?? self.userinfo
        self.jwks = other.jwks ?? self.jwks
        self.endSession = other.endSession ?? self.endSession
        self.revocation = other.revocation ?? self.revocation
        self.introspection = other.introspection ?? self.introspection
        self.pushedAuthorization = other.pushedAuthorization ?? self.pushedAuthorization
    }
}

extension ProviderPreset.ClaimMapping {
    fileprivate mutating func override(with other: ProviderConfiguration.ClaimMapping) {
        self.subject = other.subject ?? self.subject
        self.email = other.email ?? self.email
        self.emailVerified = other.emailVerified ?? self.emailVerified
        self.username = other.username ?? self.username
        self.name = other.name ?? self.name
        self.picture = other.picture ?? self.picture
        self.locale = other.locale ?? self.locale
        self.groups = other.groups ?? self.groups
    }
}

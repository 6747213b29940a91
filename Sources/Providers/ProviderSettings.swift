/// One configured provider: its preset with the configuration laid over it, every template filled in.
package struct ProviderSettings: Sendable {
    /// A secret of this provider. Its description never shows it.
    package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        package let exposed: String
        package init(_ text: String) { self.exposed = text }
        package var description: String { "<redacted>" }
        package var debugDescription: String { "<redacted>" }
        package var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// Whether an extension of the protocol is used.
    package enum Use: Sendable {
        /// Where the provider asks for it (RFC 9126) or offers it (RFC 9449).
        case auto
        case required
        case off
    }

    package struct AccessTokens: Sendable, Equatable {
        package var audience: String
        /// Asks the provider (RFC 7662) instead of reading the token.
        package var introspects: Bool
        /// All of these must be granted.
        package var scopes: [String]
        package init(audience: String, introspects: Bool = false, scopes: [String] = []) {
            self.audience = audience
            self.introspects = introspects
            self.scopes = scopes
        }
    }

    /// What fills the templates.
    package struct Site: Sendable {
        package var issuer, baseURL, tenant, realm, apiVersion: String?
        package init(
            issuer: String? = nil, baseURL: String? = nil, tenant: String? = nil, realm: String? = nil, apiVersion: String? = nil
        ) {
            self.issuer = issuer
            self.baseURL = baseURL
            self.tenant = tenant
            self.realm = realm
            self.apiVersion = apiVersion
        }
    }

    /// As the configuration writes it.
    package var id: String
    package var displayName: String
    package var kind: ProviderPreset.Kind
    /// OpenID Connect: the issuer, byte for byte. OAuth 2.0: nil unless the configuration names one.
    package var issuer: String?
    package var issuerAliases: [String]
    /// One issuer for each tenant instead of `issuer` alone; nil: `issuer` it is.
    package var tenantIssuers: TenantIssuers?
    /// OAuth 2.0: what an authorization response may carry as `iss`; empty: not known, not compared.
    package var responseIssuers: [String]
    /// OAuth 2.0: the base URL that identities of this provider belong to, no slash at its end; nil: the token endpoint's origin.
    package var baseURL: String?
    package var endpoints: ProviderPreset.Endpoints
    package var clientID: String
    package var clientSecret: Secret?
    /// PEM of the key that signs client assertions.
    package var privateKey: Secret?
    package var keyID: String?
    /// The team that owns the key, where client secrets are signed.
    package var teamID: String?
    /// nil: what discovery lists, else `client_secret_basic`.
    package var clientAuthentication: ProviderPreset.ClientAuthentication?
    package var responseMode: ProviderPreset.ResponseMode
    package var additionalAudiences: [String] = []
    /// nil: the asymmetric ones of discovery's list, RS256 if it lists none.
    package var idTokenAlgorithms: [String]?
    /// Base scopes, then the configured ones that are not among them, each once.
    package var scopes: [String]
    package var scopeSeparator: String
    /// Sent with each authorization request, in this order; a reserved name is never among them.
    package var parameters: [(name: String, value: String)]
    /// Names a browser may pass on `/login`.
    package var requestParameters: [String] = []
    package var reserved: ReservedParameters
    /// Whether userinfo is asked after the ID token is verified. OAuth 2.0 always asks.
    package var usesUserinfo = true
    package var apiHeaders: [(name: String, value: String)]
    package var claims: ProviderPreset.ClaimMapping
    package var email: ProviderPreset.EmailSemantics
    package var trustEmail = false
    package var readsLooseBooleans: Bool
    package var nonce: ProviderPreset.NoncePolicy
    package var admission: ProviderPreset.Admission
    package var enforcedParameters: [ProviderPreset.EnforcedParameter]
    package var habits: ProviderHabits
    package var groupRules = GroupRules()
    package var pushedAuthorization = Use.auto
    package var dpop = Use.auto
    /// Access tokens that bearer requests may bring; nil: ID tokens only.
    package var accessTokens: AccessTokens?
    /// Where the provider sends the browser back, absolute, without fragment (RFC 6749 section 3.1.2).
    package var redirectURI: String

    /// The preset at a site, before the rest of the configuration. `redirectBase`: origin and path prefix, no slash at the end.
    package init(id: String, preset: ProviderPreset, site: Site, clientID: String, redirectBase: String) {
        let base = (site.baseURL ?? preset.baseURL).map(Self.withoutTrailingSlash)
        func filled(_ template: String?) -> String? {
            template.map { Self.fill($0, base: base, site: site) }
        }
        let isSelfHosted = base != preset.baseURL
        let endpoints = isSelfHosted ? preset.selfHostedEndpoints ?? preset.endpoints : preset.endpoints
        self.id = id
        self.displayName = preset.displayName
        self.kind = preset.kind
        self.issuer = site.issuer ?? (preset.kind == .oidc ? filled(preset.issuer) : nil)
        self.issuerAliases = site.issuer == nil && site.baseURL == nil ? preset.issuerAliases : []
        if preset.habits.hasTenantIssuers, site.issuer == nil, let base, let tenant = site.tenant {
            self.tenantIssuers = TenantIssuers(authority: base, tenant: tenant)
        }
        self.responseIssuers =
            preset.kind == .oauth2 && !preset.responseIssuers.isEmpty
            ? [base].compactMap { $0 } + preset.responseIssuers.compactMap(filled) : []
        self.baseURL = preset.baseURL != nil || preset.requires.contains(.baseURL) ? base : nil
        self.endpoints = ProviderPreset.Endpoints(
            authorization: filled(endpoints.authorization), token: filled(endpoints.token), userinfo: filled(endpoints.userinfo),
            jwks: filled(endpoints.jwks), endSession: filled(endpoints.endSession), revocation: filled(endpoints.revocation))
        self.clientID = clientID
        self.clientAuthentication = preset.clientAuthentication
        self.responseMode = preset.responseMode
        self.idTokenAlgorithms = preset.idTokenAlgorithms
        self.scopes = preset.baseScopes
        self.scopeSeparator = preset.scopeSeparator
        self.parameters = preset.defaultParameters
        self.reserved = ReservedParameters()
        self.apiHeaders = preset.apiHeaders
        self.claims = preset.claims
        self.email = preset.email
        self.readsLooseBooleans = preset.readsLooseBooleans
        self.nonce = preset.nonce
        self.admission = preset.admission
        self.enforcedParameters = preset.enforcedParameters
        self.habits = preset.habits
        self.habits.groupClaims = preset.habits.groupClaims.map { claim in
            ProviderHabits.GroupClaim(
                path: Self.replacing("{client}", in: claim.path, with: clientID),
                prefix: Self.replacing("{client}", in: claim.prefix, with: clientID))
        }
        self.redirectURI = Self.redirectURI(for: id, redirectBase: redirectBase)
    }

    /// The redirect URI to register for a provider: `{publicURL}{pathPrefix}/callback/{id, a slash as ~}`.
    package static func redirectURI(for id: String, redirectBase: String) -> String {
        "\(redirectBase)/callback/\(ProviderID.urlForm(of: id))"
    }

    /// The issuer that identities of this provider carry when no ID token names one (contract section 4, "uid").
    package var identityIssuer: String {
        if self.kind == .oidc, let issuer { return issuer }
        if let baseURL { return baseURL }
        guard let token = self.endpoints.token, let url = try? WebURL(parsing: token) else { return self.id }
        return url.origin
    }

    /// Where the metadata is (OpenID Connect Discovery 1.0 section 4.1: appended to the issuer, one trailing slash removed).
    ///
    /// nil: plain OAuth 2.0, or authorization, token and key endpoints are all configured.
    package var discoveryURL: String? {
        guard self.kind == .oidc, let issuer else { return nil }
        if self.endpoints.authorization != nil, self.endpoints.token != nil, self.endpoints.jwks != nil { return nil }
        return Self.withoutTrailingSlash(issuer) + "/.well-known/openid-configuration"
    }

    /// Whether anyone in the world can pass the sign-in at this provider.
    package var admitsAnyone: Bool {
        switch self.admission {
        case .anyone: return true
        case .anyoneWithoutParameter(let name): return !self.parameters.contains { $0.name == name && !$0.value.isEmpty && $0.value != "*" }
        case .anyoneOnHosts(let hosts):
            guard let site = self.issuer ?? self.baseURL, let url = try? WebURL(parsing: site) else { return false }
            return hosts.contains(url.host)
        case .anyoneInTenants: return self.tenantIssuers?.isForEveryone ?? false
        case .members: return false
        }
    }

    /// Whether the provider ever calls an address verified.
    package var vouchesForEmail: Bool {
        if self.trustEmail { return true }
        switch self.email {
        case .claim: return self.claims.emailVerified != nil
        case .neverVouched: return false
        case .fromEndpoint: return true
        }
    }

    /// Claims that the ID token must carry because a configured parameter promises them; `*` is any value.
    package var requiredClaims: [(claim: String, value: String)] {
        self.enforcedParameters.compactMap { enforced in
            self.parameters.first { $0.name == enforced.parameter && enforced.concerns($0.value) }.map { (enforced.claim, $0.value) }
        }
    }

    /// Adds scopes in order, each once.
    package mutating func add(scopes: [String]) {
        for scope in scopes where !self.scopes.contains(scope) { self.scopes.append(scope) }
    }

    /// Sets a parameter: replaces one of the same name, else goes to the end. A reserved name is left out.
    package mutating func set(parameter name: String, to value: String) {
        guard !self.reserved.contains(name) else { return }
        if let index = self.parameters.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
            self.parameters[index] = (name, value)
        } else {
            self.parameters.append((name, value))
        }
    }

    static func withoutTrailingSlash(_ text: String) -> String { text.hasSuffix("/") ? String(text.dropLast()) : text }

    /// The list of addresses, its template filled in with the userinfo endpoint that is in force.
    package func emailEndpoint(userinfo: String) -> ProviderPreset.EmailEndpoint? {
        guard case .fromEndpoint(var endpoint) = self.email else { return nil }
        endpoint.url = Self.replacing("{userinfo}", in: endpoint.url, with: String(userinfo.prefix { $0 != "?" }))
        return endpoint
    }

    /// Whether a scope is among those asked for.
    package func requestsAny(of scopes: [String]) -> Bool { self.scopes.contains(where: scopes.contains) }

    private static func fill(_ template: String, base: String?, site: Site) -> String {
        var text = template
        let values = [
            ("{base}", base), ("{tenant}", site.tenant), ("{realm}", site.realm), ("{version}", site.apiVersion.map { $0 + "/" } ?? ""),
        ]
        for (name, value) in values {
            guard let value else { continue }
            text = Self.replacing(name, in: text, with: value)
        }
        return text
    }

    /// The first occurrence replaced.
    package static func replacing(_ name: String, in text: String, with value: String) -> String {
        guard let range = text.firstRange(of: name) else { return text }
        var text = text
        text.replaceSubrange(range, with: value)
        return text
    }
}

import Primitives

/// A configured provider: its preset combined with the configuration, with every template filled in.
package struct ProviderSettings: Sendable {
    /// A secret of this provider. Its description never shows it.
    package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        package let exposed: String
        package init(_ text: String) { self.exposed = text }
        package var description: String { "<redacted>" }
        package var debugDescription: String { "<redacted>" }
        package var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// True if the gateway uses an extension of the protocol.
    package enum Use: Sendable {
        /// Used if the provider requires it (RFC 9126) or offers it (RFC 9449).
        case auto
        case required
        case off
    }

    package struct AccessTokens: Sendable, Equatable {
        package var audience: String
        /// True if the gateway asks the provider (RFC 7662) instead of reading the token.
        package var introspects: Bool
        /// Scopes that must all be granted.
        package var scopes: [String]
        package init(audience: String, introspects: Bool = false, scopes: [String] = []) {
            self.audience = audience
            self.introspects = introspects
            self.scopes = scopes
        }
    }

    /// The values for the templates.
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

    /// The id as written in the configuration.
    package var id: String
    package var displayName: String
    package var kind: ProviderPreset.Kind
    /// OpenID Connect: the issuer, byte for byte. OAuth 2.0: nil unless configured.
    package var issuer: String?
    package var issuerAliases: [String]
    /// One issuer per tenant; nil if `issuer` is the only one.
    package var tenantIssuers: TenantIssuers?
    /// OAuth 2.0: the values that an authorization response may carry as `iss`; empty if unknown and not compared.
    package var responseIssuers: [String]
    /// OAuth 2.0: the base URL of this provider's identities, without trailing slash; nil uses the token endpoint's origin.
    package var baseURL: String?
    package var endpoints: ProviderPreset.Endpoints
    package var clientID: String
    package var clientSecret: Secret?
    /// The key that signs client assertions, in PEM format.
    package var privateKey: Secret?
    package var keyID: String?
    /// The team that owns the key, for signed client secrets.
    package var teamID: String?
    /// Nil uses discovery, or else `client_secret_basic`.
    package var clientAuthentication: ProviderPreset.ClientAuthentication?
    package var responseMode: ProviderPreset.ResponseMode
    package var additionalAudiences: [String] = []
    /// Nil for the asymmetric algorithms that discovery lists, or RS256 if it lists none.
    package var idTokenAlgorithms: [String]?
    /// The base scopes, then the other configured ones, without duplicates.
    package var scopes: [String]
    package var scopeSeparator: String
    /// Parameters of every authorization request, in this order; never a reserved name.
    package var parameters: [(name: String, value: String)]
    /// The values of `prompt` that the provider documents; nil if it documents none.
    private let prompt: ProviderPreset.Parameter?
    /// The names that a browser may pass on `/login`.
    package var requestParameters: [String] = []
    package var reserved: ReservedParameters
    /// True if userinfo is called after the ID token is verified. OAuth 2.0 always calls it.
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
    /// Access tokens that bearer requests may carry; nil for ID tokens only.
    package var accessTokens: AccessTokens?
    /// The absolute address that the provider redirects the browser to, without fragment (RFC 6749 section 3.1.2).
    package var redirectURI: String

    /// Creates settings from the preset, before the rest of the configuration. `redirectBase` is the origin and path prefix,
    /// without trailing slash.
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
        self.prompt = preset.parameter(named: "prompt")
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

    /// The redirect URI to register with a provider: `{publicURL}{pathPrefix}/callback/{id with ~ for a slash}`.
    package static func redirectURI(for id: String, redirectBase: String) -> String {
        "\(redirectBase)/callback/\(ProviderID.urlForm(of: id))"
    }

    /// The issuer of this provider's identities if no ID token names one (contract section 4, "uid").
    package var identityIssuer: String {
        if self.kind == .oidc, let issuer { return issuer }
        if let baseURL { return baseURL }
        guard let token = self.endpoints.token, let url = AbsoluteURL(token) else { return self.id }
        return url.origin.text
    }

    /// The address of the metadata (OpenID Connect Discovery 1.0 section 4.1: appended to the issuer without its trailing slash).
    ///
    /// Nil for plain OAuth 2.0, and if authorization, token and key endpoints are all configured.
    package var discoveryURL: String? {
        guard self.kind == .oidc, let issuer else { return nil }
        if self.endpoints.authorization != nil, self.endpoints.token != nil, self.endpoints.jwks != nil { return nil }
        return Self.withoutTrailingSlash(issuer) + "/.well-known/openid-configuration"
    }

    /// True if anyone can sign in with this provider.
    package var admitsAnyone: Bool {
        switch self.admission {
        case .anyone: return true
        case .anyoneWithoutParameter(let name): return !self.parameters.contains { $0.name == name && !$0.value.isEmpty && $0.value != "*" }
        case .anyoneOnHosts(let hosts):
            guard let site = self.issuer ?? self.baseURL, let url = AbsoluteURL(site) else { return false }
            return hosts.contains(url.host)
        case .anyoneInTenants: return self.tenantIssuers?.isForEveryone ?? false
        case .members: return false
        }
    }

    /// True if the provider ever marks an address as verified.
    package var vouchesForEmail: Bool {
        if self.trustEmail { return true }
        switch self.email {
        case .claim: return self.claims.emailVerified != nil
        case .neverVouched: return false
        case .fromEndpoint: return true
        }
    }

    /// Claims that the ID token must contain to confirm a configured parameter; `*` matches any value.
    package var requiredClaims: [(claim: String, value: String)] {
        self.enforcedParameters.compactMap { enforced in
            self.parameters.first { $0.name == enforced.parameter && enforced.concerns($0.value) }.map { (enforced.claim, $0.value) }
        }
    }

    /// Adds scopes in order, without duplicates.
    package mutating func add(scopes: [String]) {
        for scope in scopes where !self.scopes.contains(scope) { self.scopes.append(scope) }
    }

    /// Returns the `prompt` that lets the user choose an account, without weakening a configured one: `login` and `consent` stay. Nil if the
    /// provider documents no such value, or if `prompt` is reserved.
    package func accountPrompt(beside configured: String? = nil) -> String? {
        guard let prompt, !self.reserved.contains("prompt"), let choice = ["select_account", "login"].first(where: prompt.accepts) else {
            return nil
        }
        let kept = (configured ?? "").split(separator: " ").map(String.init).filter { ["login", "consent"].contains($0) }
        // `login` asks for more than `select_account`, and lets the user change the account too.
        guard !kept.contains("login") else { return kept.joined(separator: " ") }
        let combined = (kept + [choice]).joined(separator: " ")
        return prompt.accepts(combined) ? combined : choice
    }

    /// The parameters that ask for the user's credentials even if the provider has a session: `prompt=login` where the provider documents
    /// it, and `max_age=0` (OpenID Connect Core 1.0 section 3.1.2.1). Reserved names are left out.
    package var freshSignInParameters: [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        if let prompt, prompt.accepts("login") {
            parameters.append(("prompt", "login"))
        } else if let choice = self.accountPrompt() {
            parameters.append(("prompt", choice))
        }
        if self.kind == .oidc { parameters.append((MaxAge.parameter, "0")) }
        return parameters.filter { !self.reserved.contains($0.name) }
    }

    /// Sets a parameter, replacing one with the same name. Ignores reserved names.
    package mutating func set(parameter name: String, to value: String) {
        guard !self.reserved.contains(name) else { return }
        if let index = self.parameters.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
            self.parameters[index] = (name, value)
        } else {
            self.parameters.append((name, value))
        }
    }

    static func withoutTrailingSlash(_ text: String) -> String { text.hasSuffix("/") ? String(text.dropLast()) : text }

    /// The list of addresses, with its template filled in from the effective userinfo endpoint.
    package func emailEndpoint(userinfo: String) -> ProviderPreset.EmailEndpoint? {
        guard case .fromEndpoint(var endpoint) = self.email else { return nil }
        endpoint.url = Self.replacing("{userinfo}", in: endpoint.url, with: String(userinfo.prefix { $0 != "?" }))
        return endpoint
    }

    /// Returns whether one of the scopes is requested.
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

    /// Replaces the first occurrence.
    package static func replacing(_ name: String, in text: String, with value: String) -> String {
        guard let range = text.firstRange(of: name) else { return text }
        var text = text
        text.replaceSubrange(range, with: value)
        return text
    }
}

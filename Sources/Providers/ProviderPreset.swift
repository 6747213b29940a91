/// The built-in knowledge about an identity provider: endpoints, scopes, parameters, claims, quirks.
///
/// A preset is data. Templates in URLs are `{base}`, `{tenant}`, `{realm}` and `{version}` (with its slash); `ProviderSettings`
/// fills them in.
package struct ProviderPreset: Sendable {
    package enum Kind: String, Sendable { case oidc, oauth2 }

    package enum ClientAuthentication: String, Sendable, CaseIterable {
        case basic = "client_secret_basic"
        case post = "client_secret_post"
        case privateKeyJWT = "private_key_jwt"
        case none
    }

    package enum ResponseMode: String, Sendable { case query, formPost = "form_post" }

    /// True if the provider returns the nonce of the authorization request in the ID token.
    package enum NoncePolicy: String, Sendable {
        /// Sent; an ID token without the same nonce is rejected.
        case required
        /// Sent; a missing nonce is accepted, a different one rejected. For providers known not to echo it.
        case ifPresent
        /// Not sent. Plain OAuth 2.0 has no nonce.
        case unsupported
    }

    /// The way in which a provider states that an address belongs to the user.
    package enum EmailSemantics: Sendable, Equatable {
        /// The claim that `claims.emailVerified` names.
        case claim
        /// Never: every address counts as unverified.
        case neverVouched
        /// A second endpoint that lists addresses with their state.
        case fromEndpoint(EmailEndpoint)
    }

    /// A separate endpoint with a list of the user's addresses.
    package struct EmailEndpoint: Sendable, Equatable {
        /// `{userinfo}` is the userinfo endpoint.
        package var url: String
        /// The member that contains the list; nil if the response is the list.
        package var list: String?
        package var address: String
        package var primary: String
        package var verified: String
    }

    /// The users who can sign in with a provider.
    package enum Admission: Sendable, Equatable {
        /// Anyone can create an account.
        case anyone
        /// Anyone, unless this authorization parameter is configured.
        case anyoneWithoutParameter(String)
        /// Anyone on these public hosts; a self-hosted server has its own members.
        case anyoneOnHosts([String])
        /// Anyone, unless the configured tenant is a single directory.
        case anyoneInTenants
        /// The members of the organisation that runs it.
        case members
    }

    package struct Parameter: Sendable, Equatable {
        package var name: String
        /// The documented values; nil for any text.
        package var values: [String]?
        /// True if the value is a space-separated list of `values`.
        package var isList: Bool
        package var summary: String

        package init(_ name: String, _ values: [String], list: Bool = false, _ summary: String) {
            self.name = name
            self.values = values
            self.isList = list
            self.summary = summary
        }

        /// Creates a parameter that accepts any text.
        package init(_ name: String, _ summary: String) {
            self.name = name
            self.values = nil
            self.isList = false
            self.summary = summary
        }
    }

    /// URLs or URL templates; nil if the provider has none, or discovery provides it.
    package struct Endpoints: Sendable, Equatable {
        package var authorization, token, userinfo, jwks, endSession, revocation: String?
        /// RFC 7662 and RFC 9126: from the configuration or discovery.
        package var introspection, pushedAuthorization: String?
        package init(
            authorization: String? = nil, token: String? = nil, userinfo: String? = nil, jwks: String? = nil, endSession: String? = nil,
            revocation: String? = nil
        ) {
            self.authorization = authorization
            self.token = token
            self.userinfo = userinfo
            self.jwks = jwks
            self.endSession = endSession
            self.revocation = revocation
        }
    }

    /// Claim paths (members joined with dots) by field; nil if the provider has no such claim.
    package struct ClaimMapping: Sendable, Equatable {
        package var subject: String
        package var email, emailVerified, username, name, picture, locale, groups: String?
        package init(
            subject: String, email: String? = nil, emailVerified: String? = nil, username: String? = nil, name: String? = nil,
            picture: String? = nil, locale: String? = nil, groups: String? = nil
        ) {
            self.subject = subject
            self.email = email
            self.emailVerified = emailVerified
            self.username = username
            self.name = name
            self.picture = picture
            self.locale = locale
            self.groups = groups
        }
        /// OpenID Connect Core 1.0 section 5.1, and the usual `groups`.
        package static let openID = ClaimMapping(
            subject: "sub", email: "email", emailVerified: "email_verified", username: "preferred_username", name: "name",
            picture: "picture", locale: "locale", groups: "groups")
    }

    /// Required settings: without them the preset has no address, or no way to authenticate.
    package enum Requirement: String, Sendable { case issuer, baseURL, realm, tenant, endpoints, privateKey }

    /// A parameter that restricts who signs in, and the claim of the ID token that must confirm it.
    package struct EnforcedParameter: Sendable, Equatable {
        package enum Values: Sendable, Equatable {
            case all
            case withPrefix(String)
            case withoutPrefix(String)
        }
        package var parameter: String
        package var claim: String
        /// The values of the parameter that the claim confirms.
        package var values = Values.all

        package init(_ parameter: String, claim: String, values: Values = .all) {
            self.parameter = parameter
            self.claim = claim
            self.values = values
        }

        func concerns(_ value: String) -> Bool {
            switch self.values {
            case .all: !value.isEmpty
            case .withPrefix(let prefix): value.hasPrefix(prefix)
            case .withoutPrefix(let prefix): !value.isEmpty && !value.hasPrefix(prefix)
            }
        }
    }

    package var id: String
    package var displayName: String
    package var kind: Kind
    /// OpenID Connect: the issuer, byte for byte, or its template. Nil if the configuration names it.
    package var issuer: String?
    /// Other `iss` values in ID tokens that mean the same issuer.
    package var issuerAliases: [String] = []
    /// The `iss` values that plain OAuth 2.0 authorization responses may carry besides the base URL (RFC 9207).
    package var responseIssuers: [String] = []
    package var baseURL: String?
    package var requires: [Requirement] = []
    package var endpoints = Endpoints()
    /// The endpoints at other base URLs than the preset's own (an enterprise server).
    package var selfHostedEndpoints: Endpoints?
    /// Scopes that are always requested, in this order.
    package var baseScopes: [String]
    package var scopeSeparator = " "
    /// True if the provider's console fixes the granted scopes, which the requested scopes must equal.
    package var scopesMustMatchConsole = false
    /// Documented scopes; empty if unknown, so that any scope is accepted.
    package var knownScopes: [String] = []
    /// Nil uses discovery, or else `client_secret_basic` (OpenID Connect Discovery 1.0 section 3).
    package var clientAuthentication: ClientAuthentication?
    /// True if a client without secret and without private key is rejected.
    package var needsSecret = true
    /// Documented parameters of the authorization request, except the reserved ones.
    package var parameters: [Parameter]
    /// Parameters that restrict who signs in. The ID token's claim must equal the parameter's value, because the user can
    /// change what the browser sends.
    package var enforcedParameters: [EnforcedParameter] = []
    /// Parameters that are sent unless the configuration sets the same name.
    package var defaultParameters: [(name: String, value: String)] = []
    package var claims: ClaimMapping
    package var email: EmailSemantics
    /// True if `"true"`, `"1"` and `1` count as true.
    package var readsLooseBooleans = false
    package var admission: Admission
    package var responseMode = ResponseMode.query
    package var nonce: NoncePolicy
    /// JWS `alg` names; nil for the asymmetric ones that discovery lists.
    package var idTokenAlgorithms: [String]?
    /// Headers of calls to userinfo and e-mail endpoints.
    package var apiHeaders: [(name: String, value: String)] = []
    /// The steps to register the gateway; `{redirectURI}` stands for the redirect URI.
    package var consoleSteps: [String]
    /// Deviations from the standards, for the documentation.
    package var quirks: [String] = []
    /// Deviations from the standards, for the code.
    package var habits = ProviderHabits()

    /// A preset for OpenID Connect, with everything from discovery.
    package static func openID(
        _ id: String, _ displayName: String, issuer: String? = nil, requires: [Requirement] = [], admission: Admission,
        scopes: [String] = ["openid", "profile", "email"], parameters: [Parameter] = [], consoleSteps: [String]
    ) -> ProviderPreset {
        ProviderPreset(
            id: id, displayName: displayName, kind: .oidc, issuer: issuer, requires: requires, baseScopes: scopes,
            parameters: Parameter.merged(parameters, over: Parameter.openID), claims: .openID, email: .claim, admission: admission,
            nonce: .required, consoleSteps: consoleSteps)
    }

    /// A preset for plain OAuth 2.0, with fixed endpoints and the user from an API.
    package static func oauth2(
        _ id: String, _ displayName: String, baseURL: String?, endpoints: Endpoints, admission: Admission, scopes: [String],
        parameters: [Parameter] = [], claims: ClaimMapping, email: EmailSemantics, consoleSteps: [String]
    ) -> ProviderPreset {
        ProviderPreset(
            id: id, displayName: displayName, kind: .oauth2, baseURL: baseURL, endpoints: endpoints, baseScopes: scopes,
            parameters: parameters, claims: claims, email: email, admission: admission, nonce: .unsupported, consoleSteps: consoleSteps)
    }

    /// The documented parameter with exactly this name.
    package func parameter(named name: String) -> Parameter? { self.parameters.first { $0.name == name } }
}

extension ProviderPreset.Parameter {
    /// The parameters of OpenID Connect Core 1.0 sections 3.1.2.1 and 5.5, and `prompt=create` of Initiating User Registration.
    package static let openID: [ProviderPreset.Parameter] = [
        .init("prompt", ["none", "login", "consent", "select_account", "create"], list: true, "pages that the provider must show"),
        .init("login_hint", "address or name to fill in"),
        .init("max_age", "seconds since the last active sign-in, after which the user must sign in again"),
        .init("ui_locales", "preferred languages of the pages: BCP 47 tags separated by spaces"),
        .init("claims_locales", "preferred languages of the claims"),
        .init("acr_values", "requested authentication context classes"),
        .init("display", ["page", "popup", "touch", "wap"], "how the provider shows its pages"),
        .init("claims", "JSON object that requests individual claims"),
    ]

    /// Returns `own`, followed by those of `general` that `own` does not name.
    static func merged(_ own: [ProviderPreset.Parameter], over general: [ProviderPreset.Parameter]) -> [ProviderPreset.Parameter] {
        own + general.filter { candidate in !own.contains { $0.name == candidate.name } }
    }

    /// Returns whether the provider documents this value.
    package func accepts(_ value: String) -> Bool {
        guard let values else { return true }
        guard isList else { return values.contains(value) }
        let items = value.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return !items.isEmpty && items.allSatisfy(values.contains)
    }
}

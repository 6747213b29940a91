/// What is known about one identity provider before any configuration: endpoints, scopes, parameters, claims, habits.
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

    /// Whether the provider returns the nonce of the authorization request in the ID token.
    package enum NoncePolicy: String, Sendable {
        /// Sent; an ID token without the same one is refused.
        case required
        /// Sent; a missing one passes, a different one is refused. For providers known not to echo it.
        case ifPresent
        /// Not sent. Plain OAuth 2.0 has none.
        case unsupported
    }

    /// Who says that an address belongs to the person.
    package enum EmailSemantics: Sendable, Equatable {
        /// The claim that `claims.emailVerified` names.
        case claim
        /// Nobody: every address counts as unverified.
        case neverVouched
        /// A second endpoint that lists addresses with their state.
        case fromEndpoint(EmailEndpoint)
    }

    /// A list of the person's addresses at an endpoint of its own.
    package struct EmailEndpoint: Sendable, Equatable {
        /// `{userinfo}` is the userinfo endpoint.
        package var url: String
        /// The member that holds the list; nil when the answer is the list.
        package var list: String?
        package var address: String
        package var primary: String
        package var verified: String
    }

    /// Who can sign in there.
    package enum Admission: Sendable, Equatable {
        /// Anyone in the world can make an account.
        case anyone
        /// Anyone, unless this authorization parameter is configured.
        case anyoneWithoutParameter(String)
        /// Anyone on these public hosts; a self-hosted one has its own members.
        case anyoneOnHosts([String])
        /// Anyone, unless the configured tenant is a single directory.
        case anyoneInTenants
        /// Those whom the organisation that runs it lets in.
        case members
    }

    package struct Parameter: Sendable, Equatable {
        package var name: String
        /// What the provider documents; nil: any text.
        package var values: [String]?
        /// The value is a space-separated list of `values`.
        package var isList: Bool
        package var summary: String

        package init(_ name: String, _ values: [String], list: Bool = false, _ summary: String) {
            self.name = name
            self.values = values
            self.isList = list
            self.summary = summary
        }

        /// Any text is a value.
        package init(_ name: String, _ summary: String) {
            self.name = name
            self.values = nil
            self.isList = false
            self.summary = summary
        }
    }

    /// URLs or URL templates; nil: the provider has none, or discovery tells.
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

    /// Claim paths (members joined with dots) by field; nil: the provider has no such claim.
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

    /// Settings without which the preset has no address to go to, or no way to authenticate.
    package enum Requirement: String, Sendable { case issuer, baseURL, realm, tenant, endpoints, privateKey }

    /// A parameter that promises who signs in, and the ID token's claim that must keep the promise.
    package struct EnforcedParameter: Sendable, Equatable {
        package enum Values: Sendable, Equatable {
            case all
            case withPrefix(String)
            case withoutPrefix(String)
        }
        package var parameter: String
        package var claim: String
        /// Which values of the parameter the claim is about.
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
    /// OpenID Connect: the issuer, byte for byte, or its template. nil: the configuration names it.
    package var issuer: String?
    /// The `iss` values in ID tokens that mean the same issuer, besides the issuer itself.
    package var issuerAliases: [String] = []
    /// RFC 9207: what plain OAuth 2.0 authorization responses may carry as `iss`, besides the base URL.
    package var responseIssuers: [String] = []
    package var baseURL: String?
    package var requires: [Requirement] = []
    package var endpoints = Endpoints()
    /// The endpoints at any other base URL than the preset's own (an enterprise server).
    package var selfHostedEndpoints: Endpoints?
    /// Always requested, in this order.
    package var baseScopes: [String]
    package var scopeSeparator = " "
    /// The granted scopes are fixed in the provider's console and must equal the requested ones.
    package var scopesMustMatchConsole = false
    /// Scopes the provider documents; empty: not listed, any scope may be right.
    package var knownScopes: [String] = []
    /// nil: discovery tells, else `client_secret_basic` (OpenID Connect Discovery 1.0 section 3).
    package var clientAuthentication: ClientAuthentication?
    /// Whether a client without secret and without private key is refused.
    package var needsSecret = true
    /// Documented authorization-request parameters besides the reserved ones.
    package var parameters: [Parameter]
    /// Configured parameters that are a promise about who signs in: the ID token's claim must be the parameter's value. The
    /// person can change what the browser sends, so the parameter alone proves nothing.
    package var enforcedParameters: [EnforcedParameter] = []
    /// Sent unless the configuration sets the same name.
    package var defaultParameters: [(name: String, value: String)] = []
    package var claims: ClaimMapping
    package var email: EmailSemantics
    /// `"true"`, `"1"` and `1` count as true, for providers that send such.
    package var readsLooseBooleans = false
    package var admission: Admission
    package var responseMode = ResponseMode.query
    package var nonce: NoncePolicy
    /// JWS `alg` names; nil: what discovery lists, asymmetric ones only.
    package var idTokenAlgorithms: [String]?
    /// Header fields of calls to userinfo and e-mail endpoints.
    package var apiHeaders: [(name: String, value: String)] = []
    /// How to register the gateway there; `{redirectURI}` stands for the redirect URI.
    package var consoleSteps: [String]
    /// What differs from the standards, for people.
    package var quirks: [String] = []
    /// What differs from the standards, for the engine.
    package var habits = ProviderHabits()

    /// A preset of OpenID Connect habits: everything from discovery.
    package static func openID(
        _ id: String, _ displayName: String, issuer: String? = nil, requires: [Requirement] = [], admission: Admission,
        scopes: [String] = ["openid", "profile", "email"], parameters: [Parameter] = [], consoleSteps: [String]
    ) -> ProviderPreset {
        ProviderPreset(
            id: id, displayName: displayName, kind: .oidc, issuer: issuer, requires: requires, baseScopes: scopes,
            parameters: Parameter.merged(parameters, over: Parameter.openID), claims: .openID, email: .claim, admission: admission,
            nonce: .required, consoleSteps: consoleSteps)
    }

    /// A preset of plain OAuth 2.0: endpoints by hand, the person from an API.
    package static func oauth2(
        _ id: String, _ displayName: String, baseURL: String?, endpoints: Endpoints, admission: Admission, scopes: [String],
        parameters: [Parameter] = [], claims: ClaimMapping, email: EmailSemantics, consoleSteps: [String]
    ) -> ProviderPreset {
        ProviderPreset(
            id: id, displayName: displayName, kind: .oauth2, baseURL: baseURL, endpoints: endpoints, baseScopes: scopes,
            parameters: parameters, claims: claims, email: email, admission: admission, nonce: .unsupported, consoleSteps: consoleSteps)
    }

    /// The documented parameter of that exact name.
    package func parameter(named name: String) -> Parameter? { self.parameters.first { $0.name == name } }
}

extension ProviderPreset.Parameter {
    /// OpenID Connect Core 1.0 sections 3.1.2.1 and 5.5, RP-Initiated Registration's `prompt=create` included.
    package static let openID: [ProviderPreset.Parameter] = [
        .init("prompt", ["none", "login", "consent", "select_account", "create"], list: true, "which pages the provider must show"),
        .init("login_hint", "the address or name to fill in"),
        .init("max_age", "seconds since the last active sign-in, beyond which the person signs in again"),
        .init("ui_locales", "preferred languages of the pages, BCP 47 tags separated by spaces"),
        .init("claims_locales", "preferred languages of the claims"),
        .init("acr_values", "requested authentication context classes"),
        .init("display", ["page", "popup", "touch", "wap"], "how the provider shows its pages"),
        .init("claims", "a JSON object that asks for single claims"),
    ]

    /// `own` first; of `general` those that `own` does not name.
    static func merged(_ own: [ProviderPreset.Parameter], over general: [ProviderPreset.Parameter]) -> [ProviderPreset.Parameter] {
        own + general.filter { candidate in !own.contains { $0.name == candidate.name } }
    }

    /// Whether the provider documents this value.
    package func accepts(_ value: String) -> Bool {
        guard let values else { return true }
        guard isList else { return values.contains(value) }
        let items = value.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return !items.isEmpty && items.allSatisfy(values.contains)
    }
}

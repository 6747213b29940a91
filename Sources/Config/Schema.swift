/// The type of a value, by its form in the file.
package indirect enum ValueType: Sendable {
    case scalar(ScalarType)
    case list(of: ValueType)
    /// A mapping with fixed keys.
    case mapping(ShapeName)
    /// A mapping with keys that the user chooses, each with a value of one type. `keys` describes a key in messages.
    case map(of: ValueType, keys: String)
    /// The first type whose form matches.
    case anyOf([ValueType])

    /// One value, or a list of values.
    static func oneOrMany(_ scalar: ScalarType) -> ValueType { .anyOf([.scalar(scalar), .list(of: .scalar(scalar))]) }
}

/// The mappings with fixed keys. Named, because access rules contain access rules.
package enum ShapeName: String, Sendable, CaseIterable {
    case root
    case server
    case limits
    case timeouts
    case tls
    case tlsCertificate
    case clientCertificates
    case admin
    case authorization
    case provider
    case endpoints
    case claims
    case providerGroups
    case passwordProvider
    case anonymousProvider
    case session
    case sessionStore
    case cookie
    case identity
    case assertion
    case route
    case access
    case logging
    case pages
    case pageTemplates
    case pageLinks
    case upstream
    case upstreamTLS
    case health
    case ejection
    case requestHeaders
    case responseHeaders
    case respond
    case redirect
    case cors
    case routeTimeouts
    case routeLimits
    case webSockets
    case accessTokens
    case bearer
    case exchange
    case accounts
    case hooks
    case hook
    case secondFactor
    case textMessages
    case mail
    case accessLog
    case audit

    package var keys: [Key] {
        switch self {
        case .root: Schema.root
        case .server: Schema.server
        case .limits: Schema.limits
        case .timeouts: Schema.timeouts
        case .tls: Schema.tls
        case .tlsCertificate: Schema.tlsCertificate
        case .clientCertificates: Schema.clientCertificates
        case .admin: Schema.admin
        case .authorization: Schema.authorization
        case .upstream: Schema.upstream
        case .upstreamTLS: Schema.upstreamTLS
        case .health: Schema.health
        case .ejection: Schema.ejection
        case .provider: Schema.provider
        case .endpoints: Schema.endpoints
        case .claims: Schema.claims
        case .providerGroups: Schema.providerGroups
        case .passwordProvider: Schema.passwordProvider
        case .anonymousProvider: Schema.anonymousProvider
        case .session: Schema.session
        case .sessionStore: Schema.sessionStore
        case .cookie: Schema.cookie
        case .identity: Schema.identity
        case .assertion: Schema.assertion
        case .route: Schema.route
        case .access: Schema.access
        case .logging: Schema.logging
        case .pages: Schema.pages
        case .pageTemplates: Schema.pageTemplates
        case .pageLinks: Schema.pageLinks
        case .requestHeaders: Schema.requestHeaders
        case .responseHeaders: Schema.responseHeaders
        case .respond: Schema.respond
        case .redirect: Schema.redirect
        case .routeTimeouts: Schema.routeTimeouts
        case .routeLimits: Schema.routeLimits
        case .webSockets: Schema.webSockets
        case .cors: Schema.cors
        case .accessTokens: Schema.accessTokens
        case .bearer: Schema.bearer
        case .exchange: Schema.exchange
        case .accounts: Schema.accounts
        case .hooks: Schema.hooks
        case .hook: Schema.hook
        case .secondFactor: Schema.secondFactor
        case .textMessages: Schema.textMessages
        case .mail: Schema.mail
        case .accessLog: Schema.accessLog
        case .audit: Schema.audit
        }
    }

    /// The place of the mapping in messages; nil for the whole file.
    package var place: String? {
        switch self {
        case .root: nil
        case .server: "server"
        case .limits: "server.limits"
        case .timeouts: "server.timeouts"
        case .tls: "server.tls"
        case .tlsCertificate: "server.tls.certificates[]"
        case .clientCertificates: "server.tls.clientCertificates"
        case .admin: "admin"
        case .authorization: "authorization"
        case .upstream: "upstream"
        case .upstreamTLS: "upstream.tls"
        case .health: "upstream.health"
        case .ejection: "upstream.ejection"
        case .provider: "providers[]"
        case .endpoints: "providers[].endpoints"
        case .claims: "providers[].claims"
        case .providerGroups: "providers[].groups"
        case .passwordProvider: "providers[password]"
        case .anonymousProvider: "providers[anonymous]"
        case .session: "session"
        case .sessionStore: "session.store"
        case .cookie: "session.cookie"
        case .identity: "identity"
        case .assertion: "identity.assertion"
        case .route: "routes[]"
        case .access: "routes[].access"
        case .logging: "logging"
        case .pages: "pages"
        case .pageTemplates: "pages.templates"
        case .pageLinks: "pages.links"
        case .requestHeaders: "requestHeaders"
        case .responseHeaders: "responseHeaders"
        case .respond: "routes[].respond"
        case .redirect: "routes[].redirect"
        case .routeTimeouts: "routes[].timeouts"
        case .routeLimits: "routes[].limits"
        case .webSockets: "webSockets"
        case .cors: "cors"
        case .accessTokens: "providers[].accessTokens"
        case .bearer: "bearer"
        case .exchange: "session.exchange"
        case .accounts: "accounts"
        case .hooks: "accounts.hooks"
        case .hook: "accounts.mergeHook"
        case .secondFactor: "secondFactor"
        case .textMessages: "secondFactor.phone"
        case .mail: "mail"
        case .accessLog: "logging.access"
        case .audit: "audit"
        }
    }
}

extension ShapeName {
    /// The `id` that selects this mapping among the forms of a list's items; nil if any id does.
    var fixedID: String? {
        switch self {
        case .passwordProvider: PasswordProviderConfiguration.id
        case .anonymousProvider: AnonymousProviderConfiguration.id
        default: nil
        }
    }

    /// True for an entry of `providers`, whatever its form.
    package var isProvider: Bool { self == .provider || fixedID != nil }
}

/// A key of the configuration: the only definition of its name, type, default and meaning. Decoding, suggestions,
/// the reference in `docs/` and the JSON Schema all come from here.
package struct Key: Sendable {
    package var name: String
    package var type: ValueType
    package var isRequired: Bool
    /// The default as written in a file; nil if `doc` explains what happens without the key.
    package var fallback: String?
    package var doc: String
    package var example: String?

    init(
        _ name: String, _ type: ValueType, required: Bool = false, fallback: String? = nil, example: String? = nil, _ doc: String
    ) {
        self.name = name
        self.type = type
        self.isRequired = required
        self.fallback = fallback
        self.doc = doc
        self.example = example
    }
}

package enum Schema {}

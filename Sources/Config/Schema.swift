/// What a value may be, where it stands in the file.
package indirect enum ValueType: Sendable {
    case scalar(ScalarType)
    case list(of: ValueType)
    /// Keys of our choosing.
    case mapping(ShapeName)
    /// Keys of the writer's choosing, each with a value of one type. `keys` says what a key is, for messages.
    case map(of: ValueType, keys: String)
    /// The first whose kind of node fits.
    case anyOf([ValueType])

    /// One value, or a list of them.
    static func oneOrMany(_ scalar: ScalarType) -> ValueType { .anyOf([.scalar(scalar), .list(of: .scalar(scalar))]) }
}

/// Every mapping whose keys are ours. Named, because an access rule contains access rules.
package enum ShapeName: String, Sendable, CaseIterable {
    case root, server, limits, timeouts, tls, admin, provider, endpoints, claims, session, cookie, identity, assertion, route, access,
        logging, accessTokens, bearer, exchange, routeTokens

    package var keys: [Key] {
        switch self {
        case .root: Schema.root
        case .server: Schema.server
        case .limits: Schema.limits
        case .timeouts: Schema.timeouts
        case .tls: Schema.tls
        case .admin: Schema.admin
        case .provider: Schema.provider
        case .endpoints: Schema.endpoints
        case .claims: Schema.claims
        case .session: Schema.session
        case .cookie: Schema.cookie
        case .identity: Schema.identity
        case .assertion: Schema.assertion
        case .route: Schema.route
        case .access: Schema.access
        case .logging: Schema.logging
        case .accessTokens: Schema.accessTokens
        case .bearer: Schema.bearer
        case .exchange: Schema.exchange
        case .routeTokens: Schema.routeTokens
        }
    }

    /// Where the mapping stands, as a person would say it; nil for the whole file.
    package var place: String? {
        switch self {
        case .root: nil
        case .server: "server"
        case .limits: "server.limits"
        case .timeouts: "server.timeouts"
        case .tls: "server.tls"
        case .admin: "admin"
        case .provider: "providers[]"
        case .endpoints: "providers[].endpoints"
        case .claims: "providers[].claims"
        case .session: "session"
        case .cookie: "session.cookie"
        case .identity: "identity"
        case .assertion: "identity.assertion"
        case .route: "routes[]"
        case .access: "routes[].access"
        case .logging: "logging"
        case .accessTokens: "providers[].accessTokens"
        case .bearer: "bearer"
        case .exchange: "session.exchange"
        case .routeTokens: "routes[].tokens"
        }
    }
}

/// One key of the configuration: the only place that knows its name, type, default and meaning. Decoding, suggestions,
/// the reference in `docs/` and the JSON Schema all come from here.
package struct Key: Sendable {
    package var name: String
    package var type: ValueType
    package var isRequired: Bool
    /// The default as it would be written; nil when absence has a meaning of its own, which `doc` tells.
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

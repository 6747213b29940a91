package enum NonceRequirement: String, Sendable, CaseIterable { case optional, required }

/// Who may come with a token of a provider instead of a session.
package struct BearerConfiguration: Sendable, Equatable {
    /// Provider ids.
    package var providers: [String] = []
    package var nonce = NonceRequirement.optional
    /// The upstream gets the `Authorization` header too.
    package var forward = false
    package init() {}
}

/// What a route says about bearer tokens.
package enum RouteBearer: Sendable, Equatable {
    /// As the top level says.
    case inherited
    case off
    case on(BearerConfiguration)
}

/// Which ID tokens `POST /session` takes.
package struct ExchangeConfiguration: Sendable, Equatable {
    package var providers: [String] = []
    package var nonce = NonceRequirement.optional
    package init() {}
}

/// The headers that carry the provider's tokens to the upstream of a route; nil: not sent.
package struct RouteTokens: Sendable, Hashable {
    package var access: String?
    package var id: String?
    package init(access: String? = nil, id: String? = nil) {
        self.access = access
        self.id = id
    }
}

/// Access tokens of a provider that are taken.
package struct AccessTokenConfiguration: Sendable, Equatable {
    package var audience: String
    package var introspection = false
    package var scopes: [String] = []
    package init(audience: String) { self.audience = audience }
}

extension Configuration {
    /// The bearer setting that holds on a route, the one for unmatched paths included; nil: tokens are not looked at.
    package func bearer(of route: RouteConfiguration) -> BearerConfiguration? {
        switch route.bearer {
        case .inherited: bearer
        case .off: nil
        case .on(let own): own
        }
    }

    /// Whether a header carries the access token somewhere.
    package var handsOutAccessTokens: Bool {
        if routes.contains(where: { $0.tokens?.access != nil }) { return true }
        guard case .templates(let templates) = identity.headers else { return false }
        return templates.contains { $0.template.contains("accessToken") }
    }

    /// Every header that carries a token on some route: no client may send one, on any.
    package var tokenHeaderNames: [String] {
        routes.compactMap(\.tokens).flatMap { [$0.access, $0.id].compactMap(\.self) }
    }
}

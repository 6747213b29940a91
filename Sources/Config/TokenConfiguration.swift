package enum NonceRequirement: String, Sendable, CaseIterable { case optional, required }

/// The bearer setting: providers whose tokens clients may send instead of a session.
package struct BearerConfiguration: Sendable, Equatable {
    /// Provider ids.
    package var providers: [String] = []
    package var nonce = NonceRequirement.optional
    /// True if the upstream also receives the `Authorization` header.
    package var forward = false
    package init() {}
}

/// The bearer setting of a route.
package enum RouteBearer: Sendable, Equatable {
    /// Uses the top-level setting.
    case inherited
    case off
    case on(BearerConfiguration)
}

/// The signed identity assertion; sent if there is a key.
package struct AssertionConfiguration: Sendable {
    package var header = "X-Gateway-Assertion"
    /// Nil for the upstream's origin.
    package var audience: String?
    /// P-256 private keys in PEM format; the first signs, all are published.
    package var keys: [Secret] = []
    /// Milliseconds.
    package var lifetime: Int64 = 300_000
    package init() {}
}

/// The ID tokens that `POST /session` accepts.
package struct ExchangeConfiguration: Sendable, Equatable {
    package var providers: [String] = []
    package var nonce = NonceRequirement.optional
    package init() {}
}

/// The accepted access tokens of a provider.
package struct AccessTokenConfiguration: Sendable, Equatable {
    package var audience: String
    package var introspection = false
    package var scopes: [String] = []
    package init(audience: String) { self.audience = audience }
}

extension Configuration {
    /// The bearer setting of a route, including the one for unmatched paths; nil ignores tokens.
    package func bearer(of route: RouteConfiguration) -> BearerConfiguration? {
        switch route.bearer {
        case .inherited: bearer
        case .off: nil
        case .on(let own): own
        }
    }

    /// True if clients may present tokens of providers, on some route or at `POST /session`.
    package var admitsTokens: Bool { session.exchange != nil || bearer != nil || routes.contains { bearer(of: $0) != nil } }

    /// True if a header carries the access token on some route.
    package var handsOutAccessTokens: Bool { requestTemplates.contains { $0.template.contains("accessToken") } }

    /// Every header that carries a token on some route. Clients may not send these headers on any route.
    package var tokenHeaderNames: [String] {
        requestTemplates.filter { $0.template.contains("accessToken") || $0.template.contains("idToken") }.map(\.name)
    }

    /// The request headers with templates. Counts every template that mentions a token.
    private var requestTemplates: [(name: String, template: String)] {
        var templates: [(name: String, template: String)] = []
        if case .templates(let own) = identity.headers { templates = own }
        for edits in [everywhere.requestHeaders] + routes.map(\.routing.own.requestHeaders) {
            templates += (edits?.set ?? []).map { ($0.name, $0.value) }
        }
        return templates.filter { $0.template.contains("{{") }
    }
}

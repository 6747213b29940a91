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

/// The signed statement of who it is; sent when there is a key.
package struct AssertionConfiguration: Sendable {
    package var header = "X-Gateway-Assertion"
    /// nil: the upstream's origin.
    package var audience: String?
    /// PEM of P-256 private keys; the first signs, all are published.
    package var keys: [Secret] = []
    /// Milliseconds.
    package var lifetime: Int64 = 300_000
    package init() {}
}

/// Which ID tokens `POST /session` takes.
package struct ExchangeConfiguration: Sendable, Equatable {
    package var providers: [String] = []
    package var nonce = NonceRequirement.optional
    package init() {}
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
    package var handsOutAccessTokens: Bool { requestTemplates.contains { $0.template.contains("accessToken") } }

    /// Every header that carries a token on some route: no client may send one, on any.
    package var tokenHeaderNames: [String] {
        requestTemplates.filter { $0.template.contains("accessToken") || $0.template.contains("idToken") }.map(\.name)
    }

    /// The headers of requests that templates make. What mentions a token without being a value of one is counted too.
    private var requestTemplates: [(name: String, template: String)] {
        var templates: [(name: String, template: String)] = []
        if case .templates(let own) = identity.headers { templates = own }
        for edits in [everywhere.requestHeaders] + routes.map(\.routing.own.requestHeaders) {
            templates += (edits?.set ?? []).map { ($0.name, $0.value) }
        }
        return templates.filter { $0.template.contains("{{") }
    }
}

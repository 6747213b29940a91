/// The configuration of one gateway, decoded, with every default filled in and every `${…}` expanded.
///
/// A value of this type exists only when `validate` reports no error: it is what `run` serves.
/// Durations are whole milliseconds, sizes whole bytes.
package struct Configuration: Sendable {
    package var server = ServerConfiguration()
    package var admin = AdminConfiguration()
    /// Where a route without an upstream of its own goes; nil only when no route needs one.
    package var upstream: UpstreamConfiguration?
    package var providers: [ProviderConfiguration] = []
    /// What a `${file:…}` of this configuration stands for now; nil when the file cannot be read again.
    package var secretFile: @Sendable (_ path: String) -> String? = { _ in nil }
    /// Parameter names forbidden everywhere besides the built-in set; as written, compared without case.
    package var reservedParameters: [String] = []
    package var session = SessionConfiguration()
    package var identity = IdentityConfiguration()
    /// In file order; the first match wins.
    package var routes: [RouteConfiguration] = []
    /// Where a route says nothing itself; nil: tokens are not looked at.
    package var bearer: BearerConfiguration?
    package var onUnauthenticated = UnauthenticatedPolicy.auto
    package var logging = LoggingConfiguration()
    /// nil: no audit stream.
    package var audit: AuditConfiguration?
    package var pages = PagesConfiguration()
    /// For every route that does not say otherwise.
    package var everywhere = EverywhereConfiguration()

    package init() {}
}

/// A secret from the configuration. Its description never shows it.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The secret's UTF-8 text. Named so that each use can be found.
    package let exposed: String
    package init(_ text: String) { exposed = text }
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
}

package enum ListenAddress: Sendable, Hashable {
    /// An empty host listens on every address.
    case tcp(host: String, port: Int)
    case unix(path: String)
}

/// An origin: scheme, host and port, nothing else.
package struct Origin: Sendable, Hashable {
    /// `http` or `https`.
    package var scheme: String
    /// Lower case; an IPv6 address in brackets.
    package var host: String
    /// The port a connection uses, the scheme's default filled in.
    package var port: Int
    package init(scheme: String, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }
    /// The origin as a browser writes it: a default port is left out (RFC 6454 section 6.2).
    package var text: String {
        let standard = scheme == "https" ? 443 : 80
        return port == standard ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
    package var isSecure: Bool { scheme == "https" }
}

package struct ServerConfiguration: Sendable {
    package var listen: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 4180)]
    /// Required as soon as there is a provider.
    package var publicURL: Origin?
    /// Starts with `/`, does not end with one.
    package var pathPrefix = "/_gateway"
    /// CIDR blocks as written, each already checked.
    package var trustedProxies: [String] = []
    package var allowedRedirects: [Origin] = []
    package var paths = PathPolicy.strict
    package var pathCase = PathCase.sensitive
    /// Nil: the listeners are in clear text.
    package var tls: TLSListenerConfiguration?
    package var http2 = HTTP2Policy.alpn
    package var hsts = HSTSPolicy.host
    package var limits = LimitsConfiguration()
    package var timeouts = TimeoutsConfiguration()
    package var proxyProtocol = ProxyProtocolPolicy.off
    package init() {}
}

package enum PathPolicy: String, Sendable, CaseIterable { case strict, encoded }
package enum PathCase: String, Sendable, CaseIterable { case sensitive, insensitive }

package struct LimitsConfiguration: Sendable {
    package var headerBytes = 32 * 1024
    package var headerCount = 100
    package var bodyBytes: Int?
    package var connections: Int?
    package var connectionsPerAddress: Int?
    /// Bytes a second, 0: no limit.
    package var bodyRate = 64
    package init() {}
}

/// How the listeners speak TLS. Paths are absolute, or relative to the working directory.
package struct TLSListenerConfiguration: Sendable {
    package struct Certificate: Sendable {
        package var certificate: String
        package var key: String
        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }
    package struct ClientCertificates: Sendable {
        package var authority: String
        package var mode = ClientCertificateMode.required
        package init(authority: String) { self.authority = authority }
    }
    /// The first is the default.
    package var certificates: [Certificate]
    package var minimumVersion = TLSVersion.v12
    package var clientCertificates: ClientCertificates?
    package init(certificates: [Certificate]) { self.certificates = certificates }
}

package enum TLSVersion: String, Sendable, CaseIterable {
    case v12 = "1.2"
    case v13 = "1.3"
}

package enum ClientCertificateMode: String, Sendable, CaseIterable { case required, optional }

package enum HTTP2Policy: String, Sendable, CaseIterable {
    case alpn
    case priorKnowledge = "prior-knowledge"
    case off
}

/// What browsers are told about https (RFC 6797).
package enum HSTSPolicy: String, Sendable, CaseIterable {
    case host, subdomains, preload, off

    /// The value of `Strict-Transport-Security`; nil: the field is not sent.
    package var value: String? {
        switch self {
        case .host: "max-age=31536000"
        case .subdomains: "max-age=31536000; includeSubDomains"
        case .preload: "max-age=63072000; includeSubDomains; preload"
        case .off: nil
        }
    }
}

/// Milliseconds each.
package struct TimeoutsConfiguration: Sendable {
    package var header: Int64 = 10_000
    package var idle: Int64 = 75_000
    package var upstreamConnect: Int64 = 5_000
    package var upstreamResponse: Int64 = 60_000
    package var shutdown: Int64 = 30_000
    /// From the signal until no new connection is accepted any more.
    package var drainDelay: Int64 = 0
    /// Over which `bodyRate` is measured.
    package var rateWindow: Int64 = 20_000
    package init() {}
}

package struct AdminConfiguration: Sendable {
    package var listen: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 9180)]
    package var readyRequiresProviders = false
    package init() {}
}

package struct ProviderConfiguration: Sendable {
    package enum ClientAuthentication: String, Sendable, CaseIterable {
        case basic = "client_secret_basic"
        case post = "client_secret_post"
        case privateKeyJWT = "private_key_jwt"
        case none
    }
    package enum ResponseMode: String, Sendable, CaseIterable { case query, formPost = "form_post" }
    /// Whether an extension of the protocol is used.
    package enum Use: String, Sendable, CaseIterable { case auto, required, off }
    package struct Endpoints: Sendable {
        package var authorization, token, userinfo, jwks, endSession, revocation, introspection, pushedAuthorization: String?
        package init() {}
    }
    /// Claim names (paths with dots) by field; nil takes the preset's.
    package struct ClaimMapping: Sendable {
        package var subject, email, emailVerified, username, name, picture, locale, groups: String?
        package init() {}
    }

    /// As written: `github.com`, `github.com/partners`, `oidc.acme`, `oauth2.legacy`.
    package var id: String
    package var displayName: String?
    package var enabled = true
    /// Byte for byte as written.
    package var issuer: String?
    package var baseURL: String?
    package var tenant: String?
    package var realm: String?
    package var clientID: String
    package var clientSecret: Secret?
    package var privateKey: Secret?
    package var keyID: String?
    package var teamID: String?
    package var apiVersion: String?
    /// The files that secret and key come from, as written; nil when the value is anything else than one `${file:…}`.
    package var clientSecretFile: String?
    package var privateKeyFile: String?
    /// nil takes the preset's, or discovery's.
    package var clientAuthentication: ClientAuthentication?
    package var responseMode: ResponseMode?
    package var additionalAudiences: [String] = []
    /// JWS `alg` names; nil: the asymmetric ones discovery lists, RS256 if it lists none.
    package var idTokenAlgorithms: [String]?
    /// On top of the base scopes, in file order.
    package var scopes: [String] = []
    package var preconfiguredScopes: [String]?
    /// In file order, reserved names refused.
    package var customParameters: [(name: String, value: String)] = []
    package var requestParameters: [String] = []
    package var reservedParameters: [String] = []
    package var userinfo: Bool?
    package var trustEmail = false
    package var endpoints = Endpoints()
    package var claims = ClaimMapping()
    /// Patterns of the provider's group names; nil keeps all.
    package var keptGroups: [String]?
    package var renamedGroups: [(name: String, to: String)] = []
    package var accessTokens: AccessTokenConfiguration?
    package var pushedAuthorization = Use.auto
    package var dpop = Use.auto

    package init(id: String, clientID: String) {
        self.id = id
        self.clientID = clientID
    }
}

package struct SessionConfiguration: Sendable {
    package enum SameSite: String, Sendable, CaseIterable { case lax, strict, none }
    /// Decoded keys of at least 32 bytes each; the first seals, every one opens. Empty: the process makes one.
    package var keys: [[UInt8]] = []
    /// Milliseconds.
    package var idleTimeout: Int64 = 3_600_000
    package var absoluteTimeout: Int64 = 86_400_000
    package var cookieName = "session"
    package var cookieDomain: String?
    package var sameSite = SameSite.lax
    package var refresh = true
    /// nil: there is no `POST /session`.
    package var exchange: ExchangeConfiguration?
    /// `cookie` or a store's URL.
    package var store = "cookie"
    /// The file that a restart reads ended sessions from; nil: none.
    package var revocations: String?
    package init() {}
}

package struct IdentityConfiguration: Sendable {
    package enum Profile: String, Sendable, CaseIterable {
        case forwarded
        case authRequest = "auth-request"
        case remoteUser = "remote-user"
        case webauth
        case none
    }
    package enum Headers: Sendable {
        case profiles([Profile])
        /// Header name and value template, in file order; both already checked.
        case templates([(name: String, template: String)])
    }
    package var headers = Headers.profiles([.forwarded])
    /// Also send an address that the provider does not vouch for in `X-Forwarded-Email`.
    package var unverifiedEmail = false
    package var assertion = AssertionConfiguration()
    package init() {}
}

package struct RouteConfiguration: Sendable {
    /// As written; a leading `*.` matches one or more labels. Compared without case, port and trailing dot.
    package var host: String?
    /// Starts with `/`; `*`, `**` and `{name}` are whole segments.
    package var path = "/**"
    /// Upper case; empty means every method.
    package var methods: [String] = []
    package var upstream: UpstreamConfiguration?
    package var access = AccessRule.authenticated
    package var paths: PathPolicy?
    package var bearer = RouteBearer.inherited
    package var routing = RoutingConfiguration()
    /// The line of the route's first key, for traces and logs.
    package var line = 0
    package init() {}
}

/// Who may pass a route.
package indirect enum AccessRule: Sendable {
    case `public`
    case authenticated
    /// Every condition holds.
    case all(AccessConditions)
    /// At least one holds.
    case anyOf([AccessRule])
}

/// Conditions that must all hold. An absent (nil) condition asks nothing; an empty list admits nobody.
package struct AccessConditions: Sendable {
    /// Address patterns: a full address, or `*@domain`. Verified addresses only.
    package var emails: [String]?
    package var groups: [String]?
    package var users: [String]?
    package var providers: [String]?
    /// Claim path and the values that satisfy it, in file order.
    package var claims: [(path: String, values: [String])]?
    /// Milliseconds since the sign-in.
    package var maxAge: Int64?
    package var secondFactor = false
    /// Nested alternatives beside the conditions above, all of which must hold too.
    package var anyOf: [AccessRule]?
    package init() {}
}

package enum UnauthenticatedPolicy: String, Sendable, CaseIterable { case auto, redirect, deny }

package struct LoggingConfiguration: Sendable {
    package enum Format: String, Sendable, CaseIterable { case auto, json, text }
    package enum Level: String, Sendable, CaseIterable { case trace, debug, info, notice, warning, error, critical }
    package var level = Level.info
    package var format = Format.auto
    package var access = AccessLogConfiguration()
    package init() {}
}

package import Primitives

/// The decoded configuration of a gateway, with defaults filled in and every `${…}` expanded.
///
/// A value exists only if `validate` reports no error; it is what `run` serves.
/// Durations are whole milliseconds, sizes whole bytes.
package struct Configuration: Sendable {
    package var server = ServerConfiguration()
    package var admin = AdminConfiguration()
    /// The upstream of routes without their own; nil only if no route needs it.
    package var upstream: UpstreamConfiguration?
    /// Identity providers; `password` and `anonymous` are in `accounts`.
    package var providers: [ProviderConfiguration] = []
    /// Reads the current value of a `${file:…}`; nil if the file cannot be read again.
    package var secretFile: @Sendable (_ path: String) -> String? = { _ in nil }
    /// Reserved parameter names besides the built-in ones; as written, compared without case.
    package var reservedParameters: [String] = []
    package var session = SessionConfiguration()
    /// Nil without accounts; then the user id is derived from the identity.
    package var accounts: AccountsConfiguration?
    package var identity = IdentityConfiguration()
    /// Routes in file order; the first match wins.
    package var routes: [RouteConfiguration] = []
    /// The bearer setting of routes without their own; nil ignores tokens.
    package var bearer: BearerConfiguration?
    package var onUnauthenticated = UnauthenticatedPolicy.auto
    package var logging = LoggingConfiguration()
    package var pages = PagesConfiguration()
    /// The settings of routes without their own.
    package var everywhere = EverywhereConfiguration()

    package init() {}
}

/// A secret from the configuration. Its description never shows it.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The secret's UTF-8 text. The name makes every use easy to find.
    package let exposed: String
    package init(_ text: String) { exposed = text }
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
}

package enum ListenAddress: Sendable, Hashable {
    /// A TCP address; an empty host means every address.
    case tcp(host: String, port: Int)
    case unix(path: String)
}

package struct ServerConfiguration: Sendable {
    package var listen: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 4180)]
    /// Required if there is a provider.
    package var publicURL: Origin?
    /// A prefix that starts with `/` and does not end with one.
    package var pathPrefix = "/_gateway"
    /// CIDR blocks as written, already checked.
    package var trustedProxies: [String] = []
    package var allowedRedirects: [Origin] = []
    package var paths = PathPolicy.strict
    package var pathCase = PathCase.sensitive
    /// Nil for listeners without TLS.
    package var tls: TLSListenerConfiguration?
    package var http2 = HTTP2Policy.alpn
    /// The top-level key `authorization`; nil without.
    package var authorization: AuthorizationConfiguration?
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
    /// Bytes per second; 0 for no limit.
    package var bodyRate = 64
    package init() {}
}

/// The TLS settings of the listeners. Paths are absolute or relative to the working directory.
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
    /// Certificates; the first is the default.
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

/// The HTTP Strict Transport Security policy (RFC 6797).
package enum HSTSPolicy: String, Sendable, CaseIterable {
    case host, subdomains, preload, off

    /// The value of `Strict-Transport-Security`; nil if the header is not sent.
    package var value: String? {
        switch self {
        case .host: "max-age=31536000"
        case .subdomains: "max-age=31536000; includeSubDomains"
        case .preload: "max-age=63072000; includeSubDomains; preload"
        case .off: nil
        }
    }
}

/// Timeouts in milliseconds.
package struct TimeoutsConfiguration: Sendable {
    package var header: Int64 = 10_000
    package var idle: Int64 = 75_000
    package var upstreamConnect: Int64 = 5_000
    package var upstreamResponse: Int64 = 60_000
    package var shutdown: Int64 = 30_000
    /// The time after the signal during which the gateway still accepts connections.
    package var drainDelay: Int64 = 0
    /// The period over which `bodyRate` is measured.
    package var rateWindow: Int64 = 20_000
    package init() {}
}

package struct AdminConfiguration: Sendable {
    package var listen: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 9180)]
    package var readyRequiresProviders = false
    /// Of the endpoints that list and end sessions; nil: there are none.
    package var token: Secret?
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
    /// True if the gateway uses an extension of the protocol.
    package enum Use: String, Sendable, CaseIterable { case auto, required, off }
    package struct Endpoints: Sendable {
        package var authorization, token, userinfo, jwks, endSession, revocation, introspection, pushedAuthorization: String?
        package init() {}
    }
    /// Claim paths by field; nil uses the preset's.
    package struct ClaimMapping: Sendable {
        package var subject, email, emailVerified, username, name, picture, locale, groups: String?
        package init() {}
    }

    /// The id as written: `github.com`, `github.com/partners`, `oidc.acme`, `oauth2.legacy`.
    package var id: String
    package var displayName: String?
    package var enabled = true
    /// The issuer, byte for byte as written.
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
    /// The files of secret and key, as written; nil unless the value consists of one `${file:…}`.
    package var clientSecretFile: String?
    package var privateKeyFile: String?
    /// Nil uses the preset, or discovery.
    package var clientAuthentication: ClientAuthentication?
    package var responseMode: ResponseMode?
    package var additionalAudiences: [String] = []
    /// JWS `alg` names; nil for the asymmetric ones that discovery lists, or RS256 if it lists none.
    package var idTokenAlgorithms: [String]?
    /// Scopes besides the base scopes, in file order.
    package var scopes: [String] = []
    package var preconfiguredScopes: [String]?
    /// Parameters in file order, without reserved names.
    package var customParameters: [(name: String, value: String)] = []
    package var requestParameters: [String] = []
    package var reservedParameters: [String] = []
    package var userinfo: Bool?
    package var trustEmail = false
    /// In lower case.
    package var trustedDomains: [String] = []
    /// Nil: the provider's second factors do not count.
    package var trustedSecondFactor: TrustedSecondFactor.Rules?
    package var endpoints = Endpoints()
    package var claims = ClaimMapping()
    /// Patterns for the provider's group names; nil keeps all.
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
    /// Decoded keys of at least 32 bytes each; the first seals, all of them open. If empty, the process generates one.
    package var keys: [[UInt8]] = []
    /// Milliseconds.
    package var idleTimeout: Int64 = 3_600_000
    package var absoluteTimeout: Int64 = 86_400_000
    package var cookieName = "session"
    package var cookieDomain: String?
    package var sameSite = SameSite.lax
    package var refresh = true
    /// Nil without `POST /session`.
    package var exchange: ExchangeConfiguration?
    /// nil: the cookie is the session.
    package var store: SessionStoreConfiguration?
    /// The file that preserves ended sessions across restarts; nil for none.
    package var revocations: String?
    package init() {}
}

/// Sessions in Redis or Valkey.
package struct SessionStoreConfiguration: Sendable, Hashable {
    /// A valid `RedisURL`; empty if the draft has a problem.
    package var url: Secret
    package var prefix = "gateway:"
    /// Milliseconds.
    package var timeout: Int64 = 1_000
    /// Paths of PEM files.
    package var ca, certificate, key: String?
    package var sentinelPassword: Secret?

    package init(url: Secret) { self.url = url }

    /// The files that it names.
    package var files: [String] { [ca, certificate, key].compactMap { $0 } }
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
        /// Header names and value templates in file order, already checked.
        case templates([(name: String, template: String)])
    }
    package var headers = Headers.profiles([.forwarded])
    /// True if `X-Forwarded-Email` also carries addresses that the provider has not verified.
    package var unverifiedEmail = false
    package var assertion = AssertionConfiguration()
    package init() {}
}

package struct RouteConfiguration: Sendable {
    /// The host as written; a leading `*.` matches one or more labels. Compared without case, port and trailing dot.
    package var host: String?
    /// A pattern that starts with `/`; `*`, `**` and `{name}` are whole segments.
    package var path = "/**"
    /// Methods in upper case; empty for every method.
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

/// The access rule of a route.
package indirect enum AccessRule: Sendable {
    case `public`
    case authenticated
    /// All conditions must match.
    case all(AccessConditions)
    /// At least one rule must match.
    case anyOf([AccessRule])
}

/// Conditions that must all match. An absent (nil) condition always matches; an empty list never does.
package struct AccessConditions: Sendable {
    /// A full address, or `*@domain`. Only verified addresses match.
    package var emails: [String]?
    package var groups: [String]?
    package var users: [String]?
    package var providers: [String]?
    /// Claim paths and accepted values, in file order.
    package var claims: [(path: String, values: [String])]?
    /// The maximum age of the sign-in in milliseconds.
    package var maxAge: Int64?
    package var secondFactor = false
    /// Authentication context classes (OpenID Connect Core 1.0 section 2, `acr`), one of which the sign-in must have.
    package var acr: [String]?
    /// `signedIn: optional`: the other conditions decide about requests without a session, too.
    package var admitsNobody = false
    /// Networks of the client's address.
    package var networks: [String]?
    /// A CEL expression.
    package var condition: String?
    /// Alternatives, one of which must match in addition to the conditions above.
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
    /// Nil without an audit stream.
    package var audit: AuditConfiguration?
    package init() {}
}

extension Configuration {
    package var audit: AuditConfiguration? {
        get { logging.audit }
        set { logging.audit = newValue }
    }
}

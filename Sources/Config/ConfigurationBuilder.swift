import Diagnostics

/// Builds the typed configuration of a document, with defaults filled in.
///
/// Absent and unreadable values get their defaults. Serve the result only if the document has no error, as `ConfigLoader`
/// guarantees.
struct ConfigurationBuilder {
    private let source: SourceFile

    init(source: SourceFile) { self.source = source }

    func configuration(from root: ObjectValue) -> Configuration {
        var result = Configuration()
        if let server = root["server"]?.object { result.server = self.server(server) }
        if let admin = root["admin"]?.object { result.admin = self.admin(admin) }
        result.authorization = root["authorization"]?.object.map(authorization)
        result.upstream = upstream(root["upstream"])
        result.providers = root["providers"]?.list?.compactMap { $0.object.flatMap(provider) } ?? []
        result.accounts = accounts(root)
        result.reservedParameters = texts(root["reservedParameters"])
        if let session = root["session"]?.object { result.session = self.session(session) }
        if let identity = root["identity"]?.object { result.identity = self.identity(identity) }
        result.routes = root["routes"]?.list?.compactMap { $0.object.map(route) } ?? []
        if case .on(let bearer) = self.bearer(root["bearer"]) { result.bearer = bearer }
        result.onUnauthenticated = choice(root["onUnauthenticated"]) ?? result.onUnauthenticated
        if let pages = root["pages"]?.object { result.pages = PagesConfiguration(pages) }
        if let logging = root["logging"]?.object {
            result.logging.level = choice(logging["level"]) ?? result.logging.level
            result.logging.format = choice(logging["format"]) ?? result.logging.format
            if let access = logging["access"]?.object { result.logging.access = accessLog(access) }
        }
        result.audit = root["audit"]?.object.map(audit)
        result.everywhere = everywhere(root)
        return result
    }

    // MARK: Sections

    private func server(_ object: ObjectValue) -> ServerConfiguration {
        var result = ServerConfiguration()
        if let listen = object["listen"] { result.listen = addresses(listen) }
        if case .origin(let origin) = object["publicURL"]?.scalar { result.publicURL = origin }
        result.pathPrefix = object["pathPrefix"]?.text ?? result.pathPrefix
        result.trustedProxies = texts(object["trustedProxies"])
        result.allowedRedirects =
            object["allowedRedirects"]?.list?.compactMap { if case .origin(let origin) = $0.scalar { origin } else { nil } } ?? []
        result.paths = choice(object["paths"]) ?? result.paths
        result.pathCase = choice(object["pathCase"]) ?? result.pathCase
        result.tls = object["tls"]?.object.flatMap(tls)
        result.http2 = choice(object["http2"]) ?? result.http2
        result.hsts = choice(object["hsts"]) ?? result.hsts
        result.proxyProtocol = choice(object["proxyProtocol"]) ?? result.proxyProtocol
        if let limits = object["limits"]?.object {
            result.limits.headerBytes = bytes(limits["headerBytes"]) ?? result.limits.headerBytes
            result.limits.headerCount = integer(limits["headerCount"]) ?? result.limits.headerCount
            result.limits.bodyBytes = bytes(limits["bodyBytes"])
            result.limits.connections = integer(limits["connections"])
            result.limits.connectionsPerAddress = integer(limits["connectionsPerAddress"])
            result.limits.bodyRate = bytes(limits["bodyRate"]) ?? result.limits.bodyRate
        }
        if let timeouts = object["timeouts"]?.object {
            result.timeouts.header = timeouts["header"]?.milliseconds ?? result.timeouts.header
            result.timeouts.idle = timeouts["idle"]?.milliseconds ?? result.timeouts.idle
            result.timeouts.upstreamConnect = timeouts["upstreamConnect"]?.milliseconds ?? result.timeouts.upstreamConnect
            result.timeouts.upstreamResponse = timeouts["upstreamResponse"]?.milliseconds ?? result.timeouts.upstreamResponse
            result.timeouts.rateWindow = timeouts["rateWindow"]?.milliseconds ?? result.timeouts.rateWindow
            result.timeouts.shutdown = timeouts["shutdown"]?.milliseconds ?? result.timeouts.shutdown
            result.timeouts.drainDelay = timeouts["drainDelay"]?.milliseconds ?? result.timeouts.drainDelay
        }
        return result
    }

    private func tls(_ object: ObjectValue) -> TLSListenerConfiguration? {
        func certificate(_ object: ObjectValue) -> TLSListenerConfiguration.Certificate? {
            guard let certificate = path(object["certificate"]), let key = path(object["key"]) else { return nil }
            return .init(certificate: certificate, key: key)
        }
        let certificates = ([object] + (object["certificates"]?.list?.compactMap(\.object) ?? [])).compactMap(certificate)
        guard !certificates.isEmpty else { return nil }
        var result = TLSListenerConfiguration(certificates: certificates)
        result.minimumVersion = choice(object["minimumVersion"]) ?? result.minimumVersion
        if let clients = object["clientCertificates"]?.object, let authority = path(clients["authority"]) {
            result.clientCertificates = .init(authority: authority)
            result.clientCertificates?.mode = choice(clients["mode"]) ?? .required
        }
        return result
    }

    private func admin(_ object: ObjectValue) -> AdminConfiguration {
        var result = AdminConfiguration()
        if let listen = object["listen"] { result.listen = addresses(listen) }
        result.token = secret(object["token"])
        result.readyRequiresProviders = object["readyRequiresProviders"]?.boolean ?? false
        return result
    }

    private func authorization(_ object: ObjectValue) -> AuthorizationConfiguration {
        var result = AuthorizationConfiguration()
        if let listen = object["listen"] { result.listen = addresses(listen) }
        result.tls = object["tls"]?.boolean ?? false
        if object["peers"] != nil { result.peers = texts(object["peers"]) }
        return result
    }

    private func session(_ object: ObjectValue) -> SessionConfiguration {
        var result = SessionConfiguration()
        result.keys = object["keys"]?.list?.compactMap { if case .key(let key) = $0.scalar { key } else { nil } } ?? []
        result.idleTimeout = object["idleTimeout"]?.milliseconds ?? result.idleTimeout
        result.absoluteTimeout = object["absoluteTimeout"]?.milliseconds ?? result.absoluteTimeout
        if let cookie = object["cookie"]?.object {
            result.cookieName = cookie["name"]?.text ?? result.cookieName
            result.cookieDomain = cookie["domain"]?.text.map { ($0.hasPrefix(".") ? String($0.dropFirst()) : $0).lowercased() }
            result.sameSite = choice(cookie["sameSite"]) ?? result.sameSite
        }
        result.refresh = object["refresh"]?.boolean ?? result.refresh
        if let exchange = object["exchange"]?.object { result.exchange = self.exchange(exchange) }
        result.store = sessionStore(object["store"])
        result.revocations = path(object["revocations"])
        return result
    }

    private func sessionStore(_ item: Item?) -> SessionStoreConfiguration? {
        guard let object = item?.object else {
            guard let item, item.text != "cookie" else { return nil }
            return secret(item).map { SessionStoreConfiguration(url: $0) }
        }
        guard let url = secret(object["url"]) else { return nil }
        var result = SessionStoreConfiguration(url: url)
        result.prefix = object["prefix"]?.text ?? result.prefix
        result.timeout = object["timeout"]?.milliseconds ?? result.timeout
        result.ca = path(object["ca"])
        result.certificate = path(object["certificate"])
        result.key = path(object["key"])
        result.sentinelPassword = secret(object["sentinelPassword"])
        return result
    }

    private func identity(_ object: ObjectValue) -> IdentityConfiguration {
        var result = IdentityConfiguration()
        if let headers = object["headers"] {
            if let map = headers.map {
                result.headers = .templates(map.compactMap { entry in headerValue(entry.item).map { (name: entry.name, template: $0) } })
            } else {
                result.headers = .profiles(headers.oneOrMany.compactMap(choice))
            }
        }
        result.unverifiedEmail = object["unverifiedEmail"]?.boolean ?? false
        if let assertion = object["assertion"]?.object {
            result.assertion.header = assertion["header"]?.text ?? result.assertion.header
            result.assertion.audience = assertion["audience"]?.text
            result.assertion.keys = texts(assertion["keys"]).map(Secret.init)
            result.assertion.lifetime = assertion["lifetime"]?.milliseconds ?? result.assertion.lifetime
        }
        return result
    }

    private func provider(_ object: ObjectValue) -> ProviderConfiguration? {
        guard object.shape == .provider, let id = object["id"]?.text else { return nil }
        var result = ProviderConfiguration(id: id, clientID: object["clientID"]?.text ?? "")
        result.displayName = object["displayName"]?.text
        result.enabled = object["enabled"]?.boolean ?? true
        result.issuer = object["issuer"]?.text
        result.baseURL = object["baseURL"]?.text
        result.tenant = object["tenant"]?.text
        result.realm = object["realm"]?.text
        result.clientSecret = secret(object["clientSecret"])
        result.privateKey = secret(object["privateKey"])
        result.keyID = object["keyID"]?.text
        result.teamID = object["teamID"]?.text
        result.apiVersion = object["apiVersion"]?.text
        result.clientSecretFile = file(of: object["clientSecret"])
        result.privateKeyFile = file(of: object["privateKey"])
        result.clientAuthentication = choice(object["clientAuthentication"])
        result.responseMode = choice(object["responseMode"])
        result.additionalAudiences = texts(object["additionalAudiences"])
        result.idTokenAlgorithms = object["idTokenAlgorithms"].map(texts)
        result.scopes = texts(object["scopes"])
        result.preconfiguredScopes = object["preconfiguredScopes"].map(texts)
        result.customParameters = object["customParameters"]?.map?.compactMap { entry in entry.item.text.map { (entry.name, $0) } } ?? []
        result.requestParameters = texts(object["requestParameters"])
        result.reservedParameters = texts(object["reservedParameters"])
        result.userinfo = object["userinfo"]?.boolean
        result.trustEmail = object["trustEmail"]?.boolean ?? false
        result.trustedDomains = texts(object["trustedDomains"]).map { $0.lowercased() }
        if object["secondFactor"]?.text == TrustedSecondFactor.trusted.rawValue {
            result.trustedSecondFactor = .init(classes: texts(object["secondFactorACR"]))
        }
        if let endpoints = object["endpoints"]?.object { result.endpoints = self.endpoints(endpoints) }
        if let claims = object["claims"]?.object { result.claims = self.claims(claims) }
        if let groups = object["groups"]?.object {
            result.keptGroups = groups["keep"].map(texts)
            result.renamedGroups = groups["rename"]?.map?.compactMap { entry in entry.item.text.map { (entry.name, $0) } } ?? []
        }
        if let tokens = object["accessTokens"]?.object { result.accessTokens = accessTokens(tokens) }
        result.pushedAuthorization = choice(object["pushedAuthorization"]) ?? result.pushedAuthorization
        result.dpop = choice(object["dpop"]) ?? result.dpop
        return result
    }

    /// Empty for an unresolved one: how the client authenticates depends on which secrets there are.
    func secret(_ item: Item?) -> Secret? {
        item.flatMap { $0.unresolved == nil ? $0.text : "" }.map(Secret.init)
    }

    /// The file that the whole value comes from.
    private func file(of item: Item?) -> String? {
        guard let expanded = item?.expanded, expanded.isOneReference, case .file(let path, _) = expanded.references.first?.target else {
            return nil
        }
        return path
    }

    private func endpoints(_ object: ObjectValue) -> ProviderConfiguration.Endpoints {
        var result = ProviderConfiguration.Endpoints()
        result.authorization = object["authorization"]?.text
        result.token = object["token"]?.text
        result.userinfo = object["userinfo"]?.text
        result.jwks = object["jwks"]?.text
        result.endSession = object["endSession"]?.text
        result.revocation = object["revocation"]?.text
        result.introspection = object["introspection"]?.text
        result.pushedAuthorization = object["pushedAuthorization"]?.text
        return result
    }

    private func claims(_ object: ObjectValue) -> ProviderConfiguration.ClaimMapping {
        var result = ProviderConfiguration.ClaimMapping()
        result.subject = object["subject"]?.text
        result.email = object["email"]?.text
        result.emailVerified = object["emailVerified"]?.text
        result.username = object["username"]?.text
        result.name = object["name"]?.text
        result.picture = object["picture"]?.text
        result.locale = object["locale"]?.text
        result.groups = object["groups"]?.text
        return result
    }

    private func route(_ object: ObjectValue) -> RouteConfiguration {
        var result = RouteConfiguration()
        result.host = object["host"]?.text
        result.path = object["path"]?.text ?? result.path
        result.methods = texts(object["methods"])
        result.upstream = upstream(object["upstream"])
        result.access = object["access"].map(access) ?? .authenticated
        result.paths = choice(object["paths"])
        result.bearer = bearer(object["bearer"])
        result.routing = routing(object)
        result.line = source.position(at: object.span.start).line
        return result
    }

    /// An unreadable rule matches no user, so that it never admits more than intended.
    private func access(_ item: Item) -> AccessRule {
        if let object = item.object { return rule(object) }
        switch item.text {
        case "public": return .public
        case "authenticated": return .authenticated
        default: return .anyOf([])
        }
    }

    private func rule(_ object: ObjectValue) -> AccessRule {
        var conditions = AccessConditions()
        conditions.emails = object["emails"].map(texts)
        conditions.groups = object["groups"].map(texts)
        conditions.users = object["users"].map(texts)
        conditions.providers = object["providers"].map(texts)
        conditions.claims = object["claims"].map { item in
            (item.map ?? []).map { entry in (path: entry.name, values: entry.item.oneOrMany.compactMap(\.text)) }
        }
        conditions.maxAge = object["maxAge"]?.milliseconds
        conditions.secondFactor = object["secondFactor"]?.boolean ?? false
        conditions.acr = object["acr"].map(texts)
        conditions.admitsNobody = object["signedIn"]?.text == "optional"
        conditions.networks = object["networks"].map(texts)
        // An unreadable condition is invalid, not absent.
        conditions.condition = object["condition"].map { $0.text ?? "" }
        conditions.anyOf = object["anyOf"]?.list?.map { $0.object.map(rule) ?? .anyOf([]) }
        if let alternatives = conditions.anyOf, object.members.count == 1 { return .anyOf(alternatives) }
        return object.members.isEmpty ? .authenticated : .all(conditions)
    }

    // MARK: Tokens

    private func bearer(_ item: Item?) -> RouteBearer {
        guard let item else { return .inherited }
        guard let object = item.object else { return .off }
        var result = BearerConfiguration()
        result.providers = texts(object["providers"])
        result.nonce = choice(object["nonce"]) ?? result.nonce
        result.forward = object["forward"]?.boolean ?? result.forward
        return .on(result)
    }

    private func exchange(_ object: ObjectValue) -> ExchangeConfiguration {
        var result = ExchangeConfiguration()
        result.providers = texts(object["providers"])
        result.nonce = choice(object["nonce"]) ?? result.nonce
        return result
    }

    private func accessTokens(_ object: ObjectValue) -> AccessTokenConfiguration? {
        guard let audience = object["audience"]?.text else { return nil }
        var result = AccessTokenConfiguration(audience: audience)
        result.introspection = object["introspection"]?.boolean ?? result.introspection
        result.scopes = texts(object["scopes"])
        return result
    }

    // MARK: Logs

    private func accessLog(_ object: ObjectValue) -> AccessLogConfiguration {
        var result = AccessLogConfiguration()
        result.isEnabled = object["enabled"]?.boolean ?? result.isEnabled
        result.format = choice(object["format"]) ?? result.format
        result.to = object["to"]?.text.map { LogDestination($0) } ?? result.to
        result.query = choice(object["query"]) ?? result.query
        return result
    }

    private func audit(_ object: ObjectValue) -> AuditConfiguration {
        var result = AuditConfiguration()
        result.to = object["to"]?.text.map { LogDestination($0) } ?? result.to
        result.format = choice(object["format"]) ?? result.format
        result.onFailure = choice(object["onFailure"]) ?? result.onFailure
        return result
    }

    // MARK: Values

    private func path(_ item: Item?) -> String? { item?.text.map(resolving) }

    /// The path from the working directory.
    func resolving(_ path: String) -> String { source.resolving(path) }

    func texts(_ item: Item) -> [String] { item.list?.compactMap(\.text) ?? [] }
    func texts(_ item: Item?) -> [String] { item.map(texts) ?? [] }

    func choice<Choice: RawRepresentable<String>>(_ item: Item?) -> Choice? {
        item?.text.flatMap(Choice.init(rawValue:))
    }

    func bytes(_ item: Item?) -> Int? {
        if case .bytes(let value) = item?.scalar { value } else { nil }
    }

    func integer(_ item: Item?) -> Int? {
        if case .integer(let value) = item?.scalar { value } else { nil }
    }

    private func upstream(_ item: Item?) -> UpstreamConfiguration? { item.flatMap { upstream($0, from: source) } }

    private func addresses(_ item: Item) -> [ListenAddress] {
        item.oneOrMany.compactMap { if case .address(let address) = $0.scalar { address } else { nil } }
    }
}

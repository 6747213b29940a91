import Primitives
import Config
import Diagnostics
import Providers
import YAML

/// A file as rules see it: values with their locations, the resulting configuration, and the providers' presets.
struct LintContext: Sendable {
    /// The nested types are classes because more than a hundred rules iterate over them and none changes them.
    final class Provider: Sendable {
        let object: ObjectValue
        let configuration: ProviderConfiguration
        /// Nil if the id is malformed, or this version has no preset for it.
        let preset: ProviderPreset?
        let settings: ProviderSettings?

        init(object: ObjectValue, configuration: ProviderConfiguration, preset: ProviderPreset?, settings: ProviderSettings?) {
            self.object = object
            self.configuration = configuration
            self.preset = preset
            self.settings = settings
        }

        var id: String { configuration.id }
        var idSpan: SourceSpan { object["id"]?.span ?? object.span }
        var isGeneric: Bool { preset.map { $0.id == ProviderCatalogue.oidc || $0.id == ProviderCatalogue.oauth2 } ?? false }
    }

    final class Route: Sendable {
        let object: ObjectValue
        let configuration: RouteConfiguration
        /// True if the route matches every method and path of its hosts.
        let isEverything: Bool
        /// False if part of the route could not be read, so that its matches are unknown.
        let isReadable: Bool

        init(object: ObjectValue, configuration: RouteConfiguration, isEverything: Bool, isReadable: Bool) {
            self.object = object
            self.configuration = configuration
            self.isEverything = isEverything
            self.isReadable = isReadable
        }

        var access: AccessRule { configuration.access }
    }

    let source: SourceFile
    let surroundings: Surroundings
    let root: ObjectValue
    let configuration: Configuration
    /// Identity providers; `password` and `anonymous` are in `ownProviders`.
    let providers: [Provider]
    let ownProviders: [OwnProvider]
    let routes: [Route]
    /// The top-level upstream, then those of the routes in file order.
    let upstreams: [Upstream]
    /// True if a request can match no route, and so goes to `upstream` and requires sign-in.
    let hasUnmatchedRequests: Bool
    /// Every access rule in the file, including nested ones, with its route.
    let accessRules: [(route: Route, object: ObjectValue)]
    /// Every `condition` of the access rules.
    let conditions: [LintCondition]

    init(document: ConfigDocument, root: ObjectValue, configuration: Configuration, surroundings: Surroundings) {
        source = document.source
        self.surroundings = surroundings
        self.root = root
        self.configuration = configuration
        let redirectBase = (configuration.server.publicURL?.text ?? "https://gateway.invalid") + configuration.server.pathPrefix
        let entries = root["providers"]?.list?.compactMap(\.object) ?? []
        ownProviders = entries.compactMap(OwnProvider.init)
        let objects = entries.filter { $0.shape == .provider && $0["id"]?.text != nil }
        providers = zip(objects, configuration.providers).map { object, provider in
            Provider(
                object: object, configuration: provider, preset: ProviderCatalogue.preset(for: provider.id),
                settings: ProviderSettings(provider, redirectBase: redirectBase, reservedEverywhere: configuration.reservedParameters))
        }
        let routeObjects = root["routes"]?.list?.compactMap(\.object) ?? []
        let routes = zip(routeObjects, configuration.routes).map { object, route in
            Route(
                object: object, configuration: route,
                isEverything: RouteReach.isEverything(route),
                isReadable: !object.isIncomplete && object.refusedKeys.isEmpty && !object.members.contains { $0.item.isUnreadable })
        }
        self.routes = routes
        hasUnmatchedRequests = Self.hasUnmatchedRequests(routes)
        let source = document.source
        upstreams = ([root["upstream"]] + routes.map { $0.object["upstream"] }).compactMap { $0.map { Upstream($0, source: source) } }
        accessRules = routes.flatMap { route in
            guard let access = route.object["access"]?.object else { return [(route: Route, object: ObjectValue)]() }
            return Self.flattened(access).map { (route, $0) }
        }
        conditions = accessRules.compactMap { LintCondition($0.object, of: $0.route, in: source) }
    }

    var server: ObjectValue? { root["server"]?.object }
    var session: ObjectValue? { root["session"]?.object }

    /// The URL of `session.store`; nil: the cookie is the session.
    var sessionStoreURL: Item? {
        guard let store = session?["store"] else { return nil }
        if let object = store.object { return object["url"] }
        return store.text == "cookie" ? nil : store
    }

    private static func hasUnmatchedRequests(_ routes: [Route]) -> Bool {
        let everything = routes.filter(\.isEverything)
        if everything.contains(where: { $0.configuration.host == nil }) { return false }
        // If every route names a host, other hosts get 421; then each host needs a route that matches everything.
        let hosts = Set(routes.map { $0.configuration.host.map(RouteReach.foldedHost) })
        if hosts.isEmpty || hosts.contains(nil) { return true }
        return !hosts.isSubset(of: everything.map { $0.configuration.host.map(RouteReach.foldedHost) })
    }

    private static func flattened(_ object: ObjectValue) -> [ObjectValue] {
        [object] + (object["anyOf"]?.list ?? []).compactMap(\.object).flatMap(flattened)
    }

    /// Every value of a secret key, with the name of the key.
    var secrets: [(key: String, item: Item)] {
        var result: [(String, Item)] = []
        for provider in root["providers"]?.list?.compactMap(\.object) ?? [] {
            for key in ["clientSecret", "privateKey"] { if let item = provider[key] { result.append((key, item)) } }
        }
        for item in session?["keys"]?.list ?? [] { result.append(("keys", item)) }
        if let item = session?["store"]?.object?["sentinelPassword"] { result.append(("sentinelPassword", item)) }
        for item in accounts?["keys"]?.list ?? [] { result.append(("accounts.keys", item)) }
        if let item = root["admin"]?.object?["token"] { result.append(("admin.token", item)) }
        for (_, hook) in hooks { if let item = hook["secret"] { result.append(("secret", item)) } }
        for item in root["identity"]?.object?["assertion"]?.object?["keys"]?.list ?? [] { result.append(("keys", item)) }
        return result
    }
}

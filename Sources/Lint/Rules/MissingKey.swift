import Config
import Diagnostics
import Providers

extension Rule {
    static let missingKey = Rule(
        .missingKey, what: "A required key is missing or empty.",
        why: "The key has no default that suits every installation.",
        instead: "Add the key. An empty value counts as missing.",
        bad: Example(
            """
            providers:
              - «id»: oidc.acme
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        check: { context in
            topLevel(context) + authorizationTLS(context) + revocations(context) + missingAccountKeys(context)
                + context.providers.flatMap(providerKeys)
                + context.routes.flatMap { matchers($0.object) }
        })

    private static func missing(_ key: String, in object: ObjectValue, _ message: String, help: String) -> [Diagnostic] {
        guard object.isPlainlyMissing(key) else { return [] }
        return [Diagnostic(.missingKey, at: object.span, message, help: help)]
    }

    private static func topLevel(_ context: LintContext) -> [Diagnostic] {
        let root = context.root
        var findings: [Diagnostic] = []
        let needsSignIn = context.hasUnmatchedRequests || context.routes.contains { if case .public = $0.access { false } else { true } }
        let routesAreReadable = root.isPlainlyMissing("routes") || (root["routes"]?.list != nil && context.routes.allSatisfy(\.isReadable))
        if root["providers"]?.list?.isEmpty ?? root.isPlainlyMissing("providers"), needsSignIn, routesAreReadable {
            findings.append(
                Diagnostic(
                    .missingKey, at: root.span, "`providers` is missing, and not every route is public",
                    help: "add a provider; or make every route public, with one that matches `/**`"))
        }
        if !(root["providers"]?.list?.isEmpty ?? true) {
            let help = "add the address that users open: `publicURL: https://app.example.com`"
            if let server = root["server"] {
                if let object = server.object {
                    findings += missing("publicURL", in: object, "`publicURL` is missing in `server`, and providers need it", help: help)
                }
            } else {
                findings += missing(
                    "server", in: root, "`server.publicURL` is missing, and providers need it",
                    help: "add `server: { publicURL: https://app.example.com }`")
            }
        }
        let needsUpstream =
            context.hasUnmatchedRequests
            || context.routes.contains {
                $0.object.isPlainlyMissing("upstream") && !$0.configuration.routing.needsNoUpstream
            }
        // Other proxies forward what they ask about.
        if needsUpstream, routesAreReadable, root.isPlainlyMissing("authorization") {
            findings += missing(
                "upstream", in: root, "`upstream` is missing, and not every route has its own",
                help: "add the app's address: `upstream: http://127.0.0.1:8080`")
        }
        return findings
    }

    /// The authorization listener has no certificates of its own.
    private static func authorizationTLS(_ context: LintContext) -> [Diagnostic] {
        guard let authorization = context.root["authorization"]?.object, authorization["tls"]?.boolean == true,
            let span = authorization.keySpan("tls"), context.server.map({ $0.isPlainlyMissing("tls") }) ?? true
        else { return [] }
        return [
            Diagnostic(
                .missingKey, at: span, "`authorization.tls` needs `server.tls`, whose certificates it uses",
                help: "add `server.tls` with a certificate and its key, or remove `tls`")
        ]
    }

    /// The revocations file is sealed with the session keys. Keys generated at start cannot open it after a restart.
    private static func revocations(_ context: LintContext) -> [Diagnostic] {
        guard let session = context.session, let span = session.keySpan("revocations"), session["revocations"]?.text?.isEmpty == false,
            session["keys"]?.list?.isEmpty ?? session.isPlainlyMissing("keys")
        else { return [] }
        return [
            Diagnostic(
                .missingKey, at: span, "`session.revocations` needs `session.keys`: without them, a restart cannot read the file",
                help: "run `gateway keygen session > session.key` and add `keys: [\"${file:./session.key}\"]`, or remove `revocations`")
        ]
    }

    private static func matchers(_ route: ObjectValue) -> [Diagnostic] {
        guard !route.has("host"), !route.has("methods") else { return [] }
        guard route.isPlainlyMissing("host"), route.isPlainlyMissing("methods") else { return [] }
        return missing(
            "path", in: route, "this route has no `path`, `host` or `methods`",
            help: "add a `path`; `path: /**` matches every request")
    }

    private static func providerKeys(_ provider: LintContext.Provider) -> [Diagnostic] {
        guard let preset = provider.preset else { return [] }
        let object = provider.object
        var findings: [Diagnostic] = []
        func need(_ key: String, _ why: String, _ help: String) {
            findings += missing(key, in: object, "`\(key)` is missing: \(why)", help: help)
        }
        for requirement in preset.requires {
            switch requirement {
            case .issuer:
                need("issuer", "it is the address of `\(provider.id)`", "add the provider's issuer: `issuer: https://…`")
            case .baseURL:
                // An OpenID Connect provider can be named by its issuer instead.
                if preset.kind == .oauth2 || object["issuer"] == nil {
                    need("baseURL", "it is the address of `\(provider.id)`", "add the provider's address: `baseURL: https://…`")
                }
            case .realm:
                if object["issuer"] == nil { need("realm", "it is part of the issuer", "add the name of the realm") }
            case .tenant:
                if object["issuer"] == nil {
                    need("tenant", "it is part of the issuer", "add the directory's id, or `common`, `organizations` or `consumers`")
                }
            case .privateKey: findings += privateKey(provider, preset)
            case .endpoints: findings += plainOAuth2Endpoints(object)
            }
        }
        if object["clientAuthentication"]?.text == "private_key_jwt", !preset.requires.contains(.privateKey) {
            need("privateKey", "`private_key_jwt` signs with it", "add `privateKey: ${file:./client.pem}`")
        }
        return findings
    }

    /// Reports a missing private key for a provider that accepts signed client secrets only.
    private static func privateKey(_ provider: LintContext.Provider, _ preset: ProviderPreset) -> [Diagnostic] {
        let object = provider.object
        if preset.habits.signsClientSecret, object["clientSecret"] != nil { return [] }
        guard object["clientAuthentication"]?.text != "none" else { return [] }
        if object.isPlainlyMissing("privateKey") {
            return missing(
                "privateKey", in: object, "`privateKey` is missing: `\(provider.id)` accepts only client secrets signed with it",
                help: "add `privateKey: ${file:./client.pem}`")
        }
        guard preset.habits.signsClientSecret, object["privateKey"] != nil else { return [] }
        return ["keyID", "teamID"].flatMap { key in
            missing(
                key, in: object, "`\(key)` is missing: the client secret contains it",
                help: "add `\(key)`, which has ten letters and digits")
        }
    }

    private static func plainOAuth2Endpoints(_ object: ObjectValue) -> [Diagnostic] {
        guard let endpoints = object["endpoints"] else {
            return missing(
                "endpoints", in: object, "`endpoints` is missing: plain OAuth 2.0 has no discovery",
                help: "add `endpoints: { authorization: …, token: …, userinfo: … }`")
        }
        guard let endpoints = endpoints.object else { return [] }
        return ["authorization", "token", "userinfo"].flatMap { key in
            missing(
                key, in: endpoints, "`\(key)` is missing in `endpoints`: plain OAuth 2.0 has no discovery",
                help: "add the endpoint's URL from the provider's documentation")
        }
    }
}

import Diagnostics
import YAML

/// Suggests the key that an unknown key was probably meant to be.
enum KeySuggestion {
    /// The text of the finding, and the known key that the unknown one stands for, so that its absence is not also reported.
    static func finding(for key: Node, in shape: ShapeName, present: Set<String>) -> (diagnostic: Diagnostic, stoodFor: String?) {
        let name = key.scalar?.text ?? ""
        let names = shape.keys.map(\.name)
        let message = "unknown key `\(name)`" + (shape.place.map { " in `\($0)`" } ?? "")
        func result(_ label: String, _ help: String, _ fix: Fix?, _ stoodFor: String?) -> (Diagnostic, String?) {
            (
                Diagnostic(
                    .unknownKey, at: key.span, message, label: label, help: help,
                    fix: key.anchor == nil ? fix : nil),
                stoodFor
            )
        }
        if let id = shape.fixedID, Schema.provider.contains(where: { $0.name == name }) {
            return result(
                "not a key of `\(id)`", "remove it; the gateway itself is the provider `\(id)`, so there is nothing to connect to", nil, nil
            )
        }
        if let meant = synonym(of: name, in: shape) ?? Spelling.nearest(to: name, among: names) {
            if present.contains(meant) {
                return result("did you mean `\(meant)`? It is already set", "remove this key", nil, meant)
            }
            let fix = Fix(safe: Spelling.isSameWord(name, meant), [Fix.Edit(replacing: key.span, with: meant)])
            return result("did you mean `\(meant)`?", "write `\(meant)`", fix, meant)
        }
        if let home = home(of: name, besides: shape) {
            return result("not a key here", "`\(name)` belongs \(home)", nil, nil)
        }
        if let (path, meant) = moved[Spelling.folded(name)], shape == .root {
            return result("not a key here", "use `\(path)`", nil, meant)
        }
        return result("not a key here", "known keys: \(names.sorted().joined(separator: ", "))", nil, nil)
    }

    /// The place of a known key with exactly this name.
    private static func home(of name: String, besides shape: ShapeName) -> String? {
        let all = ShapeName.allCases.filter { other in other != shape && other.keys.contains { $0.name == name } }
        // Keys of every provider stand for themselves, and providers are closest to each other.
        let near = shape.isProvider ? all.filter(\.isProvider) : []
        let places = all.contains(.provider) ? all.filter { $0.fixedID == nil } : near.isEmpty ? all : near
        guard let place = places.first, places.count == 1 || shape == .root || places.contains(.root) else { return nil }
        if places.contains(.root) { return "at the top level" }
        return place.place.map { "under `\($0)`" }
    }

    /// Names that other products and the standards use for the gateway's keys.
    private static func synonym(of name: String, in shape: ShapeName) -> String? {
        synonyms[shape]?[Spelling.folded(name)]
    }

    private static let synonyms: [ShapeName: [String: String]] = [
        .root: [
            "provider": "providers", "idps": "providers", "identityproviders": "providers", "connectors": "providers",
            "clients": "providers",
            "route": "routes", "rules": "routes", "policies": "routes", "accesscontrol": "routes", "upstreams": "upstream",
            "backend": "upstream", "backends": "upstream", "proxypass": "upstream", "target": "upstream", "log": "logging",
            "logger": "logging",
            "sessions": "session", "cookies": "session", "apiversion": "version", "headers": "identity",
        ],
        .server: [
            "address": "listen", "bind": "listen", "httpaddress": "listen", "port": "listen", "externalurl": "publicURL",
            "rooturl": "publicURL", "baseurl": "publicURL", "url": "publicURL", "proxyprefix": "pathPrefix", "prefix": "pathPrefix",
            "trustedips": "trustedProxies", "trustedproxyips": "trustedProxies", "realclientipheader": "trustedProxies",
            "whitelistdomains": "allowedRedirects", "redirectallowlist": "allowedRedirects", "certificates": "tls",
        ],
        .upstream: [
            "target": "targets", "servers": "targets", "url": "targets", "urls": "targets", "endpoints": "targets", "hosts": "targets",
            "healthcheck": "health", "healthchecks": "health", "activehealthcheck": "health", "outlierdetection": "ejection",
            "passivehealthcheck": "ejection", "maxfails": "ejection", "maxconns": "maxConnections", "maxconn": "maxConnections",
            "connectionlimit": "maxConnections", "maxconnectionsperhost": "maxConnections", "connections": "maxConnections",
        ],
        .upstreamTLS: [
            "ca": "authority", "cafile": "authority", "cacert": "authority", "cacertificate": "authority", "authorities": "authority",
            "rootca": "authority", "trustedca": "authority", "trustroots": "authority", "sni": "serverName", "hostname": "serverName",
            "cert": "certificate", "clientcertificate": "certificate", "clientcert": "certificate", "clientkey": "key", "privatekey": "key",
        ],
        .health: [
            "uri": "path", "url": "path", "every": "interval", "period": "interval", "rise": "healthyAfter", "fall": "unhealthyAfter",
            "healthythreshold": "healthyAfter", "unhealthythreshold": "unhealthyAfter", "successes": "healthyAfter",
            "failures": "unhealthyAfter",
        ],
        .ejection: [
            "maxfails": "failures", "consecutivefailures": "failures", "consecutive5xx": "failures", "failtimeout": "for",
            "duration": "for", "time": "for", "baseejectiontime": "for",
        ],
        .tls: ["cert": "certificate", "certfile": "certificate", "certificatefile": "certificate", "keyfile": "key", "privatekey": "key"],
        .provider: [
            "providerid": "id", "name": "displayName", "title": "displayName", "label": "displayName", "issuerurl": "issuer",
            "oidcissuerurl": "issuer", "discoveryurl": "issuer", "wellknown": "issuer", "clientsecretfile": "clientSecret",
            "secret": "clientSecret", "scope": "scopes", "params": "customParameters", "extraparams": "customParameters",
            "authparams": "customParameters", "authorizationparams": "customParameters", "parameters": "customParameters",
            "loginurlparameters": "customParameters", "audiences": "additionalAudiences", "oidcextraaudiences": "additionalAudiences",
            "algorithms": "idTokenAlgorithms", "tokenendpointauthmethod": "clientAuthentication", "authmethod": "clientAuthentication",
            "url": "baseURL", "claimmapping": "claims", "claimsmapping": "claims", "insecureskipemailverified": "trustEmail",
            "responsetype": "flow", "granttype": "flow", "granttypes": "flow",
        ],
        .endpoints: [
            "authorizationendpoint": "authorization", "authorizationurl": "authorization", "authorize": "authorization",
            "loginurl": "authorization",
            "tokenendpoint": "token", "tokenurl": "token", "redeemurl": "token", "userinfoendpoint": "userinfo", "userinfourl": "userinfo",
            "profileurl": "userinfo", "jwksuri": "jwks", "jwksurl": "jwks", "oidcjwksurl": "jwks", "endsessionendpoint": "endSession",
            "logouturl": "endSession", "logout": "endSession", "revocationendpoint": "revocation", "revoke": "revocation",
        ],
        .claims: [
            "sub": "subject", "userid": "subject", "useridclaim": "subject", "emailclaim": "email", "preferredusername": "username",
            "groupsclaim": "groups", "roles": "groups", "avatar": "picture", "displayname": "name",
        ],
        .session: [
            "key": "keys", "secret": "keys", "cookiesecret": "keys", "idle": "idleTimeout", "inactivity": "idleTimeout",
            "expiration": "absoluteTimeout", "expire": "absoluteTimeout", "lifetime": "absoluteTimeout", "cookieexpire": "absoluteTimeout",
            "maxage": "absoluteTimeout", "cookierefresh": "refresh", "type": "store", "redis": "store",
        ],
        .identity: ["injectrequestheaders": "headers", "passheaders": "headers", "setxauthrequest": "headers", "jwt": "assertion"],
        .route: [
            "domain": "host", "hosts": "host", "hostname": "host", "from": "host", "pathprefix": "path", "prefix": "path", "paths": "path",
            "location": "path", "method": "methods", "to": "upstream", "backend": "upstream", "proxypass": "upstream", "policy": "access",
            "allow": "access", "require": "access", "auth": "access",
        ],
        .access: [
            "email": "emails", "alloweddomains": "emails", "emaildomains": "emails", "domains": "emails", "allowedemails": "emails",
            "group": "groups", "allowedgroups": "groups", "roles": "groups", "user": "users", "provider": "providers", "claim": "claims",
            "mfa": "secondFactor", "twofactor": "secondFactor", "any": "anyOf", "or": "anyOf",
        ],
        .logging: ["loglevel": "level", "verbosity": "level", "logformat": "format"],
    ]

    /// Flat names of other products whose key here is nested: the path, and the top-level key above it.
    private static let moved: [String: (path: String, key: String?)] = [
        "clientid": ("providers[].clientID", "providers"), "clientsecret": ("providers[].clientSecret", "providers"),
        "oidcissuerurl": ("providers[].issuer", "providers"), "issuerurl": ("providers[].issuer", "providers"),
        "scope": ("providers[].scopes", "providers"), "redirecturl": ("server.publicURL", "server"),
        "cookiesecret": ("session.keys", nil), "cookiename": ("session.cookie.name", nil), "cookiedomain": ("session.cookie.domain", nil),
        "cookiedomains": ("session.cookie.domain", nil), "cookieexpire": ("session.absoluteTimeout", nil),
        "httpaddress": ("server.listen", nil), "emaildomains": ("routes[].access.emails", "routes"),
        "allowedgroups": ("routes[].access.groups", "routes"), "skipauthroutes": ("routes[].access: public", "routes"),
        "loglevel": ("logging.level", nil),
    ]
}

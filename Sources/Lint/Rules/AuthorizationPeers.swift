import Config
import Diagnostics
import Primitives

extension RuleName {
    static let authorizationEveryone = RuleName("authorization-everyone")
    static let exposedAuthorization = RuleName("exposed-authorization", .warning)
    static let unnamedAudience = RuleName("unnamed-audience", .warning)
}

extension Rule {
    static let authorizationEveryone = Rule(
        .authorizationEveryone, what: "`authorization.peers` covers every address, with one network or with several combined.",
        why:
            "A peer that may ask chooses the request and the client's address. Any client could try which requests a stolen cookie permits.",
        instead: "List only the networks of your proxies.",
        bad: Example("authorization: { listen: 10.0.0.5:4181, peers: [«0.0.0.0/0»] }\n"),
        good: Example("authorization: { listen: 10.0.0.5:4181, peers: [10.0.0.0/24] }\n"),
        check: { context in
            var ranges: [Bool: [CIDRBlock]] = [:]
            return (context.root["authorization"]?.object?["peers"]?.list ?? []).compactMap { item in
                guard let network = item.text.flatMap({ CIDRBlock($0) }) else { return nil }
                let before = ranges[network.isIPv4, default: []]
                if CIDRSet(before).coversEverything { return nil }
                ranges[network.isIPv4, default: []].append(network)
                guard CIDRSet(before + [network]).coversEverything else { return nil }
                return Diagnostic(
                    .authorizationEveryone, at: item.referenceSpan, "every IPv\(network.isIPv4 ? 4 : 6) address may ask for decisions",
                    label: "everyone may ask", help: "list only the networks of your proxies")
            }
        })

    static let exposedAuthorization = Rule(
        .exposedAuthorization, what: "The authorization listener is on an address that may be reachable from the internet.",
        why: "It is for proxies only. Without `tls`, questions and cookies cross the network in clear text.",
        instead: "Listen on loopback, on a Unix socket, or on an address of the internal network.",
        bad: Example("authorization: { listen: «203.0.113.7:4181» }\n"),
        good: Example("authorization: { listen: 127.0.0.1:4181 }\n"),
        check: { context in
            (context.root["authorization"]?.object?["listen"]?.oneOrMany ?? []).compactMap { item -> Diagnostic? in
                guard case .address(.tcp(let host, _)) = item.scalar, ListenerAddresses.isPublic(host) else { return nil }
                return Diagnostic(
                    .exposedAuthorization, at: item.referenceSpan, "the listener for other proxies may be reachable from the internet",
                    label: "a public address", help: "write `127.0.0.1:4181`, or an address of the internal network")
            }
        })

    static let unnamedAudience = Rule(
        .unnamedAudience, what: "`identity.assertion` has keys and no `audience`, and another proxy forwards the requests.",
        why: "The default audience is the upstream's origin. Without an upstream, the gateway sends no assertion.",
        instead: "Name the app that verifies the assertion.",
        bad: Example(
            """
            version: 1
            server: { publicURL: https://app.example.com }
            authorization: { listen: 127.0.0.1:4181 }
            identity: { «assertion»: { keys: ["${env:ASSERTION_PRIVATE_KEY}"] } }
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            session: { keys: ["${file:./session.key}"] }
            """, whole: true),
        good: Example(
            """
            version: 1
            server: { publicURL: https://app.example.com }
            authorization: { listen: 127.0.0.1:4181 }
            identity: { assertion: { keys: ["${env:ASSERTION_PRIVATE_KEY}"], audience: "https://app.example.com" } }
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            session: { keys: ["${file:./session.key}"] }
            """, whole: true),
        check: { context in
            guard context.root["authorization"] != nil, context.root["upstream"] == nil, let identity = context.root["identity"]?.object,
                let assertion = identity["assertion"]?.object, !(assertion["keys"]?.list?.isEmpty ?? true),
                assertion.isPlainlyMissing("audience"), let span = identity.keySpan("assertion")
            else { return [] }
            return [
                Diagnostic(
                    .unnamedAudience, at: span, "no assertion is sent with requests that another proxy forwards",
                    label: "has no `audience`", help: "add `audience`, such as the app's origin")
            ]
        })
}

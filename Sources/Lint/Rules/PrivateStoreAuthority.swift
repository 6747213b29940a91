import Config
import Diagnostics
import Primitives

extension RuleName {
    static let privateStoreAuthority = RuleName("private-store-authority", .warning)
}

extension Rule {
    static let privateStoreAuthority = Rule(
        .privateStoreAuthority, what: "`session.store` uses TLS with a private host, and no `ca` is set.",
        why:
            "The certificate is then verified with the system's certificate authorities. Public ones issue no certificates for private names and addresses, so the connection fails.",
        instead:
            "Write the store as a mapping, with the PEM file of your own certificate authority in `ca`. If the system trusts that authority, silence the warning.",
        bad: Example(
            """
            session: { keys: ["${file:./session.key}"], store: «rediss://redis.internal:6379/0» }
            """),
        good: Example(
            """
            session:
              keys: ["${file:./session.key}"]
              store: { url: rediss://redis.internal:6379/0, ca: /etc/redis/ca.pem }
            """),
        check: { context in
            guard let item = context.sessionStoreURL, let text = item.text, let url = try? RedisURL(text), url.isTLS,
                context.session?["store"]?.object?["ca"] == nil, let server = url.servers.first(where: { isPrivate($0.host) })
            else { return [] }
            return [
                Diagnostic(
                    .privateStoreAuthority, at: item.referenceSpan,
                    "no public certificate authority issues certificates for `\(server.host)`", label: "`ca` is missing",
                    help: "write `store: { url: …, ca: /etc/redis/ca.pem }`")
            ]
        })

    private static let privateSuffixes = [
        ".internal", ".local", ".localdomain", ".lan", ".intranet", ".corp", ".home", ".home.arpa", ".private", ".svc", ".test",
        ".localhost",
    ]

    /// A name without a dot, a name below a top-level domain that is never public, or an address of a private network.
    private static func isPrivate(_ host: String) -> Bool {
        guard let address = NetworkAddress(host) else {
            return !host.contains(".") || privateSuffixes.contains { host.hasSuffix($0) } || host.hasSuffix(".cluster.local")
        }
        return privateNetworks.contains { $0.contains(address) }
    }

    private static let privateNetworks = [
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16", "100.64.0.0/10", "::1/128", "fc00::/7",
        "fe80::/10",
    ].compactMap { CIDRBlock($0) }
}

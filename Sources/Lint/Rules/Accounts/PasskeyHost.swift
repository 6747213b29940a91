import Config
import Diagnostics
import Primitives

extension RuleName {
    static let passkeyHost = RuleName("passkey-host", .warning)
}

extension Rule {
    static let passkeyHost = Rule(
        .passkeyHost,
        what: "`secondFactor.factors` has `webauthn`, and the host of `publicURL` is an IP address.",
        why: """
            Passkeys belong to a domain: the relying party ID is the host of `publicURL`. Browsers refuse an IP address, so nobody can add or use \
            a passkey.
            """,
        instead:
            "Use a host name in `publicURL`; for tests on this machine, `http://localhost` works. Or leave `webauthn` out of `factors`.",
        bad: Example(
            """
            server: { publicURL: «http://127.0.0.1:4180» }
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
            secondFactor: { factors: [totp, webauthn, recovery] }
            """),
        good: Example(
            """
            server: { publicURL: http://localhost:4180 }
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
            secondFactor: { factors: [totp, webauthn, recovery] }
            """),
        check: { context in
            guard let settings = context.configuration.secondFactor, settings.isOn, settings.factors.contains(.webauthn),
                let item = context.server?["publicURL"], case .origin(let origin) = item.scalar,
                origin.host.hasPrefix("[") || NetworkAddress(origin.host) != nil
            else { return [] }
            return [
                Diagnostic(
                    .passkeyHost, at: item.referenceSpan, "browsers offer no passkeys on an IP address", label: "an IP address",
                    help: "use a host name, or leave `webauthn` out of `secondFactor.factors`")
            ]
        })
}

import Config
import Providers

/// The commented file that `gateway init` writes.
package enum StarterConfiguration {
    package struct Starter: Sendable {
        /// The text of `gateway.yaml`.
        package let text: String
        /// The file that holds the session key, relative to the configuration.
        package let sessionKeyFile: String
        /// The environment variable that holds the client secret or private key; nil when the provider needs none.
        package let secretVariable: String?
        /// The redirect URI to register at the provider.
        package let redirectURI: String
    }

    /// A starter for a provider; nil when this version has no such provider. It validates without a finding once the key
    /// file and the variable exist.
    package static func make(provider text: String, publicURL: String = "https://app.example.com") -> Starter? {
        guard case .success(let id) = ProviderIDCheck.read(text), let preset = ProviderCatalogue.preset(for: id) else { return nil }
        let usesKey = preset.requires.contains(.privateKey)
        let variable = usesKey ? variableName(for: id, "PRIVATE_KEY") : preset.needsSecret ? variableName(for: id, "CLIENT_SECRET") : nil
        let redirectURI = ProviderSettings.redirectURI(for: text, redirectBase: publicURL + "/_gateway")
        let lines =
            [
                "# yaml-language-server: $schema=./gateway.schema.json",
                "# (`gateway schema > gateway.schema.json` lets an editor complete and check this file.)",
                "#", "# gateway: a sign-in in front of your app. `gateway validate` checks this file, `gateway run` serves it.",
                "version: 1", "",
            ]
            + server(publicURL) + upstream + provider(id, preset, variable, redirectURI) + session + routes
        return Starter(
            text: lines.joined(separator: "\n") + "\n", sessionKeyFile: "session.key", secretVariable: variable, redirectURI: redirectURI)
    }

    private static func server(_ publicURL: String) -> [String] {
        [
            "server:", "  listen: 127.0.0.1:4180", "  # The address in the browser's bar: https, even when a proxy in front does the TLS.",
            "  publicURL: \(publicURL)", "",
        ]
    }

    private static let upstream = [
        "# Your app. It receives X-Forwarded-User, X-Forwarded-Email and X-Forwarded-Groups.", "upstream: http://127.0.0.1:8080", "",
    ]

    private static func provider(_ id: ProviderID, _ preset: ProviderPreset, _ variable: String?, _ redirectURI: String) -> [String] {
        var lines = [
            "providers:", "  # Register this redirect URI at \(preset.displayName):", "  #   \(redirectURI)", "  - id: \(id.text)",
        ]
        for requirement in preset.requires {
            switch requirement {
            case .issuer: lines += ["    # Byte for byte as the provider writes it.", "    issuer: https://auth.example.com"]
            case .baseURL: lines.append("    baseURL: https://login.example.com")
            case .realm: lines.append("    realm: main")
            case .tenant: lines += ["    # The directory's id or domain.", "    tenant: contoso.onmicrosoft.com"]
            case .privateKey: break
            case .endpoints:
                lines += [
                    "    endpoints:", "      authorization: https://auth.example.com/oauth/authorize",
                    "      token: https://auth.example.com/oauth/token",
                    "      userinfo: https://auth.example.com/oauth/userinfo",
                ]
            }
        }
        lines += ["    # The client ID that the provider assigned.", "    clientID: 0123456789"]
        if preset.requires.contains(.privateKey), let variable {
            lines += [
                "    # The PEM; never in this file: set the variable where the gateway runs, or use ${file:PATH}.",
                "    privateKey: ${env:\(variable)}",
            ]
            if preset.habits.signsClientSecret {
                lines += ["    # Of that key, and of the team that owns it.", "    keyID: ABC123DEFG", "    teamID: DEF456GHIJ"]
            }
        } else if let variable {
            lines += [
                "    # Never in this file: set the variable where the gateway runs, or use ${file:PATH}.",
                "    clientSecret: ${env:\(variable)}",
            ]
        } else {
            lines.append("    clientAuthentication: none")
        }
        if !preset.baseScopes.isEmpty {
            lines += ["    # Beyond \(preset.baseScopes.joined(separator: ", ")):", "    # scopes: []"]
        }
        return lines + [""]
    }

    private static let session = [
        "session:", "  # Written by `gateway init`; keep it out of the repository.", "  keys: [\"${file:./session.key}\"]",
        "  idleTimeout: 1h",
        "  absoluteTimeout: 24h", "",
    ]

    private static let routes = [
        "# The first match wins.", "routes:", "  - path: /health", "    access: public", "  - path: /**",
        "    # Who may pass. Without a rule, everyone who can sign in.", "    access:",
        "      users: []   # gateway user ids; nobody passes yet",
        "      # emails: [\"*@example.com\"]", "      # groups: [staff]",
    ]

    /// `GITHUB_CLIENT_SECRET` for `github.com`, `ACME_CLIENT_SECRET` for `oidc.acme`, `APPLE_PRIVATE_KEY` for `apple.com`.
    private static func variableName(for id: ProviderID, _ suffix: String) -> String {
        let base = id.slug ?? String(id.preset.prefix { $0 != "." })
        let name = String(base.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return (name.first?.isNumber ?? true ? "_" : "") + name + "_" + suffix
    }
}

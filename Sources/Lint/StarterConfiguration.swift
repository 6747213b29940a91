import Config
package import Diagnostics
import Providers

/// The commented file that `gateway init` writes.
///
/// It validates without a finding once its secret is set and its placeholders, which `placeholder-value` reports, are replaced.
package struct StarterConfiguration: Sendable {
    /// The file that holds the session key, relative to the configuration.
    package static let sessionKeyFile = "session.key"

    private let answers: StarterAnswers

    package init(_ answers: StarterAnswers) { self.answers = answers }

    private var id: ProviderID { answers.providerID }
    private var preset: ProviderPreset { answers.preset }

    /// The redirect URI to register at the provider.
    package var redirectURI: String { answers.redirectURI }

    /// The environment variable that holds the client secret or private key; nil when the provider needs none.
    package var secretVariable: String? {
        if preset.requires.contains(.privateKey) { return variableName("PRIVATE_KEY") }
        return preset.needsSecret ? variableName("CLIENT_SECRET") : nil
    }

    /// The text of `gateway.yaml`.
    package var text: String {
        let head = [
            "# yaml-language-server: $schema=./gateway.schema.json",
            "# For completion in editors: gateway schema > gateway.schema.json",
            "#", "# `gateway validate` checks this file, `gateway run` serves it.", "version: 1", "",
        ]
        return (head + server + upstream + provider + session + routes).joined(separator: "\n") + "\n"
    }

    private var server: [String] {
        [
            "server:",
            "  listen: \(YAMLPrinter.scalar(answers.listen))",
            "  # The address that browsers use, even when a proxy in front terminates TLS.",
            "  publicURL: \(YAMLPrinter.scalar(answers.publicURL))",
        ]
            + (answers.isBehindProxy
                ? [
                    "  # Without such a proxy, listen on :443 and let the gateway terminate TLS:",
                    "  # tls: { certificate: PATH, key: PATH }",
                ] : [])
            + [""]
    }

    private var upstream: [String] {
        [
            "# Your app. It receives the user in X-Forwarded-User and other headers.",
            "upstream: \(YAMLPrinter.scalar(answers.upstream))", "",
        ]
    }

    private var provider: [String] {
        var lines = ["providers:", "  # Register this redirect URI at \(answers.providerName):", "  #   \(redirectURI)"]
        if answers.allowed?.isEveryone == true, answers.admitsAnyone {
            lines.append("  # gateway-ignore: no-access-rule everyone who signs in may enter")
        }
        lines.append("  - id: \(id.text)")
        if let baseURL = answers[.baseURL], !preset.requires.contains(.baseURL) { lines.append(setting("baseURL", baseURL)) }
        lines += preset.requires.flatMap(requirement)
        lines += ["    # The client ID that the provider assigned.", setting("clientID", answers[.clientID] ?? Placeholder.credential)]
        return lines + credential + scopes + [""]
    }

    private func requirement(_ requirement: ProviderPreset.Requirement) -> [String] {
        let site = "https://\(Placeholder.host)"
        switch requirement {
        case .issuer: return ["    # Exactly as the provider writes it.", setting("issuer", answers[.issuer] ?? site)]
        case .baseURL: return [setting("baseURL", answers[.baseURL] ?? site)]
        case .realm: return [setting("realm", answers[.realm] ?? Placeholder.credential)]
        case .tenant: return ["    # The directory's ID or domain.", setting("tenant", answers[.tenant] ?? Placeholder.credential)]
        case .privateKey: return []
        case .endpoints:
            return ["    endpoints:"]
                + ["authorization", "token", "userinfo"].map { "      \($0): \(site)/oauth/\($0 == "authorization" ? "authorize" : $0)" }
        }
    }

    private var credential: [String] {
        guard let variable = secretVariable else { return ["    clientAuthentication: none"] }
        let comment = "    # Set this variable where the gateway runs, or write ${file:PATH}."
        guard preset.requires.contains(.privateKey) else { return [comment, "    clientSecret: ${env:\(variable)}"] }
        let names =
            preset.habits.signsClientSecret
            ? [
                "    # The key's ID, and the ID of the team that owns it.", setting("keyID", Placeholder.credential),
                setting("teamID", Placeholder.credential),
            ] : []
        return [comment, "    privateKey: ${env:\(variable)}"] + names
    }

    private var scopes: [String] {
        if let scope = preset.groupScope, answers.allowed?.groups.isEmpty == false {
            return ["    # \(preset.displayName) lists a user's groups for this scope.", "    scopes: [\(YAMLPrinter.scalar(scope))]"]
        }
        return preset.baseScopes.isEmpty ? [] : ["    # In addition to \(preset.baseScopes.joined(separator: ", ")):", "    # scopes: []"]
    }

    private var session: [String] {
        [
            "session:", "  # Written by `gateway init`. Keep it secret and out of version control.",
            "  keys: [\"${file:./\(Self.sessionKeyFile)}\"]", "  idleTimeout: 1h", "  absoluteTimeout: 24h", "",
        ]
    }

    private var routes: [String] {
        [
            "# The first route that matches a request decides.", "routes:", "  # Open to everyone, for a load balancer's checks:",
            "  # - path: /health", "  #   access: public", "  - path: /**",
        ] + access
    }

    private var access: [String] {
        guard let allowed = answers.allowed else {
            return [
                "    # Who may enter: addresses, *@ with a domain, or groups: [NAME].", "    access:",
                "      emails: [you@\(Placeholder.host)]",
            ]
        }
        if allowed.isEveryone { return ["    # Everyone who signs in may enter.", "    access: authenticated"] }
        let emails = allowed.emails.isEmpty ? [] : ["emails: [\(list(allowed.emails))]"]
        let groups = allowed.groups.isEmpty ? [] : ["groups: [\(list(allowed.groups))]"]
        let conditions = emails + groups
        guard conditions.count > 1 else { return ["    # Who may enter.", "    access:"] + conditions.map { "      " + $0 } }
        return ["    # Who may enter: users who meet one of these.", "    access:", "      anyOf:"] + conditions.map { "        - " + $0 }
    }

    private func list(_ items: [String]) -> String { items.map(YAMLPrinter.scalar).joined(separator: ", ") }

    private func setting(_ key: String, _ value: String) -> String { "    \(key): \(YAMLPrinter.scalar(value))" }

    /// `GITHUB_CLIENT_SECRET` for `github.com`, `ACME_CLIENT_SECRET` for `oidc.acme`, `APPLE_PRIVATE_KEY` for `apple.com`.
    private func variableName(_ suffix: String) -> String {
        let base = id.slug ?? String(id.preset.prefix { $0 != "." })
        let name = String(base.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return (name.first?.isNumber ?? true ? "_" : "") + name + "_" + suffix
    }
}

extension StarterConfiguration {
    /// The values to replace before the file can be served, each with its line.
    package var placeholders: [(line: Int, message: String)] {
        let source = SourceFile(name: "gateway.yaml", text: text)
        return diagnostics(of: source).filter { $0.rule == .placeholderValue }.map { diagnostic in
            (source.position(at: diagnostic.span.start).line, diagnostic.message)
        }
    }

    /// Warnings besides.
    package var warnings: [Diagnostic] {
        diagnostics(of: SourceFile(name: "gateway.yaml", text: text)).filter {
            $0.severity == .warning && !Self.nobodyPasses.contains($0.rule)
        }
    }

    /// Findings that make an answer unusable: errors other than what is left to fill in, and rules that reject every user.
    var defects: [Diagnostic] {
        diagnostics(of: SourceFile(name: "gateway.yaml", text: text)).filter { diagnostic in
            switch diagnostic.rule {
            case .placeholderValue, .unresolvedReference: false
            case let rule: diagnostic.severity == .error || answers.allowed != nil && Self.nobodyPasses.contains(rule)
            }
        }
    }

    private static let nobodyPasses: Set<RuleName> = [.emptyCondition, .noGroupSource, .unverifiedEmailRule]

    /// As long as neither the secret nor the key file exists.
    private func diagnostics(of source: SourceFile) -> [Diagnostic] {
        let surroundings = Surroundings(variable: { _ in nil }, file: { _ in .unreadable(reason: "not written yet") })
        return Linter.check(source, surroundings: surroundings).findings.diagnostics
    }
}

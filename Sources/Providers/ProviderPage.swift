/// Instructions to register the gateway with a provider, from the preset: the text of `gateway providers ID` and of the generated
/// part of `docs/providers/`.
package enum ProviderPage {
    /// A named fact, in display order.
    package struct Fact: Sendable, Equatable {
        package var name, value: String
    }

    /// The addresses to enter in the provider's console. `redirectBase` is the origin and path prefix.
    package struct Addresses: Sendable {
        package var redirectURI, loggedOutURI: String

        package init(id: String, redirectBase: String) {
            self.redirectURI = ProviderSettings.redirectURI(for: id, redirectBase: redirectBase)
            self.loggedOutURI = redirectBase + "/logged-out"
        }
    }

    package static func facts(_ preset: ProviderPreset) -> [Fact] {
        var facts: [Fact] = []
        func fact(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { facts.append(Fact(name: name, value: value)) }
        }
        fact("kind", preset.kind == .oidc ? "OpenID Connect" : "OAuth 2.0")
        fact("issuer", preset.issuer.map { self.filled($0, preset) })
        let endpoints = preset.endpoints
        for (name, endpoint) in [
            ("authorization", endpoints.authorization), ("token", endpoints.token), ("userinfo", endpoints.userinfo),
            ("keys", endpoints.jwks), ("end session", endpoints.endSession), ("revocation", endpoints.revocation),
        ] {
            fact(name, endpoint.map { self.filled($0, preset) })
        }
        if preset.kind == .oidc { fact("endpoints", "from discovery") }
        fact("base scopes", preset.baseScopes.joined(separator: " "))
        fact("authentication", self.authentication(preset))
        fact("response mode", preset.responseMode == .formPost ? "form_post" : nil)
        fact("subject", ([preset.habits.subjectQualifier, preset.claims.subject].compactMap { $0 }).joined(separator: " with "))
        fact("e-mail", self.email(preset))
        fact("groups", self.groups(preset))
        fact("required keys", self.needs(preset))
        fact("signing in again", self.freshSignIn(preset))
        return facts
    }

    /// What `/reauthenticate` asks for, and whether the provider may answer from its own session (`ProviderSettings.freshSignInParameters`).
    private static func freshSignIn(_ preset: ProviderPreset) -> String {
        let prompt = preset.parameter(named: "prompt")
        let choice = ["login", "select_account"].first { prompt?.accepts($0) == true }
        let asked = [choice.map { "`prompt=\($0)`" }, preset.kind == .oidc ? "`max_age=0`" : nil].compactMap { $0 }.joined(separator: ", ")
        if preset.kind == .oidc {
            let rest =
                choice == "login"
                ? "if the provider ignores them and its ID token has no `auth_time`" : "if the ID token has no `auth_time`"
            return "\(asked); can be silent \(rest)"
        }
        switch choice {
        case "login": return "\(asked); can be silent if the provider ignores it, because no ID token confirms it"
        case .some: return "\(asked); can be silent, because the provider asks for an account and not for its credentials"
        case nil: return "can be silent, because the provider has no parameter that asks for the credentials"
        }
    }

    /// Fills in the preset's base URL. Templates that need the configuration stay, and `{version}` is removed.
    private static func filled(_ template: String, _ preset: ProviderPreset) -> String {
        let versioned = ProviderSettings.replacing("{version}", in: template, with: "")
        return preset.baseURL.map { ProviderSettings.replacing("{base}", in: versioned, with: $0) } ?? versioned
    }

    private static func authentication(_ preset: ProviderPreset) -> String? {
        if preset.habits.signsClientSecret { return "client_secret_post, with a secret signed with `privateKey`" }
        return preset.clientAuthentication?.rawValue
    }

    private static func email(_ preset: ProviderPreset) -> String? {
        switch preset.email {
        case .neverVouched: return "never verified"
        case .fromEndpoint(let endpoint): return "verified if the list of addresses says `\(endpoint.verified)`"
        case .claim:
            guard let claim = preset.claims.emailVerified else { return "never verified" }
            let claims = [claim, preset.habits.emailAlsoVerifiedBy].compactMap { $0.map { "`\($0)`" } }
            return "verified if \(claims.joined(separator: " and ")) \(claims.count > 1 ? "are" : "is") true"
        }
    }

    private static func groups(_ preset: ProviderPreset) -> String? {
        var sources = [preset.claims.groups].compactMap { $0.map { "claim `\($0)`" } }
        sources += preset.habits.groupClaims.map { "`\($0.path)` as `\($0.prefix)…`" }
        sources += preset.habits.groupEndpoints.map { endpoint in
            switch endpoint.trigger {
            case .scopes(let scopes): "an API, with the scope `\(scopes[0])`"
            case .overage: "Microsoft Graph, if they do not fit into the token"
            }
        }
        var unique: [String] = []
        for source in sources where !unique.contains(source) { unique.append(source) }
        return unique.joined(separator: "; ")
    }

    private static func needs(_ preset: ProviderPreset) -> String {
        var keys = preset.requires.map(\.rawValue)
        if preset.habits.signsClientSecret { keys += ["keyID", "teamID"] }
        return keys.map { "`\($0)`" }.joined(separator: ", ")
    }

    package static func steps(_ preset: ProviderPreset, _ addresses: Addresses) -> [String] {
        preset.consoleSteps.map { self.filled($0, addresses) }
    }

    /// Replaces every occurrence of both names.
    private static func filled(_ step: String, _ addresses: Addresses) -> String {
        var text = step
        for (name, value) in [("{redirectURI}", addresses.redirectURI), ("{loggedOutURI}", addresses.loggedOutURI)] {
            text = text.split(separator: name, omittingEmptySubsequences: false).joined(separator: value)
        }
        return text
    }

    /// The part of `docs/providers/{id}.md` between its markers.
    package static func markdown(_ preset: ProviderPreset) -> String {
        let id = self.exampleID(preset)
        let addresses = Addresses(id: id, redirectBase: "{publicURL}/_gateway")
        var text = "## Configuration\n\n```yaml\n\(self.example(preset, id: id))```\n"
        text += "\n## Registration\n\n`gateway providers \(id) gateway.yaml` prints these steps with the addresses of your gateway.\n\n"
        for (index, step) in self.steps(preset, addresses).enumerated() { text += "\(index + 1). \(self.coded(step, addresses))\n" }
        text += "\n## Preset\n\n| | |\n|---|---|\n"
        for fact in self.facts(preset) {
            let isWords = fact.value.contains("`") || ["kind", "endpoints", "e-mail", "needs"].contains(fact.name)
            text += "| \(fact.name) | \(isWords ? fact.value : "`\(fact.value)`") |\n"
        }
        if !preset.defaultParameters.isEmpty {
            let sent = preset.defaultParameters.map { "`\($0.name)=\($0.value)`" }.joined(separator: ", ")
            text += "| default parameters | \(sent) |\n"
        }
        if !preset.parameters.isEmpty {
            text +=
                "\n### Parameters\n\nFor `customParameters`. All values are strings.\n\n| parameter | values | meaning |\n|---|---|---|\n"
            for parameter in preset.parameters {
                let values = parameter.values.map { $0.map { "`\($0)`" }.joined(separator: ", ") } ?? "any text"
                text += "| `\(parameter.name)` | \(values) | \(parameter.summary) |\n"
            }
        }
        if !preset.knownScopes.isEmpty {
            text += "\n### Scopes\n\n" + preset.knownScopes.map { "`\($0)`" }.joined(separator: ", ") + "\n"
        }
        if !preset.quirks.isEmpty {
            text += "\n## Quirks\n\n" + preset.quirks.map { "- \($0)\n" }.joined()
        }
        return text
    }

    /// Formats addresses as code, so that Markdown renderers do not turn them into links.
    private static func coded(_ step: String, _ addresses: Addresses) -> String {
        var text = step
        for address in [addresses.redirectURI, addresses.loggedOutURI] {
            text = text.split(separator: address, omittingEmptySubsequences: false).joined(separator: "`\(address)`")
        }
        return text
    }

    /// The id of a configured provider of this preset.
    package static func exampleID(_ preset: ProviderPreset) -> String {
        [ProviderCatalogue.oidc, ProviderCatalogue.oauth2].contains(preset.id) ? preset.id + ".acme" : preset.id
    }

    /// A whole entry of `providers`.
    private static func example(_ preset: ProviderPreset, id: String) -> String {
        var lines = ["providers:", "  - id: \(id)"]
        for requirement in preset.requires {
            switch requirement {
            case .issuer:
                lines.append(
                    "    issuer: \(preset.id == "cognito" ? "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEf" : preset.id == "auth0" ? "https://acme.eu.auth0.com/" : "https://auth.example.com")"
                )
            case .baseURL: lines.append("    baseURL: https://login.example.com")
            case .realm: lines.append("    realm: staff")
            case .tenant: lines.append("    tenant: contoso.onmicrosoft.com")
            case .endpoints:
                lines += [
                    "    endpoints:", "      authorization: https://auth.example.com/oauth/authorize",
                    "      token: https://auth.example.com/oauth/token", "      userinfo: https://auth.example.com/oauth/userinfo",
                    "    claims: { subject: id, username: login, name: name }",
                ]
            case .privateKey: break
            }
        }
        lines.append("    clientID: 5f3c0d6e7a1b4c2d")
        if preset.requires.contains(.privateKey) {
            lines.append("    privateKey: ${file:./\(preset.habits.signsClientSecret ? "AuthKey.p8" : "client.pem")}")
            if preset.habits.signsClientSecret { lines += ["    keyID: ABC123DEFG", "    teamID: DEF456GHIJ"] }
        } else {
            lines.append("    clientSecret: ${env:CLIENT_SECRET}")
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

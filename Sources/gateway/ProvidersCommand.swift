import ArgumentParser
import Config
import Lint
import Providers

struct ProvidersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List the provider presets, or show one.")

    @Argument(help: "A provider's id, such as github.com or oidc.acme.")
    var id: String?

    @Argument(help: "A configuration file: show the addresses of its publicURL.")
    var config: String?

    func run() throws {
        guard let id else { return list() }
        guard let preset = ProviderCatalogue.preset(for: id) else {
            let hint = ProviderCatalogue.suggestion(for: id).map { "; did you mean `\($0)`?" } ?? ""
            Terminal.say("gateway: there is no provider `\(id)`\(hint) `gateway providers` lists them.")
            throw ExitCode(1)
        }
        show(preset, id: id, redirectBase: try redirectBase())
    }

    private func list() {
        let width = ProviderCatalogue.presets.map(\.id.count).max() ?? 0
        for preset in ProviderCatalogue.presets {
            let pad = String(repeating: " ", count: width + 2 - preset.id.count)
            print("\(preset.id)\(pad)\(preset.kind == .oidc ? "OpenID Connect" : "OAuth 2.0     ")  \(preset.displayName)")
        }
        print("\nWrite oidc.<name> for any OpenID provider, and <preset>/<name> for a second of one kind.")
        print("`gateway providers ID` shows endpoints, scopes, parameters and what to register.")
    }

    /// `publicURL` and `pathPrefix` of the configuration; a placeholder without one.
    private func redirectBase() throws -> String {
        guard let config else { return "{publicURL}/_gateway" }
        guard case .success(let source) = ConfigurationPath.read(config),
            case .success(let loaded) = ConfigLoader.load(source, surroundings: .system(forFile: config)),
            let publicURL = loaded.configuration.server.publicURL
        else {
            Terminal.say("gateway: \(config) cannot be used; `gateway validate \(config)` says why")
            throw ExitCode(1)
        }
        return publicURL.text + loaded.configuration.server.pathPrefix
    }

    private func show(_ preset: ProviderPreset, id: String, redirectBase: String) {
        func line(_ name: String, _ value: String) {
            print(name + String(repeating: " ", count: max(1, 18 - name.count)) + value.filter { $0 != "`" })
        }
        let addresses = ProviderPage.Addresses(id: id, redirectBase: redirectBase)
        print("\(preset.displayName) (\(id))\n")
        line("redirect URI", addresses.redirectURI)
        for fact in ProviderPage.facts(preset) { line(fact.name, fact.value) }
        if !preset.parameters.isEmpty {
            print("\nparameters")
            for parameter in preset.parameters {
                let values = parameter.values.map { " (" + $0.joined(separator: ", ") + ")" } ?? ""
                print("  \(parameter.name)\(values): \(parameter.summary)")
            }
        }
        print("\nat the provider")
        for (index, step) in ProviderPage.steps(preset, addresses).enumerated() { print("  \(index + 1). \(step)") }
        if !preset.quirks.isEmpty {
            print("\nto know")
            for quirk in preset.quirks { print("  - \(quirk)") }
        }
    }
}

import ArgumentParser
import Config
import Lint
import Providers

struct ProvidersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List the provider presets, or show one.",
        discussion: """
            Shows the endpoints, scopes and parameters of a preset, and how to register the gateway at the provider. With a \
            configuration file, the addresses to register are those of its publicURL; its secrets need not be on this machine.

              gateway providers github.com gateway.yaml
            """)

    @Argument(help: "A provider's id, such as github.com or oidc.acme. Default: a list of all presets.")
    var id: String?

    @Argument(help: "A configuration file; - reads standard input.")
    var config: String?

    func run() throws {
        guard let id else { return list() }
        if Configuration.ownProviderIDs.contains(id) {
            return showOwn(id)
        }
        guard let preset = ProviderCatalogue.preset(for: id) else {
            let hint = ProviderCatalogue.suggestion(for: id).map { " Did you mean `\($0)`?" } ?? ""
            Terminal.say(
                """
                gateway: `\(id)` is not a provider.\(hint)
                help: `gateway providers` lists them; `oidc.<name>` is any OpenID provider
                """)
            throw ExitCode(1)
        }
        show(preset, id: id, redirectBase: try redirectBase())
    }

    /// `password` and `anonymous`, which no preset describes.
    private func showOwn(_ id: String) {
        let isPassword = id == PasswordProviderConfiguration.id
        let text =
            isPassword
            ? """
            Users sign in with an e-mail address and a password, which the gateway keeps.
            There is nothing to register. It needs `accounts`, and `mail` for users who
            register or forget their password. With `signUp: false`, an operator creates
            the accounts: see `gateway users create --help`.
            """
            : """
            Users start without credentials and can link a provider later. There is
            nothing to register. It needs `accounts`.
            """
        print("`\(id)` is the gateway itself\n\n\(text)\n\n    providers:\n      - id: \(id)")
    }

    /// Every id in the first column is accepted by this command and by the configuration.
    private func list() {
        let rows = ProviderCatalogue.presets.map { preset in
            preset.isGeneric
                ? (id: "\(preset.id).\(Self.exampleName)", kind: preset.kind, name: "any other provider")
                : (id: preset.id, kind: preset.kind, name: preset.displayName)
        }
        let width = rows.map(\.id.count).max() ?? 0
        for row in rows {
            let pad = String(repeating: " ", count: width + 2 - row.id.count)
            print("\(row.id)\(pad)\(row.kind == .oidc ? "OpenID Connect" : "OAuth 2.0     ")  \(row.name)")
        }
        print(
            """

            Write oidc.<name> for any OpenID Connect provider and oauth2.<name> for any
            OAuth 2.0 provider. A second one of a preset is <preset>/<name>, such as
            github.com/partners. `gateway providers ID` shows one of them.
            """)
    }

    private static let exampleName = "acme"

    /// The base of the gateway's own endpoints; a placeholder without a configuration.
    private func redirectBase() throws -> String {
        guard let config else { return "{publicURL}/_gateway" }
        let location = ConfigurationPath(named: config)
        switch ConfigLoader.endpointBase(of: try location.contents(), surroundings: location.surroundings) {
        case .success(let base): return base
        case .failure(let refusal):
            Terminal.say(refusal.report)
            throw ExitCode(1)
        }
    }

    private func show(_ preset: ProviderPreset, id: String, redirectBase: String) {
        func line(_ text: String, hanging: Int) {
            print(TextWrap.wrapped(text, columns: Terminal.columns, hanging: hanging))
        }
        func fact(_ name: String, _ value: String) {
            let name = name + String(repeating: " ", count: max(1, 18 - name.count))
            line(name + value.filter { $0 != "`" }, hanging: name.count)
        }
        let addresses = ProviderPage.Addresses(id: id, redirectBase: redirectBase)
        print("\(preset.displayName) (\(id))\n")
        fact("redirect URI", addresses.redirectURI)
        for item in ProviderPage.facts(preset) { fact(item.name, item.value) }
        if !preset.parameters.isEmpty {
            print("\nparameters")
            for parameter in preset.parameters {
                let values = parameter.values.map { " (" + $0.joined(separator: ", ") + ")" } ?? ""
                line("  \(parameter.name)\(values): \(parameter.summary)", hanging: 4)
            }
        }
        print("\nat the provider")
        for (index, step) in ProviderPage.steps(preset, addresses).enumerated() { line("  \(index + 1). \(step)", hanging: 5) }
        if !preset.quirks.isEmpty {
            print("\nnotes")
            for quirk in preset.quirks { line("  - \(quirk)", hanging: 4) }
        }
    }
}

extension ProviderPreset {
    fileprivate var isGeneric: Bool { id == ProviderCatalogue.oidc || id == ProviderCatalogue.oauth2 }
}

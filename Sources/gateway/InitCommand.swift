import ArgumentParser
import Diagnostics
import Glibc
import Lint
import Primitives
import Providers
import TokenCrypto

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Write a commented gateway.yaml and a session key file.",
        discussion: """
            On a terminal it asks for every answer that no option gives. With --yes, or without a terminal, it asks nothing: it takes defaults, \
            and placeholders where there is no default. `gateway validate` reports every placeholder.

            Existing files are overwritten only with --force, which keeps an existing session key.
            """)

    @Option(help: "The address that browsers use: https://HOST, or http://localhost:PORT to try it on this machine.")
    var publicURL: String?

    @Option(help: "The address of your app, such as http://127.0.0.1:8080 or unix:/run/app.sock.")
    var upstream: String?

    @Option(help: "Where users sign in: a preset such as github.com, or oidc.NAME. `gateway providers` lists the presets.")
    var provider: String?

    @Option(help: "The provider's issuer, for OpenID Connect providers without a fixed one.")
    var issuer: String?

    @Option(help: "The provider's base URL, where it is self-hosted.")
    var baseURL: String?

    @Option(help: "The provider's realm (Keycloak).")
    var realm: String?

    @Option(help: "The directory's ID or domain (Microsoft).")
    var tenant: String?

    @Option(help: "The client ID that the provider assigned.")
    var clientID: String?

    @Option(
        help: ArgumentHelp(
            "Who may enter: everyone, or an address, a domain or group:NAME. Repeat it, or separate with commas.", valueName: "who"))
    var allow: [String] = []

    @Option(help: "The folder to write to.")
    var directory = "."

    @Flag(name: .shortAndLong, help: "Ask nothing: take defaults, and placeholders where there is none.")
    var yes = false

    @Flag(help: "Overwrite an existing gateway.yaml.")
    var force = false

    func run() throws {
        let configuration = FileToWrite(directory: directory, name: "gateway.yaml")
        let key = FileToWrite(directory: directory, name: StarterConfiguration.sessionKeyFile)
        if !force, let existing = [configuration, key].first(where: \.exists) {
            Terminal.say("gateway: \(existing.path) exists and was not changed")
            Terminal.say("help: choose another folder with --directory, or overwrite gateway.yaml with --force")
            throw ExitCode(1)
        }
        // Decided before the questions: a key that appears meanwhile is somebody else's.
        let keepsKey = key.exists
        let starter = StarterConfiguration(try answers())
        // Anyone who can read this key can sign in as any user.
        if !keepsKey { try key.write(Base64.encode(SecureRandom.bytes(32)) + "\n", mode: 0o600) }
        do {
            try configuration.write(starter.text, mode: 0o644, replacing: force)
        } catch {
            // The next try would stop at a key that no configuration uses.
            if !keepsKey { key.remove() }
            throw error
        }
        Terminal.say(keepsKey ? "\nWrote \(configuration.path); kept \(key.path)." : "\nWrote \(configuration.path) and \(key.path).")
        for warning in starter.warnings { Terminal.say("warning[\(warning.rule.rawValue)]: \(warning.message)") }
        Terminal.say("\nNext:")
        for (index, step) in steps(starter, configuration.path).enumerated() { Terminal.say("  \(index + 1). \(step)") }
    }

    /// The options' answers, completed on the terminal.
    private func answers() throws -> StarterAnswers {
        var answers = StarterAnswers()
        for question in StarterAnswers.Question.allCases {
            guard let text = option(question) else { continue }
            do throws(StarterAnswers.Problem) {
                try answers.set(question, to: text)
            } catch {
                throw Terminal.usageError("--\(question.rawValue): \(error.message)", help: error.help)
            }
        }
        return !yes && InitDialogue.isPossible ? try InitDialogue().complete(answers) : answers
    }

    private func option(_ question: StarterAnswers.Question) -> String? {
        switch question {
        case .publicURL: publicURL
        case .upstream: upstream
        case .provider: provider
        case .issuer: issuer
        case .baseURL: baseURL
        case .realm: realm
        case .tenant: tenant
        case .clientID: clientID
        case .allow: allow.isEmpty ? nil : allow.joined(separator: ",")
        }
    }

    private func steps(_ starter: StarterConfiguration, _ path: String) -> [String] {
        var steps = ["Register this redirect URI at the provider:\n       \(starter.redirectURI)"]
        let placeholders = starter.placeholders.map { "       line \($0.line): \($0.message)" }
        if !placeholders.isEmpty {
            steps.append("Replace the placeholders in \(path):\n" + placeholders.joined(separator: "\n"))
        }
        if let variable = starter.secretVariable {
            steps.append("export \(variable)=…   # \(variable.hasSuffix("_KEY") ? "the private key, in PEM" : "the client secret")")
        }
        return steps + ["gateway validate \(path)", "gateway run \(path)"]
    }
}

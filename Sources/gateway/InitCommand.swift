import ArgumentParser
import Glibc
import Lint
import Providers
import TokenCrypto

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Write a commented starter gateway.yaml and a session key file.",
        discussion: "Files that exist are never overwritten.")

    @Option(help: "The provider to start with: a preset such as github.com, or oidc.<name>. `gateway providers` lists them.")
    var provider = "oidc.acme"

    @Option(help: "The folder to write to.")
    var directory = "."

    func run() throws {
        guard let starter = StarterConfiguration.make(provider: provider) else {
            let hint = ProviderCatalogue.suggestion(for: provider).map { "; did you mean `\($0)`?" } ?? ""
            Terminal.say("gateway: there is no provider `\(provider)`\(hint) `gateway providers` lists them.")
            throw ExitCode(1)
        }
        let configuration = directory + "/gateway.yaml"
        let key = directory + "/" + starter.sessionKeyFile
        for path in [configuration, key] where access(path, F_OK) == 0 {
            Terminal.say("gateway: \(path) exists and is left alone; move it away, or choose another folder with --directory")
            throw ExitCode(1)
        }
        try write(starter.text, to: configuration, mode: 0o644)
        // Whoever reads this key can sign in as anybody.
        try write(Base64.encode(SecureRandom.bytes(32)) + "\n", to: key, mode: 0o600)
        Terminal.say("wrote \(configuration) and \(key)")
        Terminal.say("next:")
        Terminal.say("  1. register this redirect URI at the provider: \(starter.redirectURI)")
        Terminal.say("  2. put your addresses and the client ID into \(configuration)")
        if let variable = starter.secretVariable {
            Terminal.say("  3. export \(variable)=… with \(variable.hasSuffix("_KEY") ? "the private key (PEM)" : "the client secret")")
        }
        Terminal.say("  then: gateway validate \(configuration) && gateway run \(configuration)")
    }

    private func write(_ text: String, to path: String, mode: mode_t) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            Terminal.say("gateway: cannot write \(path): \(String(cString: strerror(errno)))")
            throw ExitCode(1)
        }
        defer { close(descriptor) }
        var text = text
        let isComplete = text.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) == $0.count }
        guard isComplete else {
            Terminal.say("gateway: cannot write all of \(path): \(String(cString: strerror(errno)))")
            throw ExitCode(1)
        }
    }
}

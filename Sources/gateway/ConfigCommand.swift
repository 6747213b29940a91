import ArgumentParser
import Config
import Diagnostics
import Lint

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Print the effective configuration, without secrets.",
        discussion: """
            Fills in the defaults and the provider presets and expands references. A comment behind each value names its origin: \
            `default`, `preset ID`, `env NAME`, `file PATH`, or the file and line. The output is YAML.

            Secrets and client IDs need not be on this machine.
            """)

    @Argument(help: "The configuration file; - reads standard input. Default: the file that `gateway run` reads.")
    var file: String?

    func run() throws {
        let location = ConfigurationPath(argument: file)
        switch EffectiveConfiguration.text(try location.contents(), surroundings: location.surroundings.optional(.credentials)) {
        case .success(let text): print(text, terminator: "")
        case .failure(let refusal):
            Terminal.say(refusal.report)
            throw ExitCode(1)
        }
    }
}

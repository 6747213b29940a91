import ArgumentParser
import Config
import Diagnostics
import Glibc
import Lint

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Print the effective configuration, with each value's origin and without secrets.",
        discussion: """
            Defaults and presets are filled in, references expanded. Behind each value a comment says where it comes from: \
            `default`, `preset ID`, `env NAME`, `file PATH`, or the file and line. The output is YAML.
            """)

    @Argument(help: "The configuration file; - reads standard input. Default: the file that `gateway run` would take.")
    var file: String?

    func run() throws {
        let path = ConfigurationPath.resolve(file)
        let source: SourceFile
        switch ConfigurationPath.read(path) {
        case .success(let read): source = read
        case .failure(let failure):
            Terminal.say("gateway: cannot read \(failure.path): \(failure.reason)")
            throw ExitCode(1)
        }
        switch EffectiveConfiguration.text(source, surroundings: .system(forFile: path)) {
        case .success(let text): print(text, terminator: "")
        case .failure(let refusal):
            Terminal.say(TextRenderer(color: ColorChoice.auto.isOn(for: STDERR_FILENO), columns: Terminal.columns).render(refusal.report))
            throw ExitCode(1)
        }
    }
}

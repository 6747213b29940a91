import ArgumentParser
import Config
import Diagnostics
import Glibc
import Lint

struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Find mistakes in configurations, dangerous ones above all.",
        discussion: """
            Exit status: 0 no findings at or above the threshold, 1 findings, 2 wrong usage, 3 a file could not be read. Warnings \
            count only with --strict.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, sarif, github }

    @Argument(help: "Configuration files; - reads standard input. Default: the file that `gateway run` would take.")
    var files: [String] = []

    @Flag(help: "Warnings fail too.")
    var strict = false

    @Option(help: "How to print the findings.")
    var format = Format.text

    @Option(help: "Colour the text.")
    var color = ColorChoice.auto

    func run() throws {
        let paths = files.isEmpty ? [ConfigurationPath.resolve(nil)] : files
        var sources: [(source: SourceFile, surroundings: Surroundings)] = []
        var isUnreadable = false
        for path in paths {
            switch ConfigurationPath.read(path) {
            case .success(let source): sources.append((source, .system(forFile: path)))
            case .failure(let failure):
                Terminal.say("gateway: cannot read \(failure.path): \(failure.reason)")
                isUnreadable = true
            }
        }
        if isUnreadable { throw ExitStatus.unreadable }
        let report = Linter.check(files: sources)
        let text =
            switch format {
            case .text: TextRenderer(color: color.isOn(for: STDOUT_FILENO), columns: Terminal.columns).render(report)
            case .json: JSONRenderer().render(report)
            case .sarif:
                SARIFRenderer(
                    version: Version.current,
                    summaries: Dictionary(RuleRegistry.rules.map { ($0.name, $0.what) }, uniquingKeysWith: { first, _ in first })
                ).render(report)
            case .github: GitHubRenderer().render(report)
            }
        print(text, terminator: text.hasSuffix("\n") || text.isEmpty ? "" : "\n")
        if report.fails(strict: strict) { throw ExitCode(1) }
    }
}

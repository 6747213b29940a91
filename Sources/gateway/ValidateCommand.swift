import ArgumentParser
import Config
import Diagnostics
import Glibc
import Lint

struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Check configuration files.",
        usage: "gateway validate [<options>] [<files> ...]",
        discussion: """
            Reports every finding in one run: the line, the reason and what to do. `gateway explain RULE` says more about a rule.

            --fix changes the files and reports the findings that are left. --fix --diff prints the changes instead and reports \
            nothing; the exit status is that of the unchanged files.

            Exit status: 0 no errors (with --strict: no warnings either), 1 findings, 2 wrong usage, 3 a file cannot be read or \
            written.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, sarif, github }

    @Argument(help: "Configuration files; - reads standard input. Default: the file that `gateway run` reads.")
    var files: [String] = []

    @Flag(help: "Exit with 1 for warnings too.")
    var strict = false

    @Option(help: "The output format.")
    var format = Format.text

    @Flag(help: "Also contact the providers, upstreams and stores. Sends no secrets but to the stores.")
    var online = false

    @Flag(name: .customLong("no-secrets"), help: "Accept secrets and client IDs that are not on this machine.")
    var noSecrets = false

    @Flag(help: "Apply the safe fixes.")
    var fix = false

    @Flag(name: .customLong("unsafe-fixes"), help: "With --fix: also apply fixes that may change what the file means.")
    var unsafeFixes = false

    @Flag(help: "With --fix: print the changes as a diff and leave the files alone.")
    var diff = false

    @Option(help: "When to colour the text.")
    var color = ColorChoice.auto

    func validate() throws {
        if fix, files.contains("-") { throw ValidationError("--fix changes files and cannot change standard input. Name a file.") }
        if diff, !fix { throw ValidationError("--diff needs --fix.") }
        if unsafeFixes, !fix { throw ValidationError("--unsafe-fixes needs --fix.") }
    }

    func run() async throws {
        let locations = files.isEmpty ? [ConfigurationPath(argument: nil)] : files.map(ConfigurationPath.init(named:))
        var sources: [(source: SourceFile, surroundings: Surroundings)] = []
        var isUnreadable = false
        for location in locations {
            switch location.read() {
            case .success(let source): sources.append((source, location.surroundings.optional(noSecrets ? .credentials : .none)))
            case .failure(let failure):
                Terminal.say("gateway: \(failure.message)")
                isUnreadable = true
            }
        }
        if isUnreadable { throw ExitStatus.unreadable }
        if fix { sources = try fixed(sources, locations.map(\.path)) }
        let report = online ? await OnlineProbe.report(sources) : Linter.check(files: sources)
        if !diff { show(report) }
        if report.fails(strict: strict) { throw ExitCode(1) }
    }

    private func show(_ report: Report) {
        let text =
            switch format {
            case .text: TextRenderer(color: color.isOn(for: STDOUT_FILENO), columns: Terminal.columns).render(report)
            case .json: JSONRenderer().render(report)
            case .sarif:
                SARIFRenderer(
                    version: Version.current,
                    rules: RuleRegistry.rules.map { ($0.name, $0.what) }
                ).render(report)
            case .github: GitHubRenderer().render(report)
            }
        print(text, terminator: text.hasSuffix("\n") || text.isEmpty ? "" : "\n")
        guard format == .text, let hint = FixHint.text(for: report, fixing: fix, unsafe: unsafeFixes) else { return }
        Terminal.say(hint)
    }

    /// The files to check after the fixes; with `--diff`, the unchanged files.
    private func fixed(
        _ sources: [(source: SourceFile, surroundings: Surroundings)], _ paths: [String]
    ) throws -> [(source: SourceFile, surroundings: Surroundings)] {
        var result: [(source: SourceFile, surroundings: Surroundings)] = []
        var isUnwritten = false
        for (path, file) in zip(paths, sources) {
            let outcome = Fixer.fix(file.source, surroundings: file.surroundings, includingUnsafe: unsafeFixes)
            if diff {
                print(UnifiedDiff.text(from: outcome.before, to: outcome.after), terminator: "")
                result.append(file)
                continue
            }
            if outcome.isChanged {
                switch FileReplacement.replace(path, with: outcome.bytes) {
                case .success: Terminal.say("gateway: fixed \(outcome.count) in \(path)")
                case .failure(let failure):
                    Terminal.say("gateway: cannot write \(path): \(failure.reason)")
                    isUnwritten = true
                }
            }
            result.append((outcome.after.source, file.surroundings))
        }
        if isUnwritten { throw ExitStatus.unreadable }
        return result
    }
}

import ArgumentParser
import Config
import Diagnostics
import Glibc
import Lint

struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Find mistakes in configurations, dangerous ones above all.",
        discussion: """
            Exit status: 0 no findings at or above the threshold, 1 findings, 2 wrong usage, 3 a file could not be read or \
            written. Warnings count only with --strict.

            --fix changes the files and reports what is left. --fix --diff prints the changes and makes none; the status is \
            that of the files as they are.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, sarif, github }

    @Argument(help: "Configuration files; - reads standard input. Default: the file that `gateway run` would take.")
    var files: [String] = []

    @Flag(help: "Warnings fail too.")
    var strict = false

    @Option(help: "How to print the findings.")
    var format = Format.text

    @Flag(help: "Also ask the providers and upstreams. Sends no secret.")
    var online = false

    @Flag(help: "Make the safe fixes.")
    var fix = false

    @Flag(name: .customLong("unsafe-fixes"), help: "With --fix: make the fixes that change what the file means, too.")
    var unsafeFixes = false

    @Flag(help: "With --fix: print the changes as a diff instead of making them.")
    var diff = false

    @Option(help: "Colour the text.")
    var color = ColorChoice.auto

    func validate() throws {
        if fix, files.contains("-") { throw ValidationError("--fix changes files; standard input is none. Give it a file name.") }
        if diff, !fix { throw ValidationError("--diff goes with --fix.") }
        if unsafeFixes, !fix { throw ValidationError("--unsafe-fixes goes with --fix.") }
    }

    func run() async throws {
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
        if fix { sources = try fixed(sources, paths) }
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
                    summaries: Dictionary(RuleRegistry.rules.map { ($0.name, $0.what) }, uniquingKeysWith: { first, _ in first })
                ).render(report)
            case .github: GitHubRenderer().render(report)
            }
        print(text, terminator: text.hasSuffix("\n") || text.isEmpty ? "" : "\n")
        guard format == .text, let hint = FixHint.text(for: report, fixing: fix, unsafe: unsafeFixes) else { return }
        Terminal.say(hint)
    }

    /// What there is to check after the fixes; with `--diff` the files as they are.
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
                case .success: Terminal.say("gateway: \(outcome.count) fixed in \(path)")
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

import ArgumentParser
import Diagnostics
import Glibc
import Lint

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explain a linter rule or an error code.",
        discussion: """
            The page of a rule has an example that the rule reports, one that it accepts, and what to do. The page of an error \
            code says what happened and what to do.

              gateway explain no-access-rule
              gateway explain auth/invalid-state
            """)

    @Argument(help: "A rule that a report names, or an error code. Default: a list of all rules.")
    var name: String?

    func run() throws {
        guard let name else { return list() }
        guard let page = RulePages.page(for: name) ?? ErrorCodePages.page(for: name) else {
            let hint = RulePages.suggestion(for: name).map { " Did you mean `\($0)`?" } ?? ""
            Terminal.say(
                """
                gateway: `\(name)` is not a rule or an error code.\(hint)
                help: `gateway explain` lists the rules; the codes are in docs/errors.md
                """)
            throw ExitCode(1)
        }
        print(TextWrap.prose(page, columns: Terminal.columns), terminator: page.hasSuffix("\n") ? "" : "\n")
    }

    /// One line for each rule, for `grep`; on a terminal, where they would wrap, one paragraph.
    private func list() {
        guard Terminal.isTerminal(STDOUT_FILENO) else { return print(RulePages.list, terminator: "") }
        for rule in RuleRegistry.rules {
            print("\(rule.name.rawValue) (\(rule.name.severity.rawValue))")
            print(TextWrap.wrapped("  \(rule.what)", columns: Terminal.columns, hanging: 2))
        }
    }
}

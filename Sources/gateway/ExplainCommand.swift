import ArgumentParser
import Lint

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Print a rule's page: what, why, a bad and a good example.")

    @Argument(help: "The rule's name, as a report shows it. Without one, all rules are listed.")
    var rule: String?

    func run() throws {
        guard let rule else { return print(RulePages.list, terminator: "") }
        guard let page = RulePages.page(for: rule) else {
            let hint = RulePages.suggestion(for: rule).map { "; did you mean `\($0)`?" } ?? ""
            Terminal.say("gateway: there is no rule `\(rule)`\(hint) `gateway explain` lists them all.")
            throw ExitCode(1)
        }
        print(page, terminator: page.hasSuffix("\n") ? "" : "\n")
    }
}

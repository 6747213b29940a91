import ArgumentParser
import Glibc
import Lint

/// The questions that `gateway init` asks on a terminal.
struct InitDialogue {
    /// Whether a user can read the questions and type answers.
    static var isPossible: Bool { Terminal.isTerminal(STDIN_FILENO) && Terminal.isTerminal(STDERR_FILENO) }

    func complete(_ given: StarterAnswers) throws -> StarterAnswers {
        var answers = given
        Terminal.say("Enter takes the value in brackets; Ctrl-C stops and writes nothing.")
        for question in StarterAnswers.Question.allCases where answers.isOpen(question) {
            Terminal.say("\n" + explanation(of: question, answers))
            try ask(question, &answers)
        }
        return answers
    }

    /// Repeats the question until there is a usable answer.
    private func ask(_ question: StarterAnswers.Question, _ answers: inout StarterAnswers) throws {
        while true {
            Terminal.prompt("  " + prompt(for: question, answers) + ": ")
            guard let line = readLine() else {
                Terminal.say("\ngateway: the input ended; nothing was written")
                throw ExitCode(1)
            }
            let text = trimmed(line)
            if text.isEmpty, !needsAnswer(question) { return }
            do throws(StarterAnswers.Problem) {
                try answers.set(question, to: text)
                return
            } catch {
                Terminal.say(Terminal.wrapped(text.isEmpty ? "an answer is needed here" : error.message, indent: 2))
                if let help = error.help { Terminal.say(Terminal.wrapped("help: \(help)", indent: 2)) }
            }
        }
    }

    private func trimmed(_ line: String) -> String {
        let text = line.drop(while: \.isWhitespace)
        guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(text[...last])
    }

    private func needsAnswer(_ question: StarterAnswers.Question) -> Bool { question == .provider || question == .allow }

    private func explanation(of question: StarterAnswers.Question, _ answers: StarterAnswers) -> String {
        switch question {
        case .publicURL: "The address that browsers use: https, or http on this machine only."
        case .upstream: "The address of your app."
        case .provider:
            """
            Where users sign in: google.com, github.com, microsoft.com, or oidc.NAME for any
            OpenID Connect provider. `gateway providers` lists all.
            """
        case .issuer: "The provider's issuer, exactly as the provider writes it."
        case .baseURL: "The address of \(answers.providerName)."
        case .realm: "The realm at \(answers.providerName)."
        case .tenant: "The ID or domain of the directory."
        case .clientID:
            """
            Register this redirect URI at \(answers.providerName), which then assigns a client ID:
              \(StarterConfiguration(answers).redirectURI)
            """
        case .allow:
            """
            Who may enter? One or more of these, separated by commas:
              alice@example.com   one address
              example.com         every address of a domain
              group:staff         the members of a group
              everyone            everyone who can sign in
            """
        }
    }

    private func prompt(for question: StarterAnswers.Question, _ answers: StarterAnswers) -> String {
        switch question {
        case .publicURL: "Public URL [\(answers.publicURL)]"
        case .upstream: "Upstream [\(answers.upstream)]"
        case .provider: "Provider"
        case .issuer: "Issuer [later]"
        case .baseURL: "Base URL [later]"
        case .realm: "Realm [later]"
        case .tenant: "Tenant [later]"
        case .clientID: "Client ID [later]"
        case .allow: "Who may enter"
        }
    }
}

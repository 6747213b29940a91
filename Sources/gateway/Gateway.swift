import ArgumentParser
import Glibc
import TokenCrypto

/// The command line. Exit statuses are the contract's (section 1), not the argument parser's.
@main
struct Gateway: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Put sign-in in front of an app, configured in one YAML file.",
        version: Version.current,
        subcommands: [
            RunCommand.self, ValidateCommand.self, ExplainCommand.self, SchemaCommand.self, ConfigCommand.self, ProvidersCommand.self,
            InitCommand.self, RenderCommand.self, DemoCommand.self,
            KeygenCommand.self, HealthcheckCommand.self, TraceCommand.self, UsersCommand.self, SessionsCommand.self,
            DevProviderCommand.self,
        ])

    static func main() async {
        do {
            var command = try parseAsRoot()
            if let problem = OpenSSLCheck.problem() {
                Terminal.say("gateway: \(problem)")
                throw command is ValidateCommand ? ExitStatus.unreadable : ExitCode.failure
            }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            finish(error)
        }
    }

    /// Help goes to stdout with 0, wrong usage to stderr with 2.
    private static func finish(_ error: any Error) -> Never {
        let code = exitCode(for: error)
        let message = fullMessage(for: error)
        if code == .validationFailure {
            Terminal.say(message)
            Glibc.exit(ExitStatus.usage)
        }
        if code == .success {
            print(message)
            Glibc.exit(0)
        }
        if !message.isEmpty { Terminal.say(message) }
        Glibc.exit(code.rawValue)
    }
}

enum ExitStatus {
    static let usage: CInt = 2
    /// `validate` could not run: a file cannot be read, or OpenSSL lacks algorithms.
    static let unreadable = ExitCode(3)
    /// EX_CONFIG of sysexits.h: the configuration has errors.
    static let badConfiguration = ExitCode(78)
    /// EX_UNAVAILABLE of sysexits.h: an address cannot be bound.
    static let cannotBind = ExitCode(69)
}

import Accounts
import ArgumentParser
import Config
import Diagnostics
import Glibc
import Lint
import Runtime
import Stores

/// `gateway users`: the accounts of the store that the configuration names.
struct UsersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "List, create, change, export and import accounts.",
        discussion: """
            Works on the store that `accounts.store` names, also while the gateway runs. Run it as the gateway's own user, so that the \
            files of an SQLite store stay readable for the gateway.

            Exit status: 0 done, 1 not done or not completely, 2 wrong usage.
            """,
        subcommands: [
            UsersListCommand.self, UsersShowCommand.self, UsersCreateCommand.self, UsersDisableCommand.self, UsersEnableCommand.self,
            UsersDeleteCommand.self, UsersRevokeCommand.self, UsersLinkCommand.self, UsersUnlinkCommand.self,
            UsersSetPasswordCommand.self, UsersResetFactorsCommand.self, UsersExportCommand.self, UsersImportCommand.self,
            UsersResealCommand.self,
        ])

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }
}

/// The options of every command below `users`.
struct UsersOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration file. Default: the file that `gateway run` reads.", valueName: "file"))
    var config: String?

    func validate() throws {
        if config == "-" { throw ValidationError("--config needs the path of a file; standard input is for passwords and imports.") }
    }
}

/// The account store of a configuration, opened for one command.
struct OpenAccounts {
    enum Access {
        /// A store that does not exist yet is a failure.
        case existing
        /// A store that does not exist yet is created.
        case creating
    }

    let configuration: Configuration
    let accounts: AccountsConfiguration
    let service: AccountService
    let audit: CommandAudit

    /// Unix milliseconds.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Opens the store, runs the command's work, and closes the store.
    static func use(_ options: UsersOptions, _ access: Access, _ work: (OpenAccounts) async throws -> Void) async throws {
        let (configuration, accounts) = try load(options)
        if access == .existing, case .sqlite(let path) = accounts.store, Glibc.access(path, F_OK) != 0, errno == ENOENT {
            throw Terminal.failure(
                "the account store does not exist: \(path)",
                help: "it is created by `gateway run`, `gateway users create` or `gateway users import`")
        }
        guard let policy = AccountPolicy(configuration) else { throw ExitCode(1) }
        let store = accounts.store.store()
        do throws(SQLError) {
            try await store.prepare()
        } catch {
            await store.close()
            throw Terminal.failure("the account store cannot be opened: \(error.reason)")
        }
        let audit: CommandAudit
        do {
            audit = try CommandAudit(configuration)
        } catch {
            await store.close()
            throw error
        }
        let opened = OpenAccounts(
            configuration: configuration, accounts: accounts, service: AccountService(store: store, policy: policy), audit: audit)
        do {
            try await work(opened)
        } catch {
            audit.close()
            await store.close()
            throw error
        }
        audit.close()
        await store.close()
    }

    /// The configuration, which has accounts.
    static func load(_ options: UsersOptions) throws -> (Configuration, AccountsConfiguration) {
        let location = ConfigurationPath(argument: options.config)
        switch ConfigLoader.load(try location.contents(), surroundings: location.surroundings) {
        case .failure(let refusal):
            Terminal.say(refusal.report)
            throw ExitCode(1)
        case .success(let loaded):
            guard let accounts = loaded.configuration.accounts else {
                throw Terminal.failure(
                    "\(location.path) has no `accounts`, so there are no accounts to work on",
                    help: "add `accounts` with a store and keys: see docs/configuration.md")
            }
            return (loaded.configuration, accounts)
        }
    }

    /// Runs an operation; its failure ends the command with a message.
    func attempt<Value>(_ uid: String? = nil, _ operation: () async throws(AccountError) -> Value) async throws -> Value {
        do throws(AccountError) {
            return try await operation()
        } catch {
            throw Self.failure(error, uid: uid)
        }
    }

    static func failure(_ error: AccountError, uid: String? = nil) -> ExitCode {
        switch error.code {
        case .storeUnavailable: Terminal.failure("the account store cannot be used: \(error.reason ?? "it does not respond")")
        case .invalidCredential where error.reason == "the account does not exist": missing(uid ?? "")
        case .userDisabled: Terminal.failure("the account is disabled", help: "enable it first: gateway users enable \(uid ?? "UID")")
        case .providerAlreadyLinked: Terminal.failure("the account has an identity of this provider already", help: "unlink it first")
        case .credentialAlreadyInUse: Terminal.failure("another account has this identity")
        case .emailAlreadyInUse: Terminal.failure("another account has the address of this account")
        case .noSuchProvider: Terminal.failure("the account has no identity of this provider")
        case .lastProvider:
            Terminal.failure("this is the last way to sign in to the account", help: "disable or delete the account instead")
        case .unverifiedEmail: Terminal.failure("a password needs an e-mail address, and the account has none")
        default: Terminal.failure("\(error.code.rawValue)\(error.reason.map { ": \($0)" } ?? "")")
        }
    }

    static func missing(_ uid: String) -> ExitCode { Terminal.failure("no account has the uid `\(sanitized(uid))`") }
}

extension Terminal {
    /// Says why a command failed; throw the result.
    static func failure(_ message: String, help: String? = nil) -> ExitCode {
        say("gateway: " + message)
        if let help { say("help: " + help) }
        return ExitCode(1)
    }
}

extension SQLError {
    var reason: String {
        switch self {
        case .constraint(let text), .unavailable(let text), .schema(let text): text
        }
    }
}

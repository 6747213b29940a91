import Accounts
import ArgumentParser
import Config
import Diagnostics
import Glibc
import Providers
import SecondFactors
import TokenCrypto

struct UsersExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write every account to standard output, as JSON Lines.",
        discussion: """
            The export contains addresses, password hashes, and second factors with their secrets in clear: a reader of the file can make the \
            codes of every user. `gateway users import` reads it.

              gateway users export > <file>
            """)

    @OptionGroup var options: UsersOptions

    func run() async throws {
        try await OpenAccounts.use(options, .existing) { opened in
            let factors = opened.factors
            var count = 0
            try await opened.eachPage { page in
                var bytes: [UInt8] = []
                for record in page {
                    var record = record
                    let uid = record.account.uid
                    record.factors = try await opened.attempt { () async throws(AccountError) in try await factors.exported(uid: uid) }
                    bytes += AccountDocument.exported(record) + [UInt8(ascii: "\n")]
                }
                try StandardOutput.write(bytes)
                count += page.count
            }
            Terminal.say("gateway: exported \(Counted.accounts(count))")
        }
    }
}

struct UsersImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Read accounts that `gateway users export` or Firebase Auth has written.",
        usage: """
            gateway users import [<options>] [<file>]
            gateway users import --from firebase [<options>] <file>
            """,
        discussion: """
            Accounts keep their uids. An account that exists already is skipped, and a line that is no account is reported with its number; \
            the exit status is then 1. Nothing that exists is changed.

            --from firebase reads the file of `firebase auth:export users.json`. The parameters of the password hash are those that the \
            Firebase console shows under Authentication, Users, Password hash parameters. Phone numbers to sign in with, custom claims, second factors without \
            their secret and identities of providers that the configuration does not have are left out and counted.
            """)

    enum Source: String, ExpressibleByArgument, CaseIterable { case gateway, firebase }

    @OptionGroup var options: UsersOptions
    @Argument(help: "The file; - or none reads standard input.") var file: String?
    @Option(help: "The program that wrote the file.") var from = Source.gateway
    @Flag(name: .customLong("dry-run"), help: "Check the file and change nothing.") var dryRun = false
    @Option(name: .customLong("hash-key"), help: ArgumentHelp("Firebase: base64_signer_key.", valueName: "key")) var hashKey: String?
    @Option(name: .customLong("salt-separator"), help: ArgumentHelp("Firebase: base64_salt_separator.", valueName: "text"))
    var saltSeparator: String?
    @Option(help: ArgumentHelp("Firebase: rounds.", valueName: "number")) var rounds: Int?
    @Option(name: .customLong("mem-cost"), help: ArgumentHelp("Firebase: mem_cost.", valueName: "number")) var memoryCost: Int?
    @Flag(name: .customLong("no-passwords"), help: "Firebase: leave the passwords out.") var noPasswords = false

    private var givenParameters: Int { [hashKey != nil, saltSeparator != nil, rounds != nil, memoryCost != nil].count { $0 } }

    func validate() throws {
        if from == .gateway {
            if givenParameters > 0 || noPasswords { throw ValidationError("The options of passwords need --from firebase.") }
            return
        }
        if file == nil || file == "-" { throw ValidationError("--from firebase needs the path of a file; it is read twice.") }
        if givenParameters > 0, noPasswords { throw ValidationError("--no-passwords and the parameters of the hash exclude each other.") }
        if givenParameters != 0, givenParameters != 4 {
            throw ValidationError("--hash-key, --salt-separator, --rounds and --mem-cost are needed together.")
        }
    }

    func run() async throws {
        let passwords = try passwords()
        func run(_ configuration: Configuration, _ opened: OpenAccounts?) async throws {
            switch from {
            case .gateway: try await importLines(opened)
            case .firebase: try await importFirebase(configuration, opened, passwords)
            }
        }
        // A check needs no store, and makes none.
        if dryRun { return try await run(try OpenAccounts.load(options).0, nil) }
        try await OpenAccounts.use(options, .creating) { opened in try await run(opened.configuration, opened) }
    }

    // MARK: JSON Lines

    private func importLines(_ opened: OpenAccounts?) async throws {
        var target = AccountImport(opened)
        var splitter = LineSplitter()
        let now = OpenAccounts.now
        func parse(_ bytes: [UInt8]) throws(ImportProblem) -> FirebaseImport.User {
            FirebaseImport.User(try AccountDocument.record(parsing: bytes, now: now))
        }
        let input = try ImportFile(file ?? "-")
        while let chunk = try input.read() {
            for piece in splitter.pieces(of: chunk) { try await target.take(piece, limit: AccountDocument.longest, parse) }
        }
        if let piece = splitter.end() { try await target.take(piece, limit: AccountDocument.longest, parse) }
        try await target.finish()
    }

    // MARK: Firebase

    private func passwords() throws -> FirebaseImport.Passwords {
        guard let hashKey, let saltSeparator, let rounds, let memoryCost else { return noPasswords ? .leftOut : .undecided }
        do throws(FirebaseScrypt.Problem) {
            return .kept(
                try FirebaseScrypt(hashKey: hashKey, saltSeparator: saltSeparator, rounds: rounds, memoryCost: memoryCost))
        } catch {
            throw Terminal.usageError(
                "\(error.option): \(error.reason)", help: "copy it from the Firebase console, Password hash parameters")
        }
    }

    private func importFirebase(
        _ configuration: Configuration, _ opened: OpenAccounts?, _ passwords: FirebaseImport.Passwords
    ) async throws {
        let path = file ?? ""
        var isUndecided = false
        if case .undecided = passwords { isUndecided = true }
        let issuers = Dictionary(
            configuration.anyProviderSettings.map { settings in
                (settings.id, settings.onlyIssuer.map { FirebaseImport.Issuer.known($0) } ?? .dependsOnTenant)
            }, uniquingKeysWith: { first, _ in first })
        // First without the store: a damaged file, or a password that nobody decided about, is noticed before anything is written.
        var check = AccountImport(nil, isSilent: opened != nil)
        try await read(path, FirebaseImport(issuers: issuers, passwords: isUndecided ? .leftOut : passwords), into: &check)
        if isUndecided, check.leftOut.passwords > 0 {
            throw Terminal.failure(
                "\(Counted.users(check.leftOut.passwords)) of the export with a password; nothing was imported",
                help: "give --hash-key, --salt-separator, --rounds and --mem-cost, or leave the passwords out with --no-passwords")
        }
        guard let opened else { return try await check.finish() }
        var target = AccountImport(opened)
        try await read(path, FirebaseImport(issuers: issuers, passwords: passwords), into: &target)
        try await target.finish()
    }

    private func read(_ path: String, _ firebase: FirebaseImport, into target: inout AccountImport) async throws {
        var splitter = FirebaseExportSplitter()
        let input = try ImportFile(path, mustBeRegular: true)
        let now = OpenAccounts.now
        while let chunk = try input.read() {
            let pieces = try damage { () throws(ImportProblem) in try splitter.pieces(of: chunk) }
            for piece in pieces {
                try await target.take(piece, limit: FirebaseExportSplitter.longestUser) { bytes throws(ImportProblem) in
                    try firebase.user(parsing: bytes, now: now)
                }
            }
        }
        try damage { () throws(ImportProblem) in try splitter.end() }
        try await target.flush()
    }

    /// A file whose structure is damaged ends the command.
    private func damage<Value>(_ read: () throws(ImportProblem) -> Value) throws -> Value {
        do throws(ImportProblem) { return try read() } catch {
            throw Terminal.failure("\(sanitized(file ?? "-")): \(error.reason)", help: "export the users again; nothing more was imported")
        }
    }
}

extension OpenAccounts {
    /// Opens and seals the secrets of second factors.
    var factors: SecondFactorService {
        SecondFactorService(
            accounts: service, policy: SecondFactorPolicy(mode: .enrolled), relyingParty: .none,
            ring: SealingKeyRing(keys: accounts.keys, purpose: "accounts"), attemptKey: [])
    }
}

enum Counted {
    static func accounts(_ count: Int) -> String { count == 1 ? "1 account" : "\(count) accounts" }
    static func values(_ count: Int) -> String { count == 1 ? "1 value" : "\(count) values" }
    static func users(_ count: Int) -> String { count == 1 ? "1 user" : "\(count) users" }
}

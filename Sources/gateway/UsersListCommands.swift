import Accounts
import ArgumentParser

struct UsersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List accounts in the order of their uids.", usage: "gateway users list [<options>]",
        discussion: """
            Text is a table as wide as the terminal; JSON is one object a line, without password hashes. Several filters must all match.
            """)

    @OptionGroup var options: UsersOptions
    @Option(help: ArgumentHelp("Only accounts with this e-mail address.", valueName: "address")) var email: String?
    @Option(help: ArgumentHelp("Only accounts that this provider opens; `password` is one.", valueName: "id")) var provider: String?
    @Flag(help: "Only disabled accounts.") var disabled = false
    @Option(help: "The output format.") var format = UsersCommand.Format.text

    func run() async throws {
        let address = try email.map(UsersArguments.address)
        try await OpenAccounts.use(options, .existing) { opened in
            let columns = AccountText.Columns(width: Terminal.columns)
            var count = 0
            func show(_ accounts: [Account]) throws {
                for account in accounts where matches(account) {
                    if count == 0, format == .text { try StandardOutput.write(line: columns.header) }
                    count += 1
                    switch format {
                    case .text: try StandardOutput.write(line: columns.row(account))
                    case .json: try StandardOutput.write(AccountDocument.shown(account) + [UInt8(ascii: "\n")])
                    }
                }
            }
            if let address {
                try show(try await opened.accounts(with: address))
            } else {
                try await opened.eachPage { try show($0.map(\.account)) }
            }
            if count == 0 { Terminal.say("gateway: no account matches") }
        }
    }

    private func matches(_ account: Account) -> Bool {
        (!disabled || account.isDisabled) && (provider.map(account.providers.contains) ?? true)
    }
}

struct UsersShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an account.",
        usage: "gateway users show (<uid> | --email <address>) [<options>]")

    @OptionGroup var options: UsersOptions
    @Argument(help: "The account's uid.") var uid: String?
    @Option(help: ArgumentHelp("The account with this e-mail address, instead of a uid.", valueName: "address")) var email: String?
    @Option(help: "The output format.") var format = UsersCommand.Format.text

    func validate() throws {
        if (uid == nil) == (email == nil) { throw ValidationError("Name a uid or --email, one of them.") }
    }

    func run() async throws {
        let address = try email.map(UsersArguments.address)
        try await OpenAccounts.use(options, .existing) { opened in
            var accounts: [Account] = []
            if let address {
                accounts = try await opened.accounts(with: address)
                if accounts.isEmpty { throw Terminal.failure("no account has this e-mail address") }
            } else if let uid {
                guard let account = try await opened.account(uid) else { throw OpenAccounts.missing(uid) }
                accounts = [account]
            }
            for (index, account) in accounts.enumerated() {
                let factors = try await opened.attempt { () async throws(AccountError) in try await opened.service.factors(account.uid) }
                switch format {
                case .text:
                    try StandardOutput.write(line: (index > 0 ? "\n" : "") + AccountText.details(account))
                    for factor in factors?.factors ?? [] { try StandardOutput.write(line: AccountText.line(factor)) }
                case .json: try StandardOutput.write(AccountDocument.shown(account, factors: factors?.factors) + [UInt8(ascii: "\n")])
                }
            }
        }
    }
}

/// Checks of arguments that several commands share.
enum UsersArguments {
    static func address(_ text: String) throws -> EmailAddress {
        guard let address = EmailAddress(text) else {
            throw Terminal.usageError("--email: this is not an e-mail address", help: "write it like ada@example.com")
        }
        return address
    }
}

extension OpenAccounts {
    private static let pageSize = 500

    /// Calls `show` with the accounts in the order of their uids, some at a time.
    func eachPage(_ show: ([AccountRecord]) async throws -> Void) async throws {
        var last: String?
        while true {
            let cursor = last
            let page = try await attempt { () async throws(AccountError) in
                try await service.records(after: cursor, limit: Self.pageSize)
            }
            try await show(page)
            guard page.count == Self.pageSize, let end = page.last?.account.uid else { return }
            last = end
        }
    }

    func accounts(with address: EmailAddress) async throws -> [Account] {
        try await attempt { () async throws(AccountError) in try await service.accounts(withAddress: address) }
    }

    func account(_ uid: String) async throws -> Account? {
        // No database keeps a NUL, and PostgreSQL fails for one.
        guard !uid.utf8.contains(0) else { return nil }
        return try await attempt { () async throws(AccountError) in try await service.account(uid) }
    }
}

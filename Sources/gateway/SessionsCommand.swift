import ArgumentParser
import Diagnostics
import TokenCrypto

/// `gateway sessions`: the sessions of a running gateway, over its admin listener.
struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List and end the sessions of a running gateway.",
        discussion: """
            Works over the admin listener of a running gateway, which needs `admin.token`. The token is read from $GATEWAY_ADMIN_TOKEN.

            Exit status: 0 done, 1 not done, 2 wrong usage.
            """,
        subcommands: [SessionsListCommand.self, SessionsRevokeCommand.self])

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }
}

/// The options of every command below `sessions`.
struct SessionsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The address of the admin listener.", valueName: "url"))
    var admin = "http://127.0.0.1:9180"
    @Option(help: "The output format.") var format = SessionsCommand.Format.text
}

struct SessionsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the live sessions of a user, the most recently used first.",
        usage: "gateway sessions list --user <uid> [<options>]",
        discussion: """
            Needs a session store that keeps sessions: with `session.store: cookie`, nobody knows them. Text is a table as wide as the \
            terminal; JSON is one object a line, with the user agents.
            """)

    @Option(help: ArgumentHelp("The user's uid.", valueName: "uid")) var user: String
    @OptionGroup var options: SessionsOptions

    func validate() throws {
        if user.isEmpty { throw ValidationError("--user is empty.") }
    }

    func run() async throws {
        let sessions = try await AdminClient(options).list(user: user)
        switch options.format {
        case .json: for session in sessions { try StandardOutput.write(line: session.serialized()) }
        case .text:
            let table = SessionTable(width: Terminal.columns)
            if !sessions.isEmpty { try StandardOutput.write(line: table.header) }
            for session in sessions { try StandardOutput.write(line: table.row(session)) }
            if sessions.isEmpty { Terminal.say("gateway: the user has no session") }
        }
    }
}

struct SessionsRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End a session, all sessions of a user, or everyone's.",
        usage: "gateway sessions revoke (--id <id> | --user <uid> | --all) [<options>]",
        discussion: """
            Users can sign in again at once; disable an account to prevent that. With `session.store: cookie`, `--id` does not work, and \
            the others end sessions in that process and in `session.revocations`.
            """)

    @Option(help: ArgumentHelp("The session with this id, from `gateway sessions list`.", valueName: "id")) var id: String?
    @Option(help: ArgumentHelp("All sessions of the user with this uid.", valueName: "uid")) var user: String?
    @Flag(help: "All sessions of all users.") var all = false
    @OptionGroup var options: SessionsOptions

    func validate() throws {
        guard [id != nil, user != nil, all].count(where: { $0 }) == 1 else {
            throw ValidationError("Name --id, --user or --all, one of them.")
        }
        if id == "" { throw ValidationError("--id is empty.") }
        if user == "" { throw ValidationError("--user is empty.") }
    }

    func run() async throws {
        let client = try AdminClient(options)
        let (done, subject): (String, JSONValue)
        if let id {
            try await client.revoke(id: id)
            (done, subject) = ("the session \(sanitized(id)) has ended", .object(["id": .string(id)]))
        } else if let user {
            try await client.revoke(user: user)
            (done, subject) = ("all sessions of \(sanitized(user)) have ended", .object(["user": .string(user)]))
        } else {
            try await client.revokeAll()
            (done, subject) = ("all sessions of all users have ended", .object(["all": .bool(true)]))
        }
        switch options.format {
        case .text: Terminal.say("gateway: " + done)
        case .json: try StandardOutput.write(line: JSONValue.object(["revoked": subject]).serialized())
        }
    }
}

/// Sessions as a table for a terminal.
struct SessionTable {
    /// An id is never cut: `revoke` needs it.
    private static let id = 32
    /// To the minute.
    private static let time = 16
    private let provider: Int
    private let address: Int

    /// `width`: of the terminal.
    init(width: Int) {
        let rest = max(24, width - Self.id - Self.time - 6)
        address = min(39, rest * 3 / 5)
        provider = rest - address
    }

    var header: String { line("ID", "LAST SEEN (UTC)", "ADDRESS", "PROVIDER") }

    func row(_ session: JSONValue) -> String {
        func text(_ name: String) -> String { session[name]?.string.map { sanitized($0) } ?? "-" }
        let seen = text("last_seen_at").replacing("T", with: " ").prefix(Self.time)
        return line(text("id"), String(seen), text("address"), text("provider"))
    }

    private func line(_ id: String, _ seen: String, _ address: String, _ provider: String) -> String {
        [
            Self.padded(id, Self.id), Self.padded(seen, Self.time), Self.padded(Self.cut(address, self.address), self.address),
            Self.cut(provider, self.provider),
        ].joined(separator: "  ")
    }

    private static func cut(_ text: String, _ width: Int) -> String {
        text.count <= width ? text : String(text.prefix(width - 1)) + "…"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

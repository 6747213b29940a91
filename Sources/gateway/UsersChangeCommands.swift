import Accounts
import ArgumentParser
import Config
import Diagnostics
import Providers

struct UsersCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create an account and print its uid.",
        usage: "gateway users create --email <address> [<options>]",
        discussion: """
            The account has no way to sign in until it gets a password or an identity. It is created also where `accounts.signUp` is \
            `closed`.

              gateway users create --email ada@example.com --name <name> --verified
            """)

    @OptionGroup var options: UsersOptions
    @Option(help: ArgumentHelp("The account's e-mail address.", valueName: "address")) var email: String
    @Option(help: "The user's name.") var name: String?
    @Flag(help: "You have verified that the address is the user's.") var verified = false
    @Option(help: "The output format.") var format = UsersCommand.Format.text

    func run() async throws {
        let address = try UsersArguments.address(email)
        try await OpenAccounts.use(options, .creating) { opened in
            if opened.service.policy.onePerEmail, let holder = try await opened.accounts(with: address).first {
                throw Self.taken(holder.uid)
            }
            let result = try await opened.attempt { () async throws(AccountError) in
                try await opened.service.create(email: address, name: name, isVerified: verified, now: OpenAccounts.now)
            }
            guard case .created(let account) = result else { throw Self.taken(nil) }
            opened.audit.record("account-created", "an operator created the account", uid: account.uid)
            switch format {
            case .text: try StandardOutput.write(line: account.uid)
            case .json: try StandardOutput.write(AccountDocument.shown(account) + [UInt8(ascii: "\n")])
            }
        }
    }

    private static func taken(_ uid: String?) -> ExitCode {
        Terminal.failure("an account has this e-mail address already" + (uid.map { ": \(sanitized($0))" } ?? ""))
    }
}

/// A command that changes one account and prints what was done on standard error.
protocol UsersChange: AsyncParsableCommand {
    var options: UsersOptions { get }
    var uid: String { get }

    /// Returns the text to print.
    func change(_ opened: OpenAccounts) async throws -> String
}

extension UsersChange {
    func run() async throws {
        guard !uid.utf8.contains(0), !uid.isEmpty else { throw Terminal.usageError("the uid is empty", help: nil) }
        try await OpenAccounts.use(options, .existing) { opened in
            Terminal.say("gateway: " + (try await change(opened)))
        }
    }

    var shownUID: String { sanitized(uid) }
}

struct UsersDisableCommand: UsersChange {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Refuse an account's sign-ins and end its sessions.",
        discussion: "Every replica ends the account's sessions within 10 seconds. `gateway users enable` allows sign-ins again.")

    @OptionGroup var options: UsersOptions
    @Argument(help: "The account's uid.") var uid: String

    func change(_ opened: OpenAccounts) async throws -> String {
        _ = try await opened.attempt(uid) { () async throws(AccountError) in
            try await opened.service.disable(uid: uid, now: OpenAccounts.now)
        }
        opened.audit.record("account-disabled", "an operator disabled the account", uid: uid)
        return "disabled \(shownUID); its sessions end within 10 s"
    }
}

struct UsersEnableCommand: UsersChange {
    static let configuration = CommandConfiguration(commandName: "enable", abstract: "Allow the sign-ins of a disabled account again.")

    @OptionGroup var options: UsersOptions
    @Argument(help: "The account's uid.") var uid: String

    func change(_ opened: OpenAccounts) async throws -> String {
        _ = try await opened.attempt(uid) { () async throws(AccountError) in
            try await opened.service.enable(uid: uid, now: OpenAccounts.now)
        }
        opened.audit.record("account-enabled", "an operator enabled the account", uid: uid)
        return "enabled \(shownUID)"
    }
}

struct UsersDeleteCommand: UsersChange {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an account with its identities and its password, and end its sessions.",
        discussion: """
            Every replica ends the account's sessions within 10 seconds. Deleting cannot be undone: `gateway users export` first, or use \
            `gateway users disable`. With `accounts.signUp: open`, the user can sign in again and gets a new account.
            """)

    @OptionGroup var options: UsersOptions
    @Argument(help: "The account's uid.") var uid: String

    func change(_ opened: OpenAccounts) async throws -> String {
        try await opened.attempt(uid) { () async throws(AccountError) in
            try await opened.service.delete(uid: uid, by: nil, now: OpenAccounts.now)
        }
        opened.audit.record("account-deleted", "an operator deleted the account", uid: uid)
        return "deleted \(shownUID); its sessions end within 10 s"
    }
}

struct UsersRevokeCommand: UsersChange {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End all sessions of an account.",
        discussion: "Every replica ends them within 10 seconds. The user can sign in again at once.")

    @OptionGroup var options: UsersOptions
    @Argument(help: "The account's uid.") var uid: String

    func change(_ opened: OpenAccounts) async throws -> String {
        try await opened.attempt(uid) { () async throws(AccountError) in
            try await opened.service.revoke(uid: uid, now: OpenAccounts.now)
        }
        opened.audit.record("sessions-revoked", "an operator ended the sessions of the account", uid: uid)
        return "the sessions of \(shownUID) end within 10 s"
    }
}

struct UsersLinkCommand: UsersChange {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Let an identity at a provider open an account.",
        usage: "gateway users link <uid> <provider> <subject> [<options>]",
        discussion: """
            The subject is the user's permanent id at the provider: the claim `sub` with OpenID Connect, the numeric id at GitHub. Nothing \
            is verified: who signs in with this identity gets the account.

              gateway users link <uid> github.com 583231
            """)

    @OptionGroup var options: UsersOptions
    @Argument(help: "The account's uid.") var uid: String
    @Argument(help: "The provider's id in the configuration.") var provider: String
    @Argument(help: "The user's id at the provider.") var subject: String
    @Option(
        help: ArgumentHelp(
            "The issuer of the identity; needed only for providers with one issuer for each tenant.", valueName: "url"))
    var issuer: String?

    func validate() throws {
        if subject.isEmpty { throw ValidationError("The subject is empty.") }
    }

    func change(_ opened: OpenAccounts) async throws -> String {
        let issuer = try issuer(in: opened.configuration)
        let key = IdentityKey(provider: provider, issuer: issuer, subject: subject)
        _ = try await opened.attempt(uid) { () async throws(AccountError) in
            try await opened.service.link(key, uid: uid, now: OpenAccounts.now)
        }
        opened.audit.record("provider-linked", "an operator linked a provider to the account", uid: uid, provider: provider)
        return "linked an identity of \(provider) (issuer \(issuer)) to \(shownUID)"
    }

    private func issuer(in configuration: Configuration) throws -> String {
        guard let settings = configuration.anyProviderSettings.first(where: { $0.id == provider }) else {
            let ids = configuration.providers.map(\.id)
            throw Terminal.failure(
                Configuration.ownProviderIDs.contains(provider)
                    ? "`\(provider)` has no identities to link" : "the configuration has no provider `\(sanitized(provider))`",
                help: ids.isEmpty ? nil : "its providers are \(ids.joined(separator: ", "))")
        }
        guard let issuer else {
            if let known = settings.onlyIssuer { return known }
            throw Terminal.failure(
                "`\(provider)` has one issuer for each tenant",
                help: "name it: --issuer \(settings.identityIssuer), with the tenant's id in place of the name")
        }
        guard settings.admitsIssuer(issuer) else {
            throw Terminal.failure(
                "--issuer: no identity of `\(provider)` has this issuer",
                help: settings.onlyIssuer.map { "leave it out; the issuer is \($0)" })
        }
        return issuer
    }
}

extension Configuration {
    /// The settings of every provider, enabled or not.
    var anyProviderSettings: [ProviderSettings] { providers.compactMap { settings(for: $0) } }
}

extension ProviderSettings {
    /// The issuer of every identity of this provider (contract section 4, "uid"); nil if it depends on the user's tenant.
    var onlyIssuer: String? {
        guard let tenantIssuers else { return identityIssuer }
        return tenantIssuers.mayBe(identityIssuer, metadataIssuer: nil) ? identityIssuer : nil
    }

    func admitsIssuer(_ issuer: String) -> Bool {
        if let tenantIssuers { return tenantIssuers.mayBe(issuer, metadataIssuer: nil) }
        return ([identityIssuer] + issuerAliases).contains { $0.utf8.elementsEqual(issuer.utf8) }
    }
}

struct UsersUnlinkCommand: UsersChange {
    static let configuration = CommandConfiguration(
        commandName: "unlink", abstract: "Remove an identity from an account, or with `password` its password.",
        discussion: """
            The sessions that were made with it end. The last way to sign in stays: disable or delete the account instead.

              gateway users unlink <uid> github.com
            """)

    @OptionGroup var options: UsersOptions
    @Argument(help: "The account's uid.") var uid: String
    @Argument(help: "The provider's id, or `password`.") var provider: String

    func change(_ opened: OpenAccounts) async throws -> String {
        _ = try await opened.attempt(uid) { () async throws(AccountError) in
            try await opened.service.unlink(provider, uid: uid, by: nil, now: OpenAccounts.now)
        }
        opened.audit.record("provider-unlinked", "an operator removed a provider from the account", uid: uid, provider: provider)
        return "removed \(sanitized(provider)) from \(shownUID); the sessions made with it end within 10 s"
    }
}

struct UsersResetFactorsCommand: UsersChange {
    static let configuration = CommandConfiguration(
        commandName: "reset-factors", abstract: "Remove all second factors of an account and end its sessions.",
        discussion: """
            For a user who has lost them, after you have made sure who the user is. The next sign-in asks for no second factor; with \
            `secondFactor.policy: required`, the user adds a new one then.
            """)

    @OptionGroup var options: UsersOptions
    @Argument(help: "The account's uid.") var uid: String

    func change(_ opened: OpenAccounts) async throws -> String {
        _ = try await opened.attempt(uid) { () async throws(AccountError) in
            try await opened.service.resetFactors(uid: uid, now: OpenAccounts.now)
        }
        opened.audit.record("second-factors-reset", "an operator removed the second factors of the account", uid: uid)
        return "removed the second factors of \(shownUID); its sessions end within 10 s"
    }
}

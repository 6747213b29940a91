import Accounts
import ArgumentParser
import Config
import Glibc
import TokenCrypto

struct UsersSetPasswordCommand: UsersChange {
    static let configuration = CommandConfiguration(
        commandName: "set-password", abstract: "Set an account's password, and end its sessions.",
        discussion: """
            Reads the password from standard input, without one trailing line break; on a terminal it asks twice and shows nothing. The rules \
            for new passwords apply: `minimumLength` of the provider `password`, and none of the common ones.

              gateway users set-password <uid>
            """)

    @OptionGroup var options: UsersOptions
    @Argument(help: "The account's uid.") var uid: String

    func change(_ opened: OpenAccounts) async throws -> String {
        guard let account = try await opened.account(uid) else { throw OpenAccounts.missing(uid) }
        guard account.email != nil else { throw OpenAccounts.failure(AccountError(.unverifiedEmail)) }
        let settings = opened.accounts.password
        let password = try Self.checked(try PasswordInput.read(), settings ?? PasswordProviderConfiguration())
        let hash: HashedPassword
        do throws(PasswordHashingError) {
            hash = try PasswordHasher().hash(password)
        } catch {
            throw Terminal.failure("the password cannot be hashed: \(error.reason)")
        }
        _ = try await opened.attempt(uid) { () async throws(AccountError) in
            try await opened.service.setPassword(
                PasswordHash(phc: hash.phc), uid: uid, by: nil, keep: nil, now: OpenAccounts.now)
        }
        opened.audit.record("password-changed", "an operator set the password of the account", uid: uid)
        if settings?.enabled != true {
            Terminal.say("gateway: warning: the provider `password` is not enabled in the configuration, so nobody can sign in with it")
        }
        return "set the password of \(shownUID); its sessions end within 10 s"
    }

    private static func checked(_ text: String, _ settings: PasswordProviderConfiguration) throws -> Password {
        do throws(WeakPassword) {
            return try PasswordPolicy(minimumLength: settings.minimumLength).check(text)
        } catch {
            switch error {
            case .tooShort(let minimum): throw Terminal.failure("the password has fewer than \(minimum) characters")
            case .tooLong: throw Terminal.failure("the password is longer than \(Password.maximumBytes) bytes")
            case .controlCharacter: throw Terminal.failure("the password contains a control character")
            case .common: throw Terminal.failure("this is one of the 10,000 most common passwords")
            }
        }
    }
}

/// A password from standard input.
enum PasswordInput {
    /// More bytes than any password has, whatever its normalisation form.
    private static let longest = 8_192

    static func read() throws -> String {
        guard Terminal.isTerminal(STDIN_FILENO) else { return try text(readAll()) }
        let first = try ask("New password: ")
        guard try ask("Again: ").utf8.elementsEqual(first.utf8) else {
            throw Terminal.failure("the two passwords differ; nothing was changed")
        }
        return first
    }

    private static func ask(_ prompt: String) throws -> String {
        let line = HiddenInput.line(prompt)
        Terminal.prompt("\n")
        guard let line else { throw Terminal.failure("the input ended; nothing was changed") }
        return line
    }

    private static func text(_ given: [UInt8]) throws -> String {
        var bytes = given[...]
        if bytes.last == UInt8(ascii: "\n") { bytes = bytes.dropLast() }
        if bytes.count < given.count, bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Terminal.failure("the password is not valid UTF-8") }
        return text
    }

    private static func readAll() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1_024)
        while true {
            let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw Terminal.failure("cannot read standard input: \(String(cString: strerror(errno)).lowercased())")
            }
            bytes += chunk[..<count]
            guard bytes.count <= longest else { throw Terminal.failure("the password is longer than \(Password.maximumBytes) bytes") }
        }
    }
}

/// A line from the terminal, without echo.
private enum HiddenInput {
    /// The terminal's settings, for the signal handler. Set before the handler is installed; one command reads on one thread.
    nonisolated(unsafe) private static var original = termios()

    static func line(_ prompt: String) -> String? {
        guard tcgetattr(STDIN_FILENO, &original) == 0 else { return nil }
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
        // Ctrl-C must not leave a terminal without echo.
        for number in signals {
            signal(number) { number in
                tcsetattr(STDIN_FILENO, TCSANOW, &HiddenInput.original)
                _exit(128 + number)
            }
        }
        var silent = original
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &original)
            for number in signals { signal(number, SIG_DFL) }
        }
        // Now, and not before: nobody types into the time between.
        Terminal.prompt(prompt)
        return readLine()
    }
}

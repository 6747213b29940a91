import Glibc
import TestTools
import Testing

@testable import Accounts
@testable import Stores

@Suite("Accounts after a crash")
struct AccountCrashTests {
    @Test(.timeLimit(.minutes(30)), .seeded)
    func `a process that is killed at any moment loses nothing that it answered`() async throws {
        let folder = try Folder()
        var generator = SeededGenerator()
        var next = 0
        for _ in 0..<10 {
            let answered = try kill(after: Int.random(in: 1...40, using: &generator), folder.database, first: next)
            let service = AccountService(
                store: SQLAccountStore(SQLiteDatabase(path: folder.database, options: .withoutTimeLimits)), policy: AccountPolicy())
            for number in next...answered {
                let key = IdentityKey(provider: "oidc.a", issuer: "https://a", subject: "\(number)")
                #expect(try await service.account(withIdentity: key)?.email?.text == "\(number)@example.com")
            }
            let count = try await service.records(after: nil, limit: 1_000).count
            #expect((answered + 1...answered + 2).contains(count), "at most one sign-in was written without an answer")
            await service.close()
            next = count
        }
    }

    /// Runs the helper until it has answered this often. Returns the last number that it answered, also between the signal and its end.
    private func kill(after answers: Int, _ file: String, first: Int) throws -> Int {
        let bundle = try #require(CommandLine.arguments.first { $0.hasSuffix(".xctest") })
        let program = bundle.prefix(upTo: bundle.lastIndex(of: "/") ?? bundle.startIndex) + "/AccountCrash"
        var pipes: [CInt] = [0, 0]
        #expect(pipe(&pipes) == 0)
        for descriptor in pipes { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, pipes[1], 1)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(String(program)), strdup(file), strdup("\(first)"), nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        try #require(posix_spawn(&child, String(program), &actions, nil, &arguments, environ) == 0, "no \(program)")
        close(pipes[1])
        defer { close(pipes[0]) }
        var text: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4_096)
        func readMore() -> Bool {
            let count = read(pipes[0], &bytes, bytes.count)
            text += bytes[..<max(0, count)]
            return count > 0
        }
        while text.count(where: { $0 == UInt8(ascii: "\n") }) < answers { try #require(readMore(), "the helper ended by itself") }
        Glibc.kill(child, SIGKILL)
        var status: CInt = 0
        waitpid(child, &status, 0)
        #expect(status & 0x7F == SIGKILL)
        // What it answered before the signal came. Another test's child may hold the pipe open, so its end is not waited for.
        _ = fcntl(pipes[0], F_SETFL, O_NONBLOCK)
        while readMore() {}
        return try #require(String(decoding: text, as: UTF8.self).split(separator: "\n").last.flatMap { Int($0) })
    }
}

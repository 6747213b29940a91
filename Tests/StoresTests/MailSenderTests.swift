import Dispatch
import Primitives
import ServerProcesses
import Synchronization
import TestTools
import Testing

@testable import Stores

@Suite("Sending mails")
struct MailSenderTests {
    private func sender(_ server: ScriptedMailServer, capacity: Int = 4) throws -> MailSender {
        try sender(port: server.port, capacity: capacity)
    }

    private func sender(
        port: Int, credentials: String = "", parameters: String = "", from: String = "Example <no-reply@example.com>",
        capacity: Int = 4, timeout: Duration = .seconds(600)
    ) throws -> MailSender {
        MailSender(
            server: try MailServer(parsing: "smtp://\(credentials)127.0.0.1:\(port)\(parameters)"),
            from: try MailAddress(parsing: from),
            capacity: capacity, timeout: timeout, now: { 1_700_000_000 })
    }

    private func message(to: String = "ada@example.org") throws -> MailMessage {
        MailMessage(to: try MailAddress(to), subject: "Hello", text: "Hello\n.\n..\nend\n", html: "<p>Hello</p>\n")
    }

    /// The error of one mail to a server with this script.
    private func error(
        credentials: String = "", parameters: String = "", to: String = "ada@example.org", timeout: Duration = .seconds(600),
        greeting: String = "220 test ESMTP\r\n", _ script: @escaping ScriptedMailServer.Script
    ) async throws -> (MailError?, ScriptedMailServer.Conversation) {
        let server = ScriptedMailServer(greeting: greeting, script: script)
        defer { server.stop() }
        let sender = try sender(port: server.port, credentials: credentials, parameters: parameters, timeout: timeout)
        let mail = try message(to: to)
        var failure: MailError?
        do throws(MailError) { try await sender.send(mail) } catch { failure = error }
        await sender.close()
        return (failure, server.last)
    }

    private static func overriding(_ command: String, _ answer: String?) -> ScriptedMailServer.Script {
        { line in line.uppercased().hasPrefix(command) ? answer : ScriptedMailServer.plain(line) }
    }

    @Test("the commands, and the mail byte for byte with its dots")
    func success() async throws {
        let server = ScriptedMailServer()
        defer { server.stop() }
        let sender = try sender(server)
        try await sender.send(message())
        try await sender.send(message(to: "a..b@example.org"))
        await sender.close()
        let (first, second) = (try #require(server.all.first), server.last)
        #expect(
            first.commands.prefix(5) == ["EHLO example.com", "MAIL FROM:<no-reply@example.com>", "RCPT TO:<ada@example.org>", "DATA", "."])
        #expect(second.commands.contains("RCPT TO:<\"a..b\"@example.org>"))
        let lines = String(decoding: first.mail, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        // The server takes away one dot of each line that begins with one (RFC 5321 section 4.5.2).
        #expect(lines.contains("..") && lines.contains("..."))
        let id = try #require(lines.first { $0.hasPrefix("Message-ID: ") }?.dropFirst(13).prefix(32))
        let received = lines.map { $0.hasPrefix(".") ? $0.dropFirst() : $0 }.joined(separator: "\r\n")
        let rendered = try RenderedMail(
            message(), from: MailAddress(parsing: "Example <no-reply@example.com>"), id: String(id), now: 1_700_000_000)
        #expect(Array(received.utf8) == rendered.bytes)
        #expect(!String(decoding: second.mail, as: UTF8.self).contains(id), "every mail has its own Message-ID")
    }

    @Test("a user name and a password are used where the server asks for them")
    func login() async throws {
        let script: ScriptedMailServer.Script = { line in
            switch line.split(separator: " ").first {
            case "EHLO": "250-test\r\n250 AUTH PLAIN\r\n"
            case "AUTH": line == "AUTH PLAIN AG1lAGdlaGVpbQ==" ? "235 welcome\r\n" : line == "AUTH PLAIN" ? "334 \r\n" : "535 no\r\n"
            case "AG1lAGdlaGVpbQ==": "235 welcome\r\n"
            default: ScriptedMailServer.plain(line)
            }
        }
        #expect(try await error(credentials: "me:geheim@", script).0 == nil)
        let (refused, conversation) = try await error(credentials: "me:falsch@", script)
        #expect(refused == .credentials && !conversation.commands.contains { $0.hasPrefix("MAIL") })
    }

    @Test(
        "refusals of each step have the server's status",
        arguments: [
            ("MAIL", 550, false), ("RCPT", 550, false), ("RCPT", 450, true), ("DATA", 554, false), (".", 552, false), (".", 451, true),
        ])
    func refusals(command: String, status: Int, isTransient: Bool) async throws {
        let (error, _) = try await error(Self.overriding(command, "\(status) canary\r\n"))
        #expect(error == .refused(status: status))
        #expect(error?.isTransient == isTransient && error?.reason.contains("canary") == false)
    }

    @Test("a server without STARTTLS gets neither the password nor the mail")
    func startTLS() async throws {
        let (error, conversation) = try await error(credentials: "me:geheim@", parameters: "?starttls=required", ScriptedMailServer.plain)
        guard case .insecure = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(conversation.commands.allSatisfy { $0.hasPrefix("EHLO") || $0 == "QUIT" })
    }

    @Test("a server that breaks the protocol, closes the connection or never answers is an error")
    func broken() async throws {
        #expect(try await error(timeout: .milliseconds(200), greeting: "", ScriptedMailServer.plain).0 == .timeout)
        for (command, answer) in [("EHLO", nil), ("MAIL", nil), (".", nil), ("EHLO", "HTTP/1.1 400 Bad\r\n"), (".", "\r\n\r\n")]
            as [(String, String?)]
        {
            let (error, _) = try await error(Self.overriding(command, answer))
            #expect(error?.isTransient == true)
        }
        let refusing = try #require(RefusingPort())
        defer { refusing.close() }
        let sender = try sender(port: refusing.port)
        await #expect(throws: MailError.unreachable("it cannot be reached at port \(refusing.port)")) { try await sender.send(message()) }
        await sender.close()
        await #expect(throws: MailError.closed) { try await sender.send(message()) }
    }

    @Test("RFC 6531: addresses in UTF-8 go only to servers that offer SMTPUTF8")
    func internationalized() async throws {
        let (refused, conversation) = try await error(to: "ädä@example.org", ScriptedMailServer.plain)
        #expect(refused == .needsSMTPUTF8 && !conversation.commands.contains { $0.hasPrefix("MAIL") })
        let (taken, accepted) = try await error(to: "ädä@example.org", Self.overriding("EHLO", "250-test\r\n250-SMTPUTF8\r\n250 SIZE\r\n"))
        #expect(taken == nil && accepted.commands.contains("RCPT TO:<ädä@example.org>"))
        #expect(accepted.commands.contains { $0.hasPrefix("MAIL FROM:") && $0.hasSuffix("SMTPUTF8") })
        #expect(String(decoding: accepted.mail, as: UTF8.self).contains("\r\nTo: ädä@example.org\r\n"))
    }

    @Test("mails beyond the capacity are refused at once, and a sender that closes refuses those that wait")
    func queue() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = ScriptedMailServer { line in
            if line.hasPrefix("EHLO") { gate.wait() }
            return ScriptedMailServer.plain(line)
        }
        defer { server.stop() }
        let sender = try sender(server, capacity: 2)
        let message = try message()
        let first = Task { try await sender.send(message) }
        try await eventually { !server.last.commands.isEmpty }
        let waiting = (0..<2).map { _ in Task { _ = await #expect(throws: MailError.closed) { try await sender.send(message) } } }
        try await eventually { sender.waitingCount == 2 }
        await #expect(throws: MailError.busy) { try await sender.send(message) }
        let closing = Task { await sender.close() }
        for task in waiting { await task.value }
        gate.signal()
        try await first.value
        await closing.value
        #expect(server.all.count == 1)
    }

    @Test("a library that is missing or no libcurl is an error that says what to install")
    func library() async throws {
        guard case .failure(.library(let missing)) = CurlLibrary.load("libcurl-none.so.4") else { return #expect(Bool(false)) }
        #expect(missing.contains("apt-get install libcurl4"))
        guard case .failure(.library(let other)) = CurlLibrary.load("libc.so.6") else { return #expect(Bool(false)) }
        #expect(other.contains("lacks functions"))
        let sender = MailSender(
            server: try MailServer(parsing: "smtp://127.0.0.1:1"), from: try MailAddress("a@b.de"), capacity: 1, timeout: .seconds(1),
            now: { 0 }
        ) { CurlLibrary.load("libcurl-none.so.4") }
        await #expect(throws: MailError.library(missing)) { try await sender.send(message()) }
        await sender.close()
        try MailSender.checkLibrary()
    }
}

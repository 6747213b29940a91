import Accounts
import Testing
import TokenCrypto

@testable import SecondFactors

@Suite("contract section 9: text messages count by number, account, client and day")
struct MessageLimitTests {
    private static let quarter: Int64 = 15 * 60_000
    private static let day: Int64 = 86_400_000
    private let now = Bench.now

    /// The reason of the refusal; nil for a message that was counted.
    private func refusal(
        _ bench: Bench, to number: String = "+15551230000", of uid: String, from client: String, for purpose: MessagePurpose = .use,
        at time: Int64? = nil
    ) async throws -> String? {
        let number = try #require(PhoneNumber(number))
        do {
            let counted = try await bench.service.count(to: number, of: uid, from: client, for: purpose, now: time ?? now)
            #expect(counted.number == number)
            return nil
        } catch {
            #expect(error.code == .tooManyRequests && (error.retryAfter ?? 0) > 0)
            return error.reason
        }
    }

    @Test func `one number gets five in 15 minutes and ten in a day, whoever asks`() async throws {
        let bench = try Bench()
        func send(_ index: Int, at time: Int64) async throws -> String? {
            try await refusal(bench, of: "user\(index)", from: "192.0.2.\(index)", at: time)
        }
        for index in 1...5 { #expect(try await send(index, at: now) == nil) }
        #expect(try await send(6, at: now + Self.quarter - 1) == "too many text messages to one number")
        for index in 6...10 { #expect(try await send(index, at: now + Self.quarter) == nil) }
        #expect(try await send(11, at: now + 2 * Self.quarter) == "too many text messages to one number in a day")
        #expect(try await send(11, at: now + Self.day) == nil)
        #expect(try await refusal(bench, to: "+15551230001", of: "user11", from: "192.0.2.11") == nil, "another number")
    }

    @Test func `an account gets three in 15 minutes, and a refused one uses up nothing`() async throws {
        let bench = try Bench()
        func send(_ uid: String, at time: Int64) async throws -> String? {
            try await refusal(bench, of: uid, from: "192.0.2.1", at: time)
        }
        for _ in 1...3 { #expect(try await send("ada", at: now) == nil) }
        for _ in 1...20 { #expect(try await send("ada", at: now + Self.quarter - 1) == "too many text messages for one account") }
        for uid in ["bob", "eve"] { #expect(try await send(uid, at: now) == nil, "the number has two left") }
        #expect(try await send("ada", at: now + Self.quarter) == nil)
    }

    @Test(
        "a client's network causes ten in 15 minutes, and the /48 of an IPv6 network four times as many",
        arguments: [
            ("192.0.2.1", 10, "too many text messages for one client"),
            ("@", 10, "too many text messages for one client"),
            ("2001:db8:0:1::", 10, "too many text messages for one client"),
        ])
    func client(network: String, most: Int, reason: String) async throws {
        let bench = try Bench()
        for index in 0..<most {
            #expect(try await refusal(bench, to: "+1555123\(1_000 + index)", of: "user\(index)", from: network) == nil)
        }
        #expect(try await refusal(bench, of: "last", from: network) == reason)
        #expect(try await refusal(bench, of: "last", from: network, at: now + Self.quarter) == nil)
    }

    @Test func `a customer with a whole /48 gets forty in 15 minutes`() async throws {
        let bench = try Bench()
        func send(_ index: Int, _ prefix: String = "2001:db8:7") async throws -> String? {
            try await refusal(bench, to: "+1555123\(1_000 + index)", of: "user\(index)", from: "\(prefix):\(index)::")
        }
        for index in 0..<40 { #expect(try await send(index) == nil) }
        #expect(try await send(40) == "too many text messages for the /48 of one client")
        #expect(try await send(40, "2001:db8:8") == nil)
    }

    @Test func `all messages of a day are limited, and new numbers leave half of them`() async throws {
        let bench = try Bench(messagesPerDay: 5)
        func send(_ index: Int, _ purpose: MessagePurpose, at time: Int64) async throws -> String? {
            try await refusal(bench, to: "+1555123\(1_000 + index)", of: "user\(index)", from: "192.0.2.\(index)", for: purpose, at: time)
        }
        for index in 1...3 { #expect(try await send(index, .enrolment, at: now) == nil) }
        #expect(try await send(4, .enrolment, at: now) == "half of secondFactor.phone.messagesPerDay is used up")
        for index in 4...5 { #expect(try await send(index, .use, at: now) == nil) }
        #expect(try await send(6, .use, at: now + Self.day - 1) == "secondFactor.phone.messagesPerDay is used up")
        #expect(try await send(6, .use, at: now + Self.day) == nil)
    }

    @Test func `a limit beyond what one key holds is exact`() async throws {
        let bench = try Bench(messagesPerDay: AttemptKey.greatestLimit + 1)
        let key = AttemptKey(scope: "message-day", subject: "", key: [1])
        for _ in 1...AttemptKey.greatestLimit {
            _ = try await bench.accounts.attempt(key, limit: AttemptKey.greatestLimit, window: Self.day, now: now)
        }
        #expect(try await refusal(bench, of: "ada", from: "192.0.2.1") == nil)
        #expect(try await refusal(bench, of: "ada", from: "192.0.2.1") == "secondFactor.phone.messagesPerDay is used up")
    }

    @Test func `the message of a sign-in and that of an enrolment both count for the client that asked`() async throws {
        let bench = try Bench(messagesPerDay: 2)
        let account = try await bench.account()
        let factor = try await bench.enrolPhone(account)
        let other = try await bench.account("2")
        #expect(try await bench.code { _ = try await bench.enrolPhone(other, "+15551231235") } == .tooManyRequests)
        let pending = try await bench.pending(account.uid)
        guard case .message = try await bench.service.start(factor.id, pending, now: now) else { throw Bench.Failure() }
        #expect(try await bench.code { _ = try await bench.service.start(factor.id, pending, now: now) } == .tooManyRequests)
    }
}

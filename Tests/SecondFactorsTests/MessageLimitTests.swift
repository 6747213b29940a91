import Accounts
import Testing
import TokenCrypto

@testable import SecondFactors

@Suite("contract section 9: text messages count by purpose, number, account, client and day")
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

    @Test(arguments: [MessagePurpose.enrolment, .use])
    func `one number gets five in 15 minutes and ten in a day, whoever asks`(for purpose: MessagePurpose) async throws {
        let bench = try Bench()
        func send(_ index: Int, at time: Int64) async throws -> String? {
            try await refusal(bench, of: "user\(index)", from: "192.0.2.\(index)", for: purpose, at: time)
        }
        for index in 1...5 { #expect(try await send(index, at: now) == nil) }
        #expect(try await send(6, at: now + Self.quarter - 1) == "too many text messages to one number")
        for index in 6...10 { #expect(try await send(index, at: now + Self.quarter) == nil) }
        #expect(try await send(11, at: now + 2 * Self.quarter) == "too many text messages to one number in a day")
        #expect(try await send(11, at: now + Self.day) == nil)
        let other = try await refusal(bench, to: "+15551230001", of: "user11", from: "192.0.2.11", for: purpose, at: now + Self.day)
        #expect(other == nil, "another number")
    }

    @Test func `no enrolment uses up what a user signs in with, and no sign-in what an enrolment needs`() async throws {
        let bench = try Bench()
        func send(_ uid: String, for purpose: MessagePurpose, at time: Int64) async throws -> String? {
            try await refusal(bench, of: uid, from: "192.0.2.1", for: purpose, at: time)
        }
        for turn in [now, now + Self.quarter] {
            for index in 1...5 { #expect(try await send("stranger\(index)", for: .enrolment, at: turn) == nil) }
            #expect(try await send("stranger6", for: .enrolment, at: turn) != nil)
            for uid in ["owner", "owner", "owner", "second", "second"] { #expect(try await send(uid, for: .use, at: turn) == nil) }
            #expect(try await send("second", for: .use, at: turn) == "too many text messages to one number")
        }
        #expect(try await send("owner", for: .use, at: now + 2 * Self.quarter) == "too many text messages to one number in a day")
    }

    @Test func `an account gets three for enrolments and sign-ins together`() async throws {
        let bench = try Bench()
        func send(_ purpose: MessagePurpose) async throws -> String? {
            try await refusal(bench, of: "ada", from: "192.0.2.1", for: purpose)
        }
        for purpose in [MessagePurpose.enrolment, .use, .enrolment] { #expect(try await send(purpose) == nil) }
        for purpose in [MessagePurpose.enrolment, .use] { #expect(try await send(purpose) == "too many text messages for one account") }
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

    private struct Client: Sendable {
        let purpose: MessagePurpose
        /// The network of the nth message.
        let network: @Sendable (Int) -> String
        let most: Int
        let reason: String
        let other: String
    }

    private static let clients: [Client] = [(MessagePurpose.enrolment, 10), (.use, 100)].flatMap { purpose, most in
        let one = "too many text messages for one client"
        return [
            Client(purpose: purpose, network: { _ in "192.0.2.1" }, most: most, reason: one, other: "192.0.2.2"),
            Client(purpose: purpose, network: { _ in "@" }, most: most, reason: one, other: "192.0.2.2"),
            Client(purpose: purpose, network: { _ in "2001:db8:0:1::" }, most: most, reason: one, other: "2001:db8:0:2::"),
            Client(
                purpose: purpose, network: { "2001:db8:7:\($0)::" }, most: 4 * most,
                reason: "too many text messages for the /48 of one client", other: "2001:db8:8:1::"),
        ]
    }

    @Test(
        "a client's network causes ten enrolments and a hundred sign-ins in 15 minutes, and the /48 of an IPv6 network four times as many",
        arguments: clients.indices)
    func client(index: Int) async throws {
        let client = Self.clients[index]
        let bench = try Bench()
        func send(_ index: Int, from network: String? = nil, at time: Int64? = nil) async throws -> String? {
            try await refusal(
                bench, to: "+1555123\(1_000 + index)", of: "user\(index)", from: network ?? client.network(index), for: client.purpose,
                at: time)
        }
        for index in 0..<client.most { #expect(try await send(index) == nil) }
        #expect(try await send(client.most) == client.reason)
        #expect(try await send(client.most, from: client.other) == nil)
        #expect(try await send(client.most, at: now + Self.quarter) == nil)
        let other: MessagePurpose = client.purpose == .use ? .enrolment : .use
        #expect(try await refusal(bench, of: "last", from: client.network(client.most), for: other) == nil, "the other purpose")
    }

    @Test(
        "a client's network causes fifty enrolments in a day, and the /48 of an IPv6 network four times as many",
        arguments: [
            (false, 50, "too many text messages for one client in a day"),
            (true, 200, "too many text messages for the /48 of one client in a day"),
        ])
    func enrolments(site: Bool, most: Int, reason: String) async throws {
        let bench = try Bench()
        func send(_ index: Int, for purpose: MessagePurpose = .enrolment, at time: Int64) async throws -> String? {
            let network = site ? "2001:db8:7:\(index)::" : "192.0.2.1"
            return try await refusal(
                bench, to: "+1555123\(1_000 + index)", of: "user\(index)", from: network, for: purpose, at: time)
        }
        for index in 0..<most { #expect(try await send(index, at: now + Int64(index / (most / 5)) * Self.quarter) == nil) }
        let later = now + 5 * Self.quarter
        #expect(try await send(most, at: later) == reason)
        #expect(try await send(most, for: .use, at: later) == nil, "a sign-in")
        #expect(try await send(most, at: now + Self.day) == nil)
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

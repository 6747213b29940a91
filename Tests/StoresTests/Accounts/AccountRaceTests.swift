import Testing

@testable import Accounts
@testable import Stores

/// 20 parallel calls on two replicas: exactly one creates, and the others get the answer of later callers.
@Suite("Races for accounts")
struct AccountRaceTests {
    @Test(arguments: AccountDatabase.all)
    func `parallel first sign-ins of one identity make one account`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let outcomes = try await inParallel(replicas.services()) { service, _ in
            try await service.signIn(proof: Proof(), now: start).outcome
        }
        #expect(Set(outcomes.map { $0?.uid }) == [UserID.derived(issuer: "https://github.com", subject: "1")])
        #expect(outcomes.filter { $0?.kind == .create }.count == 1)
        #expect(try await replicas.service().records(after: nil, limit: 100).count == 1)
    }

    @Test(arguments: AccountDatabase.all)
    func `parallel first sign-ins of identities with one address make one account`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let ends = try await inParallel(replicas.services()) { service, index in
            let end = try await service.signIn(proof: Proof("oidc.p\(index)"), now: start)
            return (end.outcome?.kind, end.conflict != nil)
        }
        #expect(ends.filter { $0.0 == .create }.count == 1 && ends.filter(\.1).count == 19)
        #expect(try await replicas.service().records(after: nil, limit: 100).count == 1)
    }

    @Test(arguments: AccountDatabase.all)
    func `parallel first sign-ins with one address are linked under verified-email`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let outcomes = try await inParallel(replicas.services(AccountPolicy(linking: .verifiedEmail)), count: 10) { service, index in
            try await service.signIn(proof: Proof("oidc.p\(index)"), now: start).outcome
        }
        // A loser of the creation goes on with another account than it asked its hooks about, so it is `changed` once, and then linked.
        #expect(Set(outcomes.map { $0?.uid }).count == 1 && outcomes.allSatisfy { $0 != nil })
        let records = try await replicas.service().records(after: nil, limit: 100)
        #expect(records.count == 1 && records[0].account.identities.count == 10)
    }

    @Test(arguments: AccountDatabase.all)
    func `parallel links of one identity to 20 accounts: one account gets it`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let uids = try await inParallel(replicas.services()) { service, index in
            try await service.signIn(proof: Proof("github.com", "\(index)", email: nil), now: start).outcome?.uid ?? ""
        }
        let codes = try await inParallel(replicas.services()) { service, index in
            try await refusal { _ = try await service.link(Proof("google.com", email: nil), uid: uids[index], now: start) }
        }
        #expect(codes.filter { $0 == nil }.count == 1 && codes.filter { $0 == .credentialAlreadyInUse }.count == 19)
    }

    @Test(arguments: AccountDatabase.all)
    func `parallel links of 20 identities of one provider to one account: one joins`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let uid = try #require(try await replicas.service().signIn(proof: Proof("github.com", email: nil), now: start).outcome).uid
        let codes = try await inParallel(replicas.services()) { service, index in
            try await refusal { _ = try await service.link(Proof("google.com", "\(index)", email: nil), uid: uid, now: start) }
        }
        #expect(codes.filter { $0 == nil }.count == 1 && codes.filter { $0 == .providerAlreadyLinked }.count == 19)
    }

    @Test(arguments: AccountDatabase.all, [true, false])
    func `parallel registrations of one address make one account`(database: AccountDatabase, onePerEmail: Bool) async throws {
        let replicas = try await database.make()
        let results = try await inParallel(replicas.services(AccountPolicy(onePerEmail: onePerEmail))) { service, _ in
            try await service.register("ada@example.com", "pw", now: start).created?.account.uid
        }
        #expect(results.compactMap { $0 }.count == 1)
        #expect(try await replicas.service().records(after: nil, limit: 100).count == 1)
    }

    @Test(arguments: AccountDatabase.all)
    func `parallel redemptions of one mail token: one works`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service()
        _ = try await service.register("ada@example.com", "old", now: start)
        let token = try #require(try await service.resetToken(EmailAddress("ada@example.com")!, now: start))
        let codes = try await inParallel(replicas.services()) { service, index in
            try await refusal { _ = try await service.resetPassword(token.text, to: PasswordHash(phc: "new\(index)"), now: start) }
        }
        #expect(codes.filter { $0 == nil }.count == 1 && codes.filter { $0 == .invalidToken }.count == 19)
        #expect(try await service.endings(after: 0, limit: 100).count == 1)
    }

    @Test(arguments: AccountDatabase.all)
    func `parallel redemptions of one pending credential: one links`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service()
        let outcome = try #require(try await service.signIn(proof: Proof("google.com"), now: start).outcome)
        let pending = try #require(try await service.signIn(proof: Proof("github.com"), now: start).conflict).pending
        let linked = try await inParallel(replicas.services()) { service, _ in
            try await service.redeem(pending, signedIn: outcome.uid, by: .recent, now: start) != nil
        }
        #expect(linked.filter { $0 }.count == 1)
    }

    @Test(arguments: AccountDatabase.all)
    func `parallel sign-ins of one account do not disturb each other`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let uid = try #require(try await replicas.service().signIn(proof: Proof(), now: start).outcome).uid
        let revisions = try await inParallel(replicas.services()) { service, index in
            try await service.signIn(proof: Proof(), now: start + Int64(index)).outcome?.account?.revision
        }
        #expect(Set(revisions) == [1])
        #expect(try await replicas.service().account(uid)?.lastSignInAt == start + 19, "a late write does not move the time back")
    }

    @Test(arguments: AccountDatabase.all)
    func `parallel guesses count: five attempts and no more`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let key = AttemptKey(scope: "password-address", subject: "ada@example.com", key: [1])
        let codes = try await inParallel(replicas.services()) { service, _ in
            try await refusal { _ = try await service.attempt(key, limit: 5, window: 900_000, now: start) }
        }
        #expect(codes.filter { $0 == nil }.count == 5 && codes.filter { $0 == .tooManyRequests }.count == 15)
    }

    @Test(arguments: AccountDatabase.all)
    func `parallel claims of the outbox: each entry has one lease`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        for index in 0..<20 {
            try await replicas.service().enqueue(OutboxEntry(id: "\(index)", kind: "merge", payload: "{}", createdAt: start))
        }
        let claimed = try await inParallel(replicas.services()) { service, _ in
            try await service.claimOutbox(limit: 3, lease: 1_000, now: start).map(\.entry.id)
        }
        #expect(claimed.joined().count == 20 && Set(claimed.joined()).count == 20)
    }

    @Test(arguments: AccountDatabase.all)
    func `no reader passes an ending that another replica commits later`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        // Of different accounts: the store keeps one ending of each.
        let reading = Task {
            var cursor: Int64 = 0
            var seen: [Int64] = []
            while seen.count < 20, !Task.isCancelled {
                for ending in try await replicas.services()[1].endings(after: cursor, limit: 5) {
                    seen.append(ending.number)
                    cursor = ending.number
                }
            }
            return seen
        }
        _ = try await inParallel(replicas.services()) { service, index in
            var changes = AccountChanges(claimsAddresses: true)
            changes.endings = [SessionEnding(uid: "\(index)", before: start)]
            try await service.store.apply(changes)
        }
        #expect(try await reading.value == Array(1...20))
    }
}

import Synchronization
import Testing

@testable import Accounts
@testable import Stores

/// Attacks on accounts before and after their users come (Sudhodanan and Paverd, "Pre-hijacked accounts", USENIX Security 2022).
@Suite("Attacks on accounts")
struct AccountAttackTests {
    private let victim = "ada@example.com"

    @Test(arguments: AccountDatabase.all)
    func `classic-federated merge: a password that was registered first does not survive the user's provider`(
        database: AccountDatabase
    ) async throws {
        let service = try await database.make().service(AccountPolicy(linking: .verifiedEmail))
        let attacker = try #require(try await service.register(victim, "evil", now: start).created)
        let reset = try #require(try await service.resetToken(EmailAddress(victim)!, now: start))
        _ = try await service.signIn(victim, "evil", now: start + 1)
        let outcome = try #require(try await service.signIn(proof: Proof("google.com"), now: start + 2).outcome)
        #expect(outcome.kind == .takeOver && outcome.uid == attacker.account.uid)
        #expect(try await service.signIn(victim, "evil", now: start + 3) == nil)
        #expect(try await service.endings(after: 0, limit: 9).map(\.ending) == [SessionEnding(uid: outcome.uid, before: start + 2)])
        #expect(outcome.startsAt == start + 3 && outcome.hasEndedSessions)
        for token in [attacker.token, reset] {
            #expect(try await !service.isValid(token.text, for: token.purpose, now: start + 3), "pending mails are cancelled")
        }
    }

    @Test(arguments: AccountDatabase.all)
    func `classic-federated merge under confirm: nobody is signed in, and the page names no way in`(database: AccountDatabase) async throws
    {
        let service = try await database.make().service()
        _ = try await service.register(victim, "evil", now: start)
        let conflict = try #require(try await service.signIn(proof: Proof("google.com"), now: start).conflict)
        #expect(conflict.providers == ["password"])
        #expect(try await service.signIn(proof: Proof("google.com", verified: false), now: start).conflict?.providers == nil)
    }

    @Test(arguments: AccountDatabase.all)
    func `unexpired session: a reset of the password ends every session`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let attacker = try #require(try await service.register(victim, "evil", now: start).created)
        _ = try await service.signIn(victim, "evil", now: start + 1)
        let token = try #require(try await service.resetToken(EmailAddress(victim)!, now: start + 2))
        _ = try await service.resetPassword(token.text, to: PasswordHash(phc: "good"), now: start + 3)
        #expect(
            try await service.endings(after: 0, limit: 9).map(\.ending) == [SessionEnding(uid: attacker.account.uid, before: start + 3)])
        #expect(try await service.signIn(victim, "evil", now: start + 4) == nil)
        #expect(try await service.signIn(victim, "good", now: start + 4)?.outcome?.account?.emailVerified == true)
    }

    @Test(arguments: AccountDatabase.all)
    func `Trojan identifier: an identity that the attacker linked does not survive the reset`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let attacker = try #require(try await service.register(victim, "evil", now: start).created).account
        _ = try await service.link(Proof("github.com", "eve", email: "eve@evil.example"), uid: attacker.uid, now: start)
        let token = try #require(try await service.resetToken(EmailAddress(victim)!, now: start))
        _ = try await service.resetPassword(token.text, to: PasswordHash(phc: "good"), now: start)
        let eve = try #require(
            try await service.signIn(proof: Proof("github.com", "eve", email: "eve@evil.example"), now: start).outcome)
        #expect(eve.uid != attacker.uid && eve.kind == .create)
    }

    @Test(arguments: AccountDatabase.all)
    func `mails to the owner: a stranger in the account that has the address cancels none of them`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let registered = try #require(try await service.register(victim, "evil", now: start).created)
        let attacker = registered.account
        _ = try await service.link(Proof("github.com", "eve", email: "eve@evil.example"), uid: attacker.uid, now: start)
        let again = try #require(try await service.verificationToken(uid: attacker.uid, now: start))
        let reset = try #require(try await service.resetToken(EmailAddress(victim)!, now: start))
        let change = try #require(
            try await service.changeToken(uid: attacker.uid, to: EmailAddress("eve@evil.example")!, by: .recent, now: start))
        _ = try await service.setPassword(PasswordHash(phc: "evil"), uid: attacker.uid, by: .recent, keep: nil, now: start)
        _ = try await service.unlink("password", uid: attacker.uid, by: .recent, now: start)
        for token in [registered.token, again, reset] { #expect(try await service.isValid(token.text, for: token.purpose, now: start)) }
        #expect(try await !service.isValid(change.text, for: .change, now: start), "that mail went to somebody else")
        _ = try await service.resetPassword(reset.text, to: PasswordHash(phc: "good"), now: start)
        for token in [registered.token, again] { #expect(try await !service.isValid(token.text, for: token.purpose, now: start)) }
        #expect(try await service.account(attacker.uid)?.identities.isEmpty == true)
    }

    @Test(arguments: AccountDatabase.all)
    func `unexpired change of the address: a reset, a new password and a take-over cancel it`(database: AccountDatabase) async throws {
        for defence in ["reset", "password", "take-over"] {
            let service = try await database.make().service(AccountPolicy(linking: .verifiedEmail))
            let attacker = try #require(try await service.register(victim, "evil", now: start).created).account
            let change = try #require(
                try await service.changeToken(uid: attacker.uid, to: EmailAddress("eve@evil.example")!, by: .recent, now: start))
            switch defence {
            case "reset":
                let token = try #require(try await service.resetToken(EmailAddress(victim)!, now: start))
                _ = try await service.resetPassword(token.text, to: PasswordHash(phc: "good"), now: start)
            case "password":
                _ = try await service.setPassword(PasswordHash(phc: "good"), uid: attacker.uid, by: .recent, keep: nil, now: start)
            default:
                #expect(try await service.signIn(proof: Proof("google.com"), now: start).outcome?.kind == .takeOver)
            }
            #expect(try await refusal { _ = try await service.confirmInSession(change.text, now: start) } == .invalidToken)
            #expect(try await service.account(attacker.uid)?.email?.text == victim)
        }
    }

    @Test(arguments: AccountDatabase.all)
    func `non-verifying provider: an account that it made does not capture the mailbox's user`(database: AccountDatabase) async throws {
        // The provider lets its users set any address, and says that it is verified.
        let service = try await database.make().service(AccountPolicy(linking: .trustedDomains))
        let lax = Proof("oidc.lax", "eve", email: "ada@gmail.com")
        let attacker = try #require(try await service.signIn(proof: lax, now: start).outcome)
        let google = Proof("google.com", email: "ada@gmail.com")
        let outcome = try #require(try await service.signIn(proof: google, now: start + 1).outcome)
        #expect(outcome.kind == .takeOver && outcome.uid == attacker.uid)
        #expect(try await service.signIn(proof: lax, now: start + 2).conflict != nil, "its identity opens the account no longer")
        // Nor does it reach an account that exists.
        let other = Proof("oidc.lax", "eve2", email: "bob@gmail.com")
        let bob = try #require(
            try await service.signIn(proof: Proof("google.com", "bob", email: "bob@gmail.com"), now: start).outcome)
        #expect(try await service.signIn(proof: other, now: start).conflict?.pending.uid == bob.uid)
    }

    @Test(arguments: AccountDatabase.all)
    func `a provider that does not vouch for addresses never reaches an account by one`(database: AccountDatabase) async throws {
        for linking in AccountPolicy.Linking.allCases {
            let service = try await database.make().service(AccountPolicy(linking: linking))
            _ = try await service.signIn(proof: Proof("google.com", email: "ada@gmail.com"), now: start)
            for verified in [false, nil] {
                let end = try await service.signIn(proof: Proof("oidc.lax", email: "ada@gmail.com", verified: verified), now: start)
                #expect(end.outcome == nil && end.conflict?.providers == nil)
            }
        }
    }

    @Test(arguments: AccountDatabase.all)
    func `recycled address: the next user of a mailbox does not get the account of the last one`(database: AccountDatabase) async throws {
        for linking in [AccountPolicy.Linking.verifiedEmail, .trustedDomains] {
            let service = try await database.make().service(AccountPolicy(linking: linking))
            let old = try #require(
                try await service.signIn(proof: Proof("yahoo.com", "old", email: "ada@yahoo.com"), now: start).outcome)
            let end = try await service.signIn(proof: Proof("yahoo.com", "new", email: "ada@yahoo.com"), now: start)
            #expect(end.conflict?.pending.uid == old.uid)
        }
    }

    @Test(arguments: AccountDatabase.all)
    func `a pending credential works once, for its account, while it applies`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let outcome = try #require(try await service.signIn(proof: Proof("google.com"), now: start).outcome)
        let pending = try #require(try await service.signIn(proof: Proof("github.com"), now: start).conflict).pending
        let other = try #require(try await service.signIn(proof: Proof("google.com", "2", email: "b@example.com"), now: start).outcome)
        #expect(try await service.redeem(pending, signedIn: other.uid, by: .recent, now: start) == nil)
        #expect(try await service.redeem(pending, signedIn: outcome.uid, by: .recent, now: start + 600_000) == nil)
        #expect(
            try await service.redeem(pending, signedIn: outcome.uid, by: .recent, now: start)?.identities.map(\.provider) == [
                "google.com", "github.com",
            ])
        _ = try await service.unlink("github.com", uid: outcome.uid, by: .recent, now: start)
        #expect(
            try await service.redeem(pending, signedIn: outcome.uid, by: .recent, now: start) == nil,
            "used once, it does not undo the unlinking")
    }

    @Test(arguments: AccountDatabase.all)
    func `mail tokens work once, for an hour, for their purpose, and the newest change of the address only`(
        database: AccountDatabase
    ) async throws {
        let service = try await database.make().service()
        let made = try #require(try await service.register(victim, "pw", now: start).created)
        #expect(
            try await refusal { _ = try await service.resetPassword(made.token.text, to: PasswordHash(phc: "x"), now: start) }
                == .invalidToken)
        #expect(try await refusal { _ = try await service.confirmInSession(made.token.text, now: start + 3_600_000) } == .invalidToken)
        #expect(try await service.confirmInSession(made.token.text, now: start + 3_599_999).emailVerified)
        #expect(try await refusal { _ = try await service.confirmInSession(made.token.text, now: start) } == .invalidToken)
        let uid = made.account.uid
        let one = try #require(try await service.changeToken(uid: uid, to: EmailAddress("one@example.com")!, by: .recent, now: start))
        let two = try #require(try await service.changeToken(uid: uid, to: EmailAddress("two@example.com")!, by: .recent, now: start))
        #expect(try await refusal { _ = try await service.confirmInSession(one.text, now: start) } == .invalidToken)
        #expect(try await service.confirmInSession(two.text, now: start).email?.text == "two@example.com")
        #expect(try await service.signIn("two@example.com", "pw", now: start)?.outcome?.uid == uid)
        #expect(try await service.signIn(victim, "pw", now: start) == nil)
        var tokens: [MailToken] = []
        for offset in 0..<7 {
            tokens.append(try #require(try await service.resetToken(EmailAddress("two@example.com")!, now: start + Int64(offset))))
        }
        for (index, token) in tokens.enumerated() {
            #expect(try await service.isValid(token.text, for: .reset, now: start + 7) == (index >= 2), "five are kept")
        }
    }

    @Test(arguments: AccountDatabase.all)
    func `attempts leave a sliding window, right ones do not count, and expired rows are deleted`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service()
        let key = AttemptKey(scope: "password-address", subject: victim, key: [1])
        func attempt(_ now: Int64) async throws -> CountedAttempt? {
            do { return try await service.attempt(key, limit: 2, window: 1_000, now: now) } catch {
                #expect(error.code == .tooManyRequests)
                #expect(error.retryAfter == 1_000 - (now - start))
                return nil
            }
        }
        #expect(try await attempt(start) != nil)
        let right = try #require(try await attempt(start + 500))
        #expect(try await attempt(start + 600) == nil)
        try await service.withdraw(right, now: start + 600)
        #expect(try await attempt(start + 700) != nil)
        #expect(try await attempt(start + 999) == nil)
        #expect(try await attempt(start + 1_000) != nil)
        try await service.prune(now: start + 2_000, SessionAges(session: 0, ending: 0))
        let rows = try await replicas.first.read { connection throws(SQLError) in try connection.run("SELECT digest FROM attempts", []) }
        #expect(rows.isEmpty)
    }

    @Test(arguments: AccountDatabase.all)
    func `the outbox delivers at least once, and retries`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let entry = OutboxEntry(id: "1", kind: "merge", payload: "{}", createdAt: start)
        try await service.enqueue(entry)
        try await service.enqueue(entry)
        let first = try await service.claimOutbox(limit: 10, lease: 1_000, now: start)
        #expect(first == [ClaimedEntry(entry: entry, attempt: 1)])
        #expect(try await service.claimOutbox(limit: 10, lease: 1_000, now: start + 999).isEmpty)
        let second = try await service.claimOutbox(limit: 10, lease: 1_000, now: start + 1_000)
        #expect(second.map(\.attempt) == [2], "the lease expired")
        try await service.settle(first[0], retryAt: start)
        #expect(try await service.claimOutbox(limit: 10, lease: 1_000, now: start + 1_000).isEmpty, "the first lease is over")
        try await service.settle(second[0], retryAt: start + 5_000)
        #expect(try await service.claimOutbox(limit: 10, lease: 1_000, now: start + 4_999).isEmpty)
        let third = try await service.claimOutbox(limit: 10, lease: 1_000, now: start + 5_000)
        try await service.settle(third[0], retryAt: nil)
        #expect(try await service.claimOutbox(limit: 10, lease: 1_000, now: start + 99_000).isEmpty)
    }

    // MARK: The links of mails

    @Test(arguments: AccountDatabase.all)
    func `unverified address: its owner gets the account from the mail, and nothing that opened it stays`(database: AccountDatabase)
        async throws
    {
        let service = try await database.make().service()
        let made = try #require(try await service.register(victim, "evil", now: start).created)
        let uid = made.account.uid
        _ = try await service.link(Proof("oidc.evil", "eve", email: "eve@evil.example"), uid: uid, now: start)
        let reset = try #require(try await service.resetToken(EmailAddress(victim)!, now: start))
        guard case .takenOver(let account, let next) = try await service.refuse(made.token.text, now: start + 1) else {
            Issue.record("the owner does not get the account")
            return
        }
        #expect(account.uid == uid && account.identities.isEmpty && !account.hasPassword && account.verification == .mail)
        #expect(try await service.account(uid) == account)
        #expect(try await service.signIn(victim, "evil", now: start + 2) == nil)
        #expect(try await service.endings(after: 0, limit: 9).map(\.ending) == [SessionEnding(uid: uid, before: start + 1)])
        for token in [made.token, reset] { #expect(try await service.mailLink(token.text, now: start + 2) == nil) }
        _ = try await service.resetPassword(next.text, to: PasswordHash(phc: "good"), now: start + 3)
        #expect(try await service.signIn(victim, "good", now: start + 4)?.outcome?.uid == uid)
        let eve = try await service.signIn(proof: Proof("oidc.evil", "eve", email: "eve@evil.example"), now: start + 5)
        #expect(eve.outcome?.kind == .create)
    }

    @Test(arguments: AccountDatabase.all)
    func `a mail proves nothing for an account whose user did not open it`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let made = try #require(try await service.register(victim, "evil", now: start).created)
        for uid in ["", "other"] {
            #expect(
                try await refusal { _ = try await service.confirm(made.token.text, by: .session(uid: uid, .recent), now: start) }
                    == .userMismatch)
        }
        #expect(try await service.account(made.account.uid)?.verification == nil)
        #expect(try await service.mailLink(made.token.text, now: start)?.refusal == .takesOver, "the link still works")
    }

    @Test(arguments: AccountDatabase.all)
    func `a link that is refused and confirmed at once does one of both`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        for _ in 0..<5 {
            let service = replicas.service()
            let address = "race\(Int.random(in: 0..<Int.max))@example.com"
            let made = try #require(try await service.register(address, "pw", now: start).created)
            let uid = made.account.uid
            let ends = try await inParallel(replicas.services(), count: 6) { service, index in
                try await refusal {
                    if index % 2 == 0 {
                        _ = try await service.refuse(made.token.text, now: start + 1)
                    } else {
                        _ = try await service.confirm(made.token.text, by: .session(uid: uid, .recent), now: start + 1)
                    }
                }
            }
            #expect(ends.count { $0 == nil } == 1 && ends.count { $0 == .invalidToken } == 5)
            #expect(try await service.account(uid)?.verification == .mail)
        }
    }

    @Test(arguments: AccountDatabase.all)
    func `the store knows when an address was first proven, and a reset keeps what was linked since`(database: AccountDatabase) async throws
    {
        let service = try await database.make().service()
        let made = try #require(try await service.register(victim, "pw", now: start).created)
        let uid = made.account.uid
        _ = try await service.link(Proof("oidc.before", "1", email: "x@evil.example"), uid: uid, now: start + 1)
        _ = try await service.confirmInSession(made.token.text, now: start + 2)
        _ = try await service.link(Proof("oidc.after", "2", email: "y@example.org"), uid: uid, now: start + 3)
        #expect(try await service.account(uid)?.provenAt == start + 2)
        let token = try #require(try await service.resetToken(EmailAddress(victim)!, now: start + 4))
        _ = try await service.resetPassword(token.text, to: PasswordHash(phc: "new"), now: start + 5)
        let after = try #require(try await service.account(uid))
        #expect(after.identities.map(\.provider) == ["oidc.after"] && after.provenAt == start + 2)
    }

    // MARK: Enumeration

    @Test(arguments: AccountDatabase.all)
    func `a registration writes as often for a taken address as for a free one`(database: AccountDatabase) async throws {
        let counting = CountingDatabase(try await database.make().first)
        let service = AccountService(store: SQLAccountStore(counting), policy: AccountPolicy())
        _ = try await service.register(victim, "pw", now: start)
        let anonymous = try #require(try await service.finish(service.decideAnonymous(now: start), now: start).outcome).uid
        for upgraded in [nil, anonymous] {
            var counts: [[Int]] = []
            for address in [victim, "free\(upgraded ?? "")@example.com"] {
                let before = counting.counts
                _ = try await service.signUp(
                    EmailAddress(address)!, name: nil, passwordHash: PasswordHash(phc: "pw"), upgrading: upgraded, now: start)
                counts.append(zip(counting.counts, before).map { $0 - $1 })
            }
            #expect(counts[0] == counts[1] && counts[0] == [1, 1], "reads and writes")
        }
    }
}

/// Counts transactions.
private final class CountingDatabase: SQLDatabase {
    private let database: any SQLDatabase
    private let reads = Atomic(0)
    private let writes = Atomic(0)

    init(_ database: any SQLDatabase) { self.database = database }

    var dialect: SQLDialect { database.dialect }
    /// Reads, then writes.
    var counts: [Int] { [reads.load(ordering: .relaxed), writes.load(ordering: .relaxed)] }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> T) async throws(SQLError) -> T {
        writes.add(1, ordering: .relaxed)
        return try await database.write(body)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> T) async throws(SQLError) -> T {
        reads.add(1, ordering: .relaxed)
        return try await database.read(body)
    }

    func close() async { await database.close() }
}

import Testing
import TokenCrypto

@testable import Accounts
@testable import Stores

/// A kind of database that the account store runs on. A new one adds a line to `all`.
struct AccountDatabase: Sendable, CustomTestStringConvertible {
    let name: String
    /// An empty database, and a second connection to it: another replica.
    let make: @Sendable () async throws -> Replicas

    var testDescription: String { name }

    static let all: [AccountDatabase] = [.sqlite, .postgres]

    static let sqlite = AccountDatabase(name: "SQLite") {
        let folder = try Folder()
        return Replicas(
            SQLiteDatabase(path: folder.database, options: .withoutTimeLimits),
            SQLiteDatabase(path: folder.database, options: .withoutTimeLimits),
            owner: folder)
    }
}

extension SQLiteDatabase.Options {
    /// For tests of other things than time limits: no busy machine reaches these.
    static let withoutTimeLimits: SQLiteDatabase.Options = {
        var options = SQLiteDatabase.Options()
        options.timeLimit = 600_000
        options.busyTimeout = 600_000
        return options
    }()
}

/// Two connections to one database, as two replicas have them.
final class Replicas: Sendable {
    let first: any SQLDatabase
    let second: any SQLDatabase

    /// `owner`: removes the database when it is released.
    init(_ first: any SQLDatabase, _ second: any SQLDatabase, owner: any Sendable) {
        self.first = OwnedDatabase(database: first, owner: owner)
        self.second = OwnedDatabase(database: second, owner: owner)
    }

    func service(_ policy: AccountPolicy = AccountPolicy()) -> AccountService {
        AccountService(store: SQLAccountStore(first), policy: policy)
    }

    /// One service on each replica.
    func services(_ policy: AccountPolicy = AccountPolicy()) -> [AccountService] {
        [first, second].map { AccountService(store: SQLAccountStore($0), policy: policy) }
    }
}

/// A session whose user signed in at `start` and has shown a factor, and that no ending of the test means.
extension SessionProof {
    static let recent = SessionProof(provider: "password", issuedAt: start + 3_600_000, authTime: start, hasShownFactor: true)
}

extension AccountService {
    func link(_ proof: some IdentityProof, uid: String, now: Int64) async throws(AccountError) -> AccountOutcome {
        try await link(proof, uid: uid, by: .recent, begun: now, now: now)
    }
}

/// A database whose files live as long as it does.
private struct OwnedDatabase: SQLDatabase {
    let database: any SQLDatabase
    let owner: any Sendable

    var dialect: SQLDialect { database.dialect }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> T) async throws(SQLError) -> T {
        try await database.write(body)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> T) async throws(SQLError) -> T {
        try await database.read(body)
    }

    func close() async { await database.close() }
}

struct Proof: IdentityProof {
    let identity: ProviderIdentity

    init(
        _ provider: String = "github.com", _ subject: String = "1", email: String? = "ada@example.com", verified: Bool? = true,
        name: String? = nil
    ) {
        identity = ProviderIdentity(
            provider: provider, issuer: "https://\(provider)", subject: subject, email: email, emailVerified: verified, name: name)
    }
}

extension SignInCompletion {
    var outcome: AccountOutcome? { if case .signedIn(let outcome) = self { outcome } else { nil } }
    var conflict: AccountConflict? { if case .conflict(let conflict) = self { conflict } else { nil } }
    var error: AccountError? { if case .refused(let error) = self { error } else { nil } }
}

extension SignUpResult {
    var created: (account: Account, token: MailToken)? { if case .created(let account, let token) = self { (account, token) } else { nil } }
}

extension AccountService {
    /// Signs in with a password that is its own hash.
    func signIn(_ email: String, _ password: String, now: Int64) async throws -> SignInCompletion? {
        let candidate = try await account(forPasswordSignIn: try #require(EmailAddress(email)))
        let verified = await candidate?.verified { $0.phc == password ? PasswordMatch() : nil }
        guard let verified else { return nil }
        return try await finish(try await decide(passwordSignIn: verified, now: now), now: now)
    }

    /// Confirms the link of a mail in a session of its account.
    func confirmInSession(_ token: String, now: Int64) async throws -> Account {
        let uid = try await mailLink(token, now: now)?.account.uid ?? "nobody"
        return try await confirm(token, by: .session(uid: uid, .recent), now: now)
    }

    /// Whether the link of a mail works.
    func isValid(_ token: String, for purpose: MailTokenPurpose, now: Int64) async throws -> Bool {
        try await mailLink(token, now: now)?.purpose == purpose
    }

    func register(_ email: String, _ password: String, now: Int64) async throws -> SignUpResult {
        try await signUp(try #require(EmailAddress(email)), name: nil, passwordHash: PasswordHash(phc: password), now: now)
    }
}

/// Unix milliseconds.
let start: Int64 = 1_800_000_000_000

/// Runs the work on both replicas in parallel, `count` times in all.
func inParallel<T: Sendable>(
    _ services: [AccountService], count: Int = 20, _ work: @escaping @Sendable (AccountService, Int) async throws -> T
) async throws -> [T] {
    try await withThrowingTaskGroup(of: T.self) { group in
        for index in 0..<count { group.addTask { try await work(services[index % services.count], index) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}

/// The refusal of an operation; nil: it succeeded.
func refusal(_ work: () async throws -> Void) async throws -> AccountErrorCode? {
    do {
        try await work()
        return nil
    } catch let error as AccountError {
        return error.code
    }
}

@Suite("Conformance of account stores")
struct AccountStoreConformance {
    @Test(arguments: AccountDatabase.all)
    func `an account is read back as it was written, identities in link order`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service()
        let made = try #require(try await service.signIn(proof: Proof("google.com", name: "Ada"), now: start).outcome)
        #expect(made.uid == UserID.derived(issuer: "https://google.com", subject: "1") && made.kind == .create)
        for (index, provider) in ["github.com", "apple.com", "oidc.b", "oidc.a"].enumerated() {
            _ = try await service.link(Proof(provider), uid: made.uid, now: start + Int64(index))
        }
        _ = try await service.unlink("apple.com", uid: made.uid, by: .recent, now: start)
        _ = try await service.link(Proof("apple.com", email: nil), uid: made.uid, now: start + 9)
        let account = try #require(try await replicas.services()[1].account(made.uid))
        #expect(account.identities.map(\.provider) == ["google.com", "github.com", "oidc.b", "oidc.a", "apple.com"])
        #expect(account.email?.text == "ada@example.com" && account.verification == .provider("apple.com", runsMailbox: true))
        #expect(account.name == "Ada" && account.createdAt == start && account.lastSignInAt == start)
        #expect(account.revision == 7 && !account.hasPassword && !account.isAnonymous && !account.isDisabled)
        #expect(account.identities[0] == LinkedIdentity(Proof("google.com", name: "Ada").identity, linkedAt: start))
    }

    @Test(arguments: AccountDatabase.all)
    func `whichever provider is linked later leads to the same uid, and an unlinked one to another`(database: AccountDatabase) async throws
    {
        let service = try await database.make().service()
        let uid = try #require(try await service.signIn(proof: Proof(), now: start).outcome).uid
        _ = try await service.link(Proof("google.com", email: "ada@work.example"), uid: uid, now: start)
        #expect(try await service.signIn(proof: Proof("google.com", email: "ada@work.example"), now: start).outcome?.uid == uid)
        _ = try await service.unlink("github.com", uid: uid, by: .recent, now: start)
        // Its derived uid is the account's, so the new account gets a random one of the same form.
        let next = try #require(try await service.signIn(proof: Proof(email: nil), now: start).outcome)
        #expect(next.uid != uid && next.uid.count == 26 && next.kind == .create)
        #expect(next.uid.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz234567".utf8.contains($0) })
    }

    @Test(arguments: AccountDatabase.all)
    func `subjects that differ in composition or case are different identities`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        var uids: Set<String> = []
        for subject in ["alice", "Alice", "\u{E9}", "e\u{301}", " alice", "alice ", "' OR 1=1 --", "日本"] {
            uids.insert(try #require(try await service.signIn(proof: Proof("oidc.a", subject, email: nil), now: start).outcome).uid)
        }
        #expect(uids.count == 8)
        #expect(try await service.signIn(proof: Proof("oidc.a", "alice\0", email: nil), now: start).error?.code == .invalidCredential)
        #expect(try await service.reauthenticateCode(Proof("oidc.a", "alice\0"), uid: "x") == .userMismatch)
    }

    @Test(arguments: AccountDatabase.all)
    func `a deleted account takes everything along, and its sessions end`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service()
        let created = try #require(try await service.register("ada@example.com", "pw", now: start).created)
        let uid = created.account.uid
        _ = try await service.link(Proof(email: nil), uid: uid, now: start)
        try await service.delete(uid: uid, by: .recent, now: start + 1)
        #expect(try await service.account(uid) == nil)
        #expect(
            try await service.account(withIdentity: IdentityKey(provider: "github.com", issuer: "https://github.com", subject: "1")) == nil)
        #expect(try await service.account(forPasswordSignIn: EmailAddress("ada@example.com")!) == nil)
        #expect(try await refusal { _ = try await service.confirmInSession(created.token.text, now: start) } == .invalidToken)
        let endings = try await replicas.services()[1].endings(after: 0, limit: 10)
        #expect(endings == [NumberedEnding(number: 1, ending: SessionEnding(uid: uid, before: start + 1))])
        // The address and the identity are free again.
        #expect(try await service.signIn(proof: Proof(), now: start + 2).outcome?.kind == .create)
    }

    @Test(arguments: AccountDatabase.all)
    func `endings come in order after a cursor, and are pruned`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let uid = try #require(try await service.signIn(proof: Proof(), now: start).outcome).uid
        #expect(try await service.lastEnding() == 0)
        _ = try await service.link(Proof("google.com"), uid: uid, now: start)
        _ = try await service.unlink("google.com", uid: uid, by: .recent, now: start + 1)
        try await service.revoke(uid: uid, now: start + 2)
        _ = try await service.disable(uid: uid, now: start + 3)
        // The later ones mean all that the earlier ones did.
        let all = try await service.endings(after: 0, limit: 10)
        #expect(all == [NumberedEnding(number: 3, ending: SessionEnding(uid: uid, before: start + 3))])
        #expect(try await service.endings(after: 3, limit: 10).isEmpty)
        let ages = SessionAges(session: 1_000, ending: 10_000)
        let latest = start + 3 + 10_000 + Self.skew
        for (now, isKept) in [(latest, true), (latest + 1, false)] {
            #expect(try await !service.prune(now: now, ages))
            #expect(try await service.endings(after: 0, limit: 10).isEmpty != isKept)
        }
        try await service.revoke(uid: uid, now: start + 4)
        #expect(try await service.lastEnding() == 4, "a number is never used again")
    }

    /// The tolerated difference of clocks.
    private static let skew: Int64 = 300_000

    @Test(arguments: AccountDatabase.all)
    func `the store keeps one ending of an account, and later ones of its providers`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        func end(_ uid: String, provider: String? = nil, _ before: Int64, keep: String? = nil) async throws {
            var changes = AccountChanges(claimsAddresses: true)
            changes.endings = [SessionEnding(uid: uid, provider: provider, before: before, keep: keep)]
            try await service.store.apply(changes)
        }
        func rows() async throws -> [Int64] { try await service.endings(after: 0, limit: 100).map(\.number) }
        try await end("a", provider: "one", 1)  // 1
        try await end("a", provider: "two", 2)  // 2
        try await end("b", 2)  // 3
        try await end("a", provider: "one", 3)  // 4, in place of 1
        #expect(try await rows() == [2, 3, 4])
        try await end("a", 2)  // 5, in place of 2
        #expect(try await rows() == [3, 4, 5])
        try await end("b", 1)  // 6: of a clock that is behind; 3 stays
        try await end("b", 3, keep: "session")  // 7: it means less than the others
        #expect(try await rows() == [3, 4, 5, 6, 7])
        try await end("b", 4)
        #expect(try await rows() == [4, 5, 8])
    }

    @Test(arguments: AccountDatabase.all)
    func `a reader begins at endings of an age, and misses none that comes later`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        #expect(try await service.endingCursor(since: 0) == 0)
        for (index, before) in [10, 30, 20, 40].enumerated() {
            var changes = AccountChanges(claimsAddresses: true)
            changes.endings = [SessionEnding(uid: "\(index)", before: Int64(before))]
            try await service.store.apply(changes)
        }
        for (time, cursor) in [(10, 0), (11, 1), (30, 1), (31, 3), (40, 3), (41, 4)] as [(Int64, Int64)] {
            #expect(try await service.endingCursor(since: time) == cursor)
        }
    }

    @Test(arguments: AccountDatabase.all)
    func `the upkeep keeps endings of accounts with factors for remembered browsers`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service()
        _ = try await service.lastEnding()
        try await replicas.first.write { connection throws(SQLError) in
            for uid in ["plain", "factor"] {
                _ = try connection.run(
                    "INSERT INTO accounts (uid, is_shadowed, is_anonymous, is_disabled, created_at, revision) VALUES (?1, 0, 0, 0, 1, 1)",
                    [.text(uid)])
            }
            _ = try connection.run(
                "INSERT INTO factors (id, uid, position, type, enrolled_at) VALUES ('f', 'factor', 1, 'totp', 1)", [])
        }
        for ending in [
            SessionEnding(uid: "factor", before: start), SessionEnding(uid: "factor", provider: "one", before: start + 1),
            SessionEnding(uid: "plain", before: start), SessionEnding(uid: "deleted", before: start),
        ] {
            var changes = AccountChanges(claimsAddresses: true)
            changes.endings = [ending]
            try await service.store.apply(changes)
        }
        let ages = SessionAges(session: 1_000, ending: 1_000)
        try await service.prune(now: start + 1_000_000, ages)
        #expect(try await service.endings(after: 0, limit: 9).map(\.ending) == [SessionEnding(uid: "factor", before: start)])
        #expect(try await service.hasEnding(of: "factor", since: start))
        try await service.prune(now: start + 401 * 86_400_000, ages)
        #expect(try await service.endings(after: 0, limit: 9).isEmpty)
    }

    @Test(arguments: AccountDatabase.all)
    func `the upkeep deletes anonymous accounts whose session must be over, and leaves no ending`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service()
        func anonymous(_ now: Int64) async throws -> String {
            try #require(try await service.finish(service.decideAnonymous(now: now), now: now).outcome).uid
        }
        let ages = SessionAges(session: 1_000, ending: 5_000)
        let (old, linked, waiting) = (try await anonymous(start), try await anonymous(start), try await anonymous(start))
        let young = try await anonymous(start + 1)
        _ = try await service.link(Proof("google.com", email: "g@example.com"), uid: linked, now: start)
        let over = start + 1_000 + Self.skew + 1
        _ = try await service.signUp(
            EmailAddress("p@example.com")!, name: nil, passwordHash: PasswordHash(phc: "pw"), upgrading: waiting, now: over - 1)
        for replica in replicas.services() { try await replica.prune(now: over, ages) }
        #expect(try await service.account(old) == nil)
        for uid in [linked, waiting, young] { #expect(try await service.account(uid) != nil) }
        #expect(try await service.lastEnding() == 0)
        try await service.prune(now: over + 2 * 3_600_000, ages)
        for uid in [waiting, young] { #expect(try await service.account(uid) == nil, "its mail is over, too") }
        #expect(try await service.account(linked) != nil)
    }

    @Test(arguments: AccountDatabase.all)
    func `the upkeep deletes a limited number of rows at a time, and says that there is more`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service()
        _ = try await service.lastEnding()
        let most = Int(SQLAccountStore.pruned)
        try await replicas.first.write { connection throws(SQLError) in
            _ = try connection.run(
                """
                WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
                INSERT INTO endings (number, uid, before_time) SELECT n, 'uid' || n, 1 FROM numbers
                """, [.integer(Int64(most) + 5)])
            _ = try connection.run(
                """
                WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
                INSERT INTO accounts (uid, is_shadowed, is_anonymous, is_disabled, created_at, revision)
                SELECT 'uid' || n, 0, 1, 0, 1, 1 FROM numbers
                """, [.integer(Int64(most) + 5)])
        }
        func rows(_ table: String) async throws -> Int64? {
            try await replicas.first.read { c throws(SQLError) in try c.run("SELECT COUNT(*) FROM \(table)", []) }.first?.first?.integer
        }
        let ages = SessionAges(session: 1_000, ending: 1_000)
        #expect(try await service.prune(now: start, ages))
        #expect(try await [rows("endings"), rows("accounts")] == [5, 5])
        #expect(try await !service.prune(now: start, ages))
        #expect(try await [rows("endings"), rows("accounts")] == [0, 0])
    }

    @Test func `an ending of an account is found by the account, whatever else ended`() async throws {
        let replicas = try await AccountDatabase.sqlite.make()
        _ = try await replicas.service().lastEnding()
        let plan = try await replicas.first.read { c throws(SQLError) in
            try c.run(
                "EXPLAIN QUERY PLAN SELECT MAX(before_time), MAX(number) FROM endings WHERE uid = ?1 AND provider IS NULL", [.text("x")])
        }
        #expect(plan.map { $0.compactMap(\.text).joined() }.joined().contains("endings_account (uid=? AND provider=?)"))
        let anonymous = try await replicas.first.read { c throws(SQLError) in
            try c.run(
                "EXPLAIN QUERY PLAN SELECT uid FROM accounts WHERE is_anonymous = 1 AND COALESCE(last_sign_in_at, created_at) < ?1",
                [.integer(1)])
        }
        #expect(anonymous.map { $0.compactMap(\.text).joined() }.joined().contains("accounts_anonymous"))
    }

    @Test(arguments: AccountDatabase.all)
    func `operators list, find, create, disable, enable, export and import`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service(AccountPolicy(signUp: .closed))
        for index in 0..<5 {
            let email = EmailAddress("user\(index)@example.com")
            guard case .created = try await service.create(email: email, name: "User", isVerified: index == 0, now: start) else {
                Issue.record("not created")
                return
            }
        }
        let email = try #require(EmailAddress("USER0@example.com"))
        #expect(try await service.create(email: email, name: nil, isVerified: false, now: start) == .taken(.address))
        let found = try #require(try await service.accounts(withAddress: email).first)
        #expect(found.verification == .operation && found.lastSignInAt == nil)
        let key = IdentityKey(provider: "oidc.a", issuer: "https://a", subject: "1")
        _ = try await service.link(key, uid: found.uid, now: start)
        #expect(try await service.account(withIdentity: key)?.uid == found.uid)
        _ = try await service.setPassword(PasswordHash(phc: "pw"), uid: found.uid, by: nil, keep: nil, now: start)
        #expect(try await service.disable(uid: found.uid, now: start).isDisabled)
        #expect(try await service.signIn("user0@example.com", "pw", now: start)?.error?.code == .userDisabled)
        #expect(try await !service.enable(uid: found.uid, now: start).isDisabled)
        #expect(try await service.signIn("user0@example.com", "pw", now: start)?.outcome?.uid == found.uid)

        var exported: [AccountRecord] = []
        while case let page = try await service.records(after: exported.last?.account.uid, limit: 2), !page.isEmpty { exported += page }
        #expect(exported.count == 5 && exported.map(\.account.uid) == exported.map(\.account.uid).sorted())
        let other = try await database.make().service()
        for record in exported { #expect(try await other.import([record]) == [.success(.created(record.account))]) }
        #expect(try await other.records(after: nil, limit: 10) == exported.map(\.withoutEndings))
        #expect(try await other.import([exported[0]]) == [.success(.taken(.uid))])
    }

    @Test(arguments: AccountDatabase.all)
    func `anonymous accounts are upgraded by a link or a registration, and keep their uid`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        for upgrade in ["link", "password"] {
            let anonymous = try #require(try await service.finish(service.decideAnonymous(now: start), now: start).outcome)
            #expect(anonymous.account?.isAnonymous == true && anonymous.identity.provider == "anonymous")
            if upgrade == "link" {
                let linked = try await service.link(Proof("google.com", email: "g@example.com"), uid: anonymous.uid, now: start)
                #expect(linked.uid == anonymous.uid && linked.account?.isAnonymous == false)
            } else {
                let result = try await service.signUp(
                    EmailAddress("p@example.com")!, name: nil, passwordHash: PasswordHash(phc: "pw"), upgrading: anonymous.uid, now: start)
                guard case .waiting(let token) = result else {
                    Issue.record("it does not wait for the mail")
                    return
                }
                #expect(try await service.account(anonymous.uid) == anonymous.account, "nothing changes before the mail is confirmed")
                #expect(try await service.signIn("p@example.com", "pw", now: start) == nil)
                let upgraded = try await service.confirmInSession(token.text, now: start + 1)
                #expect(!upgraded.isAnonymous && upgraded.verification == .mail && upgraded.provenAt == start + 1)
                #expect(try await service.signIn("p@example.com", "pw", now: start)?.outcome?.uid == anonymous.uid)
            }
        }
    }

    @Test(arguments: AccountDatabase.all)
    func `switching onePerEmail on gives each address to one account, and off gives them back`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let shared = replicas.service(AccountPolicy(onePerEmail: false))
        _ = try await shared.adoptPolicy()
        let first = try #require(try await shared.register("ada@example.com", "pw", now: start).created).account
        let verified = try #require(try await shared.signIn(proof: Proof("google.com"), now: start + 1).outcome)
        let third = try #require(try await shared.signIn(proof: Proof("github.com"), now: start + 2).outcome)
        #expect(Set([first.uid, verified.uid, third.uid]).count == 3)
        let single = replicas.service(AccountPolicy(onePerEmail: true))
        #expect(try await single.adoptPolicy() == AddressAdoption(withoutTheirAddress: 2))
        #expect(
            try await single.accounts(withAddress: EmailAddress("ada@example.com")!).map(\.uid) == [verified.uid], "verified, and older")
        #expect(try await single.account(third.uid)?.email == nil)
        #expect(try await single.signIn(proof: Proof("github.com"), now: start).outcome?.uid == third.uid, "identities open it as before")
        #expect(try await single.signIn("ada@example.com", "pw", now: start) == nil, "a password belongs to an address")
        #expect(try await single.signIn(proof: Proof("apple.com"), now: start).conflict?.pending.uid == verified.uid)
        #expect(try await single.adoptPolicy() == AddressAdoption(withoutTheirAddress: 2), "a restart changes nothing")
        #expect(try await shared.adoptPolicy() == AddressAdoption(withoutTheirAddress: 0))
        #expect(try await shared.account(third.uid)?.email?.text == "ada@example.com")
        #expect(try await shared.signIn("ada@example.com", "pw", now: start)?.outcome?.uid == first.uid)
        #expect(try await shared.signIn(proof: Proof("apple.com"), now: start).outcome?.kind == .create)
    }
}

extension AccountRecord {
    /// An import has no sessions that could have ended.
    fileprivate var withoutEndings: AccountRecord {
        var record = self
        record.account.endings = SessionEndings()
        return record
    }
}

extension AccountService {
    func reauthenticateCode(_ proof: Proof, uid: String) async throws -> AccountErrorCode? {
        try await finish(try await decide(reauthentication: proof, of: uid, now: start), now: start).error?.code
    }
}

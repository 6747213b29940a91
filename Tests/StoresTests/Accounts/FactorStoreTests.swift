import Testing
import TokenCrypto

@testable import Accounts
@testable import Stores

/// Second factors in the store: what was used cannot be used again, whatever runs in parallel on two replicas.
@Suite("Second factors in the account store")
struct FactorStoreTests {
    private static let otp = Factor(id: "otp", type: .totp, displayName: "App", enrolledAt: start, sealedSecret: [1, 0, 2], lastStep: 10)
    private static let key = Factor(
        id: "key", type: .webauthn, enrolledAt: start + 1,
        credential: FactorCredential(id: [9], publicKey: [0, 8], counter: 5, transports: ["usb", "nfc"]))
    private static let otp2 = Factor(id: "otp2", type: .totp, enrolledAt: start, sealedSecret: [4])
    private static let phone = Factor(id: "phone", type: .phone, displayName: "Телефон", enrolledAt: start + 2, sealedSecret: [3])
    private static let recovery = Factor(id: "recovery", type: .recovery, enrolledAt: start + 3)
    private static let all = [otp, key, phone, recovery]

    private static func digest(_ number: Int) -> [UInt8] { SHA2.sha256([UInt8(number)]) }

    /// The uid of an account with these factors; the recovery factor has three codes.
    private func account(
        _ service: AccountService, _ subject: String = "1", _ factors: [Factor] = all
    ) async throws -> String {
        let proof = Proof("github.com", subject, email: "\(subject)@example.com")
        let uid = try #require(try await service.signIn(proof: proof, now: start).outcome).uid
        for factor in factors {
            let codes = factor.type == .recovery ? (0..<3).map(Self.digest) : []
            _ = try await service.enrol(factor, recoveryCodes: codes, uid: uid, by: .session(.recent), once: nil, now: start)
        }
        return uid
    }

    private func code(_ service: AccountService, _ use: FactorUse, now: Int64 = start) async throws -> AccountErrorCode? {
        try await refusal { try await service.use(use, now: now) }
    }

    /// How many of 20 parallel calls on both replicas succeed, and the refusals of the others.
    private func race(
        _ replicas: Replicas, _ use: @escaping @Sendable (Int) -> FactorUse
    ) async throws -> (used: Int, refusals: Set<AccountErrorCode?>) {
        let codes = try await inParallel(replicas.services()) { service, index in
            try await refusal { try await service.use(use(index), now: start) }
        }
        return (codes.count { $0 == nil }, Set(codes.filter { $0 != nil }))
    }

    @Test(arguments: AccountDatabase.all)
    func `factors are read back as they were written, in the order of their enrolment`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let uid = try await account(replicas.service())
        let facts = try #require(try await replicas.services()[1].factors(uid))
        #expect(facts.factors == Self.all)
        #expect(facts.recoveryCodes == 3)
        #expect(facts.account.revision == 5, "each enrolment is a revision")
        #expect(try await replicas.service().factors("nobody") == nil)
    }

    @Test(arguments: AccountDatabase.all)
    func `a passkey leads to its account, and to nobody else's`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service()
        let uid = try await account(service)
        _ = try await account(service, "2", [Self.otp2])
        let candidate = try #require(try await service.account(withPasskey: [9]))
        #expect(candidate.account.uid == uid && candidate.factor == Self.key && candidate.credential.counter == 5)
        for id in [[], [9, 0], [0, 9], [8]] as [[UInt8]] { #expect(try await service.account(withPasskey: id) == nil) }
        _ = try await service.removeFactor("key", uid: uid, by: nil, now: start)
        #expect(try await service.account(withPasskey: [9]) == nil)
    }

    @Test(arguments: AccountDatabase.all)
    func `of parallel sign-ins with one assertion, one is completed`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        _ = try await account(replicas.service())
        let mark = OnceMark(digest: Self.digest(1), expiresAt: start + 60_000)
        let codes = try await inParallel(replicas.services()) { service, index in
            try await refusal {
                let candidate = try #require(try await service.account(withPasskey: [9]))
                try await service.use(candidate.verified { _ in 6 }, once: mark, now: start)
            }
        }
        #expect(codes.count { $0 == nil } == 1)
        #expect(Set(codes.filter { $0 != nil }) == [.codeExpired])
    }

    @Test(arguments: AccountDatabase.all)
    func `a TOTP step is used once, and steps only grow`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service()
        let uid = try await account(service)
        func use(_ step: Int64) -> FactorUse { FactorUse(uid: uid, factor: "otp", kind: .totp(step: step)) }
        #expect(try await code(service, use(10)) == .invalidVerificationCode, "the step of the enrolment")
        let race = try await race(replicas) { _ in FactorUse(uid: uid, factor: "otp", kind: .totp(step: 11)) }
        #expect(race.used == 1 && race.refusals == [.invalidVerificationCode])
        #expect(try await code(service, use(13)) == nil)
        #expect(try await code(service, use(12)) == .invalidVerificationCode)
        #expect(try await service.factors(uid)?.factor("otp")?.lastStep == 13)
    }

    @Test(arguments: AccountDatabase.all)
    func `a recovery code is used once`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service()
        let uid = try await account(service)
        let race = try await race(replicas) { _ in FactorUse(uid: uid, factor: "recovery", kind: .recovery(digest: Self.digest(1))) }
        #expect(race.used == 1 && race.refusals == [.invalidVerificationCode])
        #expect(try await service.factors(uid)?.recoveryCodes == 2)
        let unknown = FactorUse(uid: uid, factor: "recovery", kind: .recovery(digest: Self.digest(7)))
        #expect(try await code(service, unknown) == .invalidVerificationCode)
        // A new set ends the old one.
        let new = Factor(id: "new", type: .recovery, enrolledAt: start)
        _ = try await service.enrol(new, recoveryCodes: [Self.digest(9)], uid: uid, by: .begun, once: nil, now: start)
        #expect(
            try await code(service, FactorUse(uid: uid, factor: "recovery", kind: .recovery(digest: Self.digest(0))))
                == .multiFactorInfoNotFound)
        #expect(
            try await code(service, FactorUse(uid: uid, factor: "new", kind: .recovery(digest: Self.digest(0)))) == .invalidVerificationCode
        )
        #expect(try await code(service, FactorUse(uid: uid, factor: "new", kind: .recovery(digest: Self.digest(9)))) == nil)
    }

    @Test(arguments: AccountDatabase.all)
    func `a signature counter only grows, unless the authenticator has none`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service()
        let uid = try await account(service)
        func use(_ counter: UInt32, _ factor: String = "key") -> FactorUse {
            FactorUse(uid: uid, factor: factor, kind: .webauthn(counter: counter))
        }
        #expect(try await code(service, use(5)) == .invalidVerificationCode)
        #expect(try await code(service, use(0)) == .invalidVerificationCode)
        let race = try await race(replicas) { _ in FactorUse(uid: uid, factor: "key", kind: .webauthn(counter: 6)) }
        #expect(race.used == 1 && race.refusals == [.invalidVerificationCode])
        #expect(try await code(service, use(.max)) == nil)
        #expect(try await service.factors(uid)?.factor("key")?.credential?.counter == .max)
        let bare = Factor(id: "bare", type: .webauthn, enrolledAt: start, credential: FactorCredential(id: [7], publicKey: [], counter: 0))
        _ = try await service.enrol(bare, uid: uid, by: .begun, once: nil, now: start)
        for _ in 0..<2 { #expect(try await code(service, use(0, "bare")) == nil) }
        #expect(try await code(service, use(1, "bare")) == nil)
        #expect(try await code(service, use(0, "bare")) == .invalidVerificationCode)
    }

    @Test(arguments: AccountDatabase.all)
    func `a message code works once, for its account, until it expires, and the newest counts`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service()
        let uid = try await account(service)
        let other = try await account(service, "2", [])
        func issue(_ challenge: UInt8, _ code: UInt8) async throws {
            let record = MessageCodeRecord(challenge: [challenge], uid: uid, code: [code], expiresAt: start + 1_000)
            try await service.issueMessageCode(record)
        }
        func use(_ challenge: UInt8, _ code: UInt8, uid: String? = nil, factor: String? = "phone") -> FactorUse {
            FactorUse(uid: uid ?? other, factor: factor, kind: .message(challenge: [challenge], code: [code]))
        }
        try await issue(1, 1)
        #expect(try await code(service, use(1, 1, factor: nil)) == .codeExpired, "another account")
        #expect(try await code(service, use(1, 2, uid: uid)) == .invalidVerificationCode)
        #expect(try await code(service, use(2, 1, uid: uid)) == .codeExpired, "none was sent")
        #expect(try await code(service, use(1, 1, uid: uid), now: start + 1_000) == .codeExpired)
        let race = try await race(replicas) { _ in FactorUse(uid: uid, factor: "phone", kind: .message(challenge: [1], code: [1])) }
        #expect(race.used == 1 && race.refusals == [.codeExpired])
        try await issue(1, 3)
        try await issue(1, 4)
        #expect(try await code(service, use(1, 3, uid: uid)) == .invalidVerificationCode)
        #expect(try await code(service, use(1, 4, uid: uid, factor: nil)) == nil, "an enrolment has no factor yet")
        try await issue(5, 5)
        try await service.prune(now: start + 1_000, SessionAges(session: 0, ending: 0))
        let rows = try await replicas.first.read { c throws(SQLError) in try c.run("SELECT challenge FROM message_codes", []) }
        #expect(rows.isEmpty)
    }

    @Test(arguments: AccountDatabase.all)
    func `a pending sign-in is completed once, by whichever code, and a wrong code does not complete it`(database: AccountDatabase)
        async throws
    {
        let replicas = try await database.make()
        let service = replicas.service()
        let uid = try await account(service)
        let once = OnceMark(digest: [4, 2], expiresAt: start + 600_000)
        let wrong = FactorUse(uid: uid, factor: "otp", kind: .totp(step: 1), once: once)
        #expect(try await code(service, wrong) == .invalidVerificationCode)
        let race = try await race(replicas) { index in
            index % 2 == 0
                ? FactorUse(uid: uid, factor: "otp", kind: .totp(step: 20 + Int64(index)), once: once)
                : FactorUse(uid: uid, factor: "key", kind: .webauthn(counter: 20 + UInt32(index)), once: once)
        }
        #expect(race.used == 1 && race.refusals == [.codeExpired])
        let facts = try #require(try await service.factors(uid))
        let isUntouched = [facts.factor("otp")?.lastStep == 10, facts.factor("key")?.credential?.counter == 5]
        #expect(isUntouched.count { $0 } == 1, "the losers used nothing up")
    }

    @Test(arguments: AccountDatabase.all)
    func `a changed, disabled or deleted account, and another account's factor, refuse a right code`(database: AccountDatabase) async throws
    {
        let service = try await database.make().service()
        let uid = try await account(service)
        let eve = try await account(service, "2", [])
        func use(_ step: Int64, _ uid: String, _ revision: Int64? = nil) -> FactorUse {
            FactorUse(uid: uid, factor: "otp", kind: .totp(step: step), revision: revision)
        }
        #expect(try await code(service, use(11, eve)) == .multiFactorInfoNotFound)
        let revision = try #require(try await service.account(uid)).revision
        #expect(try await code(service, use(11, uid, revision - 1)) == .codeExpired)
        #expect(try await code(service, use(11, uid, revision)) == nil)
        _ = try await service.disable(uid: uid, now: start)
        #expect(try await code(service, use(12, uid)) == .multiFactorInfoNotFound)
        _ = try await service.enable(uid: uid, now: start)
        #expect(try await code(service, use(12, uid, revision)) == .codeExpired)
        #expect(try await code(service, use(12, uid)) == nil)
        try await service.delete(uid: uid, by: nil, now: start)
        #expect(try await code(service, use(13, uid)) == .multiFactorInfoNotFound)
    }

    @Test(arguments: AccountDatabase.all)
    func `no two accounts have one credential`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service()
        var uids: [String] = []
        for index in 0..<4 { uids.append(try await account(service, "\(index)", [])) }
        let codes = try await inParallel(replicas.services()) { [uids] service, index in
            var factor = Self.key
            factor = Factor(id: "key\(index)", type: .webauthn, enrolledAt: start, credential: factor.credential)
            return try await refusal { _ = try await service.enrol(factor, uid: uids[index % 4], by: .begun, once: nil, now: start) }
        }
        #expect(codes.count { $0 == nil } == 1 && codes.count { $0 == .secondFactorAlreadyInUse } == 19)
    }

    @Test(arguments: AccountDatabase.all)
    func `parallel enrolments make five factors at most, and an enrolment is completed once`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let uid = try await account(replicas.service(), "1", [])
        let codes = try await inParallel(replicas.services()) { service, index in
            let factor = Factor(id: "otp\(index)", type: .totp, enrolledAt: start)
            return try await refusal { _ = try await service.enrol(factor, uid: uid, by: .begun, once: nil, now: start) }
        }
        #expect(codes.count { $0 == nil } == 5 && codes.count { $0 == .maximumSecondFactorCountExceeded } == 15)
        #expect(try await replicas.service().factors(uid)?.factors.count == 5)
        let other = try await account(replicas.service(), "2", [])
        let once = OnceMark(digest: [1], expiresAt: start + 1)
        let again = try await inParallel(replicas.services()) { service, index in
            let factor = Factor(id: "new\(index)", type: .totp, enrolledAt: start)
            return try await refusal { _ = try await service.enrol(factor, uid: other, by: .begun, once: once, now: start) }
        }
        #expect(again.count { $0 == nil } == 1 && again.count { $0 == .codeExpired } == 19)
    }

    @Test(arguments: AccountDatabase.all)
    func `an enrolment for another revision of the account is refused`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let uid = try await account(service, "1", [Self.otp])
        let factor = Factor(id: "new", type: .totp, enrolledAt: start)
        let code = try await refusal { _ = try await service.enrol(factor, uid: uid, by: .begun, once: nil, revision: 1, now: start) }
        #expect(code == .codeExpired)
        #expect(try await refusal { _ = try await service.enrol(factor, uid: uid, by: .begun, once: nil, revision: 2, now: start) } == nil)
    }

    @Test(arguments: AccountDatabase.all)
    func `a removal, a reset, a take-over and a deletion leave nothing behind`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service(AccountPolicy(linking: .verifiedEmail))
        func rows() async throws -> [Int64] {
            try await replicas.first.read { c throws(SQLError) in
                var counts: [Int64] = []
                for table in ["factors", "recovery_codes", "message_codes"] {
                    counts.append(try c.run("SELECT COUNT(*) FROM \(table)", []).first?.first?.integer ?? -1)
                }
                return counts
            }
        }
        func message(_ uid: String) async throws {
            let record = MessageCodeRecord(challenge: Array(uid.utf8), uid: uid, code: [1], expiresAt: start + 1_000)
            try await service.issueMessageCode(record)
        }
        let uid = try await account(service)
        try await message(uid)
        #expect(try await rows() == [4, 3, 1])
        #expect(try await service.removeFactor("phone", uid: uid, by: .recent, now: start) == Self.phone)
        _ = try await service.removeFactor("key", uid: uid, by: nil, now: start)
        #expect(try await rows() == [2, 3, 1])
        #expect(
            try await refusal { _ = try await service.removeFactor("key", uid: uid, by: nil, now: start) } == .multiFactorInfoNotFound
        )
        let late = try await refusal { _ = try await service.removeFactor("otp", uid: uid, by: .recent, now: start + 300_001) }
        #expect(late == .requiresRecentLogin)
        _ = try await service.removeFactor("otp", uid: uid, by: .recent, now: start)
        #expect(try await rows() == [0, 0, 0], "the recovery codes went with the last factor")

        let other = try await account(service, "2")
        try await message(other)
        _ = try await service.resetFactors(uid: other, now: start + 1)
        #expect(try await rows() == [0, 0, 0])
        #expect(try await service.endings(after: 0, limit: 9).last?.ending == SessionEnding(uid: other, before: start + 1))

        let third = try await account(service, "3")
        try await message(third)
        try await service.delete(uid: third, by: .recent, now: start)
        #expect(try await rows() == [0, 0, 0])

        // An operator's factor on an account whose address nobody proved.
        let made = try #require(try await service.register("4@example.com", "evil", now: start).created).account
        _ = try await service.enrol(Self.otp, uid: made.uid, by: .operator, once: nil, now: start)
        #expect(try await rows() == [1, 0, 0])
        let proof = Proof("google.com", "4", email: "4@example.com")
        #expect(try await service.signIn(proof: proof, now: start).conflict?.pending.uid == made.uid)
        let off = replicas.service(AccountPolicy(linking: .verifiedEmail, countsFactors: false))
        let outcome = try await off.signIn(proof: proof, now: start).outcome
        #expect(outcome?.kind == .takeOver && outcome?.uid == made.uid)
        #expect(try await rows() == [0, 0, 0])
    }

    @Test(arguments: AccountDatabase.all)
    func `an account says whether it has factors, and its first one ends the sessions before it`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        let service = replicas.service()
        let made = try #require(try await service.signIn(proof: Proof("google.com"), now: start).outcome)
        let uid = made.uid
        func hasFactors() async throws -> [Bool?] {
            let read = try await service.read(
                AccountLookup(uid: uid, identity: made.account?.identities[0].key, address: made.account?.email))
            return [read.account?.hasFactors, read.owner?.hasFactors, read.holders.first?.hasFactors]
        }
        #expect(try await hasFactors() == [false, false, false])
        let first = try await service.enrol(Self.otp, uid: uid, by: .begun, once: nil, now: start + 5)
        #expect(first.account.sessionStart(now: start + 5) == start + 6 && first.hasEndedSessions && first.account.hasFactors)
        #expect(try await service.account(uid) == first.account)
        #expect(try await service.enrol(Self.phone, uid: uid, by: .begun, once: nil, now: start + 9).hasEndedSessions == false)
        #expect(try await hasFactors() == [true, true, true])
        #expect(try await service.endings(after: 0, limit: 9).map(\.ending) == [SessionEnding(uid: uid, before: start + 5)])
        for factor in [Self.otp.id, Self.phone.id] { _ = try await service.removeFactor(factor, uid: uid, by: .recent, now: start + 9) }
        #expect(try await hasFactors() == [false, false, false])
    }

    @Test(arguments: AccountDatabase.all)
    func `what ends all sessions of an account is known since a time`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let uid = try #require(try await service.signIn(proof: Proof("google.com"), now: start).outcome).uid
        _ = try await service.link(Proof("github.com", email: nil), uid: uid, now: start)
        _ = try await service.unlink("github.com", uid: uid, by: .recent, now: start + 1)
        #expect(try await !service.hasEnding(of: uid, since: 0, after: 0), "only the sessions of that provider")
        let before = try await service.lastEnding()
        let revision = try await service.account(uid)?.revision
        try await service.revoke(uid: uid, now: start + 5)
        #expect(try await service.hasEnding(of: uid, since: start + 5))
        #expect(try await !service.hasEnding(of: uid, since: start + 6))
        #expect(try await service.hasEnding(of: uid, since: start + 6, after: before), "though the clock was ahead (issue 39, item 4)")
        #expect(try await !service.hasEnding(of: uid, since: start + 6, after: try await service.lastEnding()))
        #expect(try await !service.hasEnding(of: "other", since: 0, after: 0))
        #expect(try await service.account(uid)?.revision == revision.map { $0 + 1 }, "what waits for a factor ends, too")
    }

    @Test(arguments: AccountDatabase.all)
    func `wrong answers end a pending sign-in after five, and an account's codes after ten, whatever succeeds in between`(
        database: AccountDatabase
    ) async throws {
        let service = try await database.make().service()
        func answer(_ pending: String, isCode: Bool = true, right: Bool = false, at now: Int64 = start) async throws -> String {
            let attempt = FactorAttempt(uid: "uid", pending: pending, isCode: isCode, key: [1])
            switch try await service.count(attempt, lifetime: 600_000, now: now) {
            case .pendingEnded: return "ended"
            case .codesClosed(let retryAfter): return "closed for \(retryAfter)"
            case .counted(let counted):
                if right { try await service.withdraw(counted, now: now) }
                return "\(counted.remaining)"
            }
        }
        for remaining in 1...4 { #expect(try await answer("a") == "\(5 - remaining)") }
        #expect(try await answer("a", right: true) == "0")
        #expect(try await answer("a") == "0", "a right answer does not count")
        #expect(try await answer("a") == "ended")
        #expect(try await answer("a", isCode: false) == "ended")
        // Refused assertions end a pending sign-in, and not the account's codes.
        for _ in 0..<5 { _ = try await answer("b", isCode: false) }
        #expect(try await answer("b", isCode: false) == "ended")
        for _ in 0..<4 { _ = try await answer("c", at: start + 1) }
        #expect(try await answer("c", right: true, at: start + 1) == "0")
        #expect(try await answer("d", at: start + 2) == "4", "the tenth wrong code")
        #expect(try await answer("d", at: start + 3) == "closed for 3599997")
        #expect(try await answer("e", at: start + 3) == "closed for 3599997")
        #expect(try await answer("e", isCode: false, at: start + 3) == "4", "WebAuthn goes on, and closed codes cost it nothing")
        #expect(try await answer("f", at: start + 3_599_999) == "closed for 1")
        #expect(try await answer("f", at: start + 3_600_000) == "4")
    }

    @Test(arguments: AccountDatabase.all)
    func `a secret is sealed anew unless it has changed since`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let uid = try await account(service)
        #expect(try await service.reseal(Self.otp, uid: uid, as: [7, 7]))
        #expect(try await service.factors(uid)?.factor("otp")?.sealedSecret == [7, 7])
        #expect(try await !service.reseal(Self.otp, uid: uid, as: [8]), "it has another secret now")
        #expect(try await !service.reseal(Self.key, uid: uid, as: [8]), "it has no secret")
    }
}

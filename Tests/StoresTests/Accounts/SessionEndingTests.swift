@testable import Accounts
import Testing

/// What an end of an account's sessions means for what is under way beside it.
@Suite("Ends of sessions, beside other changes")
struct SessionEndingTests {
    private func account(_ service: AccountService) async throws -> Account {
        try #require(try await service.signIn(proof: Proof("google.com"), now: start).outcome?.account)
    }

    private func proof(issuedAt: Int64) -> SessionProof {
        SessionProof(provider: "google.com", issuedAt: issuedAt, authTime: start, hasShownFactor: true)
    }

    @Test(arguments: AccountDatabase.all)
    func `an account knows the last ends of its sessions`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let made = try await account(service)
        #expect(made.endings == SessionEndings())
        try await service.revoke(uid: made.uid, now: start + 5)
        try await service.revoke(uid: made.uid, now: start + 9)
        _ = try await service.link(Proof("github.com", email: nil), uid: made.uid, now: start + 10)
        _ = try await service.unlink("github.com", uid: made.uid, by: proof(issuedAt: start + 10), now: start + 20)
        let known = try #require(try await service.account(made.uid))
        #expect(known.endings == SessionEndings(all: start + 9, byProvider: ["github.com": start + 20]))
        #expect(try await service.factors(made.uid)?.account.endings == known.endings)
    }

    @Test(arguments: AccountDatabase.all)
    func `a session that has ended changes nothing of its account`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let uid = try await account(service).uid
        try await service.revoke(uid: uid, now: start + 5)
        let ended = proof(issuedAt: start + 5)
        let hash = PasswordHash(phc: "$scrypt$ln=1,r=8,p=1$x$y")
        let operations: [(String, () async throws -> Void)] = [
            ("link", { _ = try await service.link(Proof("github.com"), uid: uid, by: ended, begun: start, now: start + 6) }),
            ("may link", { try await service.mayLink("github.com", uid: uid, by: ended, now: start + 6) }),
            ("unlink", { _ = try await service.unlink("google.com", uid: uid, by: ended, now: start + 6) }),
            ("password", { _ = try await service.setPassword(hash, uid: uid, by: ended, keep: nil, now: start + 6) }),
            (
                "address",
                {
                    _ = try await service.changeToken(uid: uid, to: EmailAddress("new@example.com")!, by: ended, now: start + 6)
                }
            ),
            ("delete", { try await service.delete(uid: uid, by: ended, now: start + 6) }),
            ("enrol", { _ = try await service.mayEnrol(.totp, uid: uid, by: .session(ended), now: start + 6) }),
            ("remove a factor", { _ = try await service.removeFactor("x", uid: uid, by: ended, now: start + 6) }),
        ]
        for (name, operation) in operations {
            #expect(try await refusal(operation) == .sessionExpired, "\(name)")
        }
        try await service.mayLink("github.com", uid: uid, by: proof(issuedAt: start + 6), now: start + 6)
    }

    @Test(arguments: AccountDatabase.all)
    func `an end of one provider's sessions does not mean another's`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let uid = try await account(service).uid
        _ = try await service.link(Proof("github.com", email: nil), uid: uid, now: start + 1)
        _ = try await service.unlink("github.com", uid: uid, by: proof(issuedAt: start), now: start + 2)
        try await service.mayLink("gitlab.com", uid: uid, by: proof(issuedAt: start), now: start + 3)
        let other = SessionProof(provider: "github.com", issuedAt: start + 2, authTime: start, hasShownFactor: true)
        #expect(try await refusal { try await service.mayLink("gitlab.com", uid: uid, by: other, now: start + 3) } == .sessionExpired)
    }

    @Test(arguments: AccountDatabase.all)
    func `a sign-in that is written while an end is decided makes it decide anew`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let made = try await account(service)
        // Decided with the account as it was before the next sign-in.
        let plan = try service.rules(start + 5).revoke(made)
        let late = try #require(try await service.signIn(proof: Proof("google.com"), now: start + 7).outcome)
        #expect(late.startsAt == start + 7)
        guard case .again = try await service.write(plan.changes) else {
            Issue.record("the end was written, and does not mean the session of the sign-in before it")
            return
        }
        try await service.revoke(uid: made.uid, now: start + 6)
        let ends = try await service.endings(after: 0, limit: 9).map(\.ending.before)
        #expect(ends == [start + 7], "the end means the sign-in of a replica whose clock is ahead")
    }

    @Test(arguments: AccountDatabase.all)
    func `a sign-in that is written after an end begins after it, or not at all`(database: AccountDatabase) async throws {
        let service = try await database.make().service()
        let made = try await account(service)
        guard case .proceed(let plan) = try await service.decide(signIn: Proof("google.com"), now: start + 5) else {
            Issue.record("the sign-in was refused")
            return
        }
        try await service.revoke(uid: made.uid, now: start + 9)
        guard case .signedIn(let outcome) = try await service.complete(plan, now: start + 5) else {
            Issue.record("the sign-in did not complete")
            return
        }
        #expect(outcome.startsAt == start + 10)
        #expect(try await service.account(made.uid)?.lastSignInAt == start + 10)
        // An end by a replica whose clock is behind means that session, too.
        try await service.revoke(uid: made.uid, now: start + 8)
        #expect(try await service.endings(after: 0, limit: 9).map(\.ending.before) == [start + 10])
    }

    @Test(arguments: AccountDatabase.all)
    func `a re-authentication asks before it is written, and ends with what has changed meanwhile`(
        database: AccountDatabase
    ) async throws {
        let service = try await database.make().service()
        let made = try await account(service)
        _ = try await service.link(Proof("github.com", email: nil), uid: made.uid, now: start)
        let decision = try await service.decide(reauthentication: Proof("github.com", email: nil), of: made.uid, now: start + 5)
        let end = try await service.finish(decision, now: start + 5) { plan throws(AccountError) in
            #expect(plan.kind == .signIn)
            _ = try await service.unlink("github.com", uid: made.uid, by: proof(issuedAt: start + 4), now: start + 6)
        }
        guard case .refused(let error) = end else {
            Issue.record("an identity that was removed meanwhile signed in")
            return
        }
        #expect(error.code == .userMismatch)
    }
}

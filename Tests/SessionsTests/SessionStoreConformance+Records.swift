import Accounts
import Sessions
import Testing

/// Lists of sessions, and ends by reference, by user and of everyone.
extension SessionStoreConformance {
    private func save(_ subject: String, at time: Int64, sid: String? = nil, tokens: Session.Tokens = .init()) async throws -> Session {
        let session = Example.session(tokens: tokens, sid: sid, now: time, subject: subject)
        _ = try await store.save(session, client: Example.client, now: time)
        return session
    }

    private func expectEnded(_ session: Session, _ isEnded: Bool, _ reason: Comment, at time: Int64? = nil) async throws {
        #expect(try await store.isEnded(session, now: time ?? now) == isEnded, reason)
        let known = store.knownEnd(of: session, digests: store.digests(of: session), now: time ?? now)
        #expect(known == .ask || known == (isEnded ? .ended : .alive), reason)
    }

    private func references(_ uid: String) async throws -> [String] { try await store.records(ofUser: uid, now: now).map(\.id) }

    func listsTheSessionsOfAUser() async throws {
        let first = try await save("list-1", at: now - 20)
        let second = try await save("list-1", at: now - 10)
        let other = try await save("list-2", at: now)
        #expect(
            try await store.records(ofUser: first.uid, now: now) == [second, first].map { SessionRecord($0, client: Example.client) })
        #expect(try await references(other.uid) == [other.reference])
        #expect(try await references("nobody") == [])
        #expect(try await references("") == [])
        // Used again, and refreshed: still the same session, now in front.
        _ = try await store.touch(first, now: now + 5_000)
        let next = try #require(first.refreshed(tokens: .init(refreshToken: "next"), identity: first.identity, now: now + 5_000))
        _ = try await store.save(next, now: now + 5_000)
        let listed = try await store.records(ofUser: first.uid, now: now + 5_000)
        #expect(listed.map(\.id) == [first.reference, second.reference])
        #expect(listed.first?.lastSeenAt == now + 5_000 && listed.first?.createdAt == first.issuedAt)
        #expect(listed.first?.client == Example.client, "a next generation keeps the client")
        try await store.end(first, replacedBy: nil, now: now)
        #expect(try await references(first.uid) == [second.reference])
    }

    func endsOneByItsReference() async throws {
        let ended = try await save("one-1", at: now, tokens: .init(idToken: "one.id.token"))
        let other = try await save("one-1", at: now)
        for (reference, uid) in [
            (String(repeating: "0", count: 32), nil), (String(repeating: "0", count: 32), ended.uid), ("", nil), ("*", ended.uid),
            (String(repeating: "x", count: 10_000), nil), (ended.reference, "another"), (ended.reference, ""),
        ] {
            #expect(try await store.end(reference: reference, ofUser: uid, now: now) == nil)
        }
        try await expectEnded(ended, false, "nothing named it")
        let before = store.ends.value
        #expect(
            try await store.end(reference: ended.reference, ofUser: ended.uid, now: now) == SessionRecord(ended, client: Example.client))
        #expect(store.ends.value > before, "caches learn of an end by the count")
        try await expectEnded(ended, true, "its reference named it")
        try await expectEnded(ended.seen(at: now + 1), true, "renewed forms end with it")
        #expect(try await store.isEnded(token: "one.id.token", now: now), "its tokens end with it")
        try await expectEnded(other, false, "another session of the user goes on")
        #expect(try await references(ended.uid) == [other.reference])
        #expect(try await store.end(reference: ended.reference, ofUser: nil, now: now) == nil, "it has ended before")
        #expect(try await store.end(reference: other.reference, ofUser: nil, now: now)?.uid == other.uid)
        try await expectEnded(other, true, "nil means anybody's")
    }

    func endsTheOthers() async throws {
        let tokens = Session.Tokens(idToken: "others.id.token")
        let kept = try await save("others-1", at: now, tokens: tokens)
        let others = [try await save("others-1", at: now, tokens: tokens), try await save("others-1", at: now - 5)]
        let stranger = try await save("others-2", at: now)
        try await store.endAll(ofUser: kept.uid, except: kept.reference, now: now)
        for other in others { try await expectEnded(other, true, "another session of the user") }
        try await expectEnded(kept, false, "the one that was named goes on")
        #expect(try await !store.isEnded(token: "others.id.token", now: now), "with its tokens")
        try await expectEnded(stranger, false, "another user's")
        #expect(try await references(kept.uid) == [kept.reference])
        // A reference of nobody's saves no session.
        try await store.endAll(ofUser: kept.uid, except: stranger.reference, now: now)
        try await expectEnded(kept, true, "it was not named")
        try await expectEnded(stranger, false, "a reference does not make it the user's")
    }

    func listsNothing() async throws {
        let session = try await save("unlisted-1", at: now)
        await #expect(throws: SessionStoreError.unsupported) { try await store.records(ofUser: session.uid, now: now) }
        for uid in [session.uid, nil] {
            await #expect(throws: SessionStoreError.unsupported) {
                try await store.end(reference: session.reference, ofUser: uid, now: now)
            }
        }
        await #expect(throws: SessionStoreError.unsupported) {
            try await store.endAll(ofUser: session.uid, except: session.reference, now: now)
        }
        try await expectEnded(session, false, "what is not supported ends nothing")
    }

    func endsAllOfAUser() async throws {
        let before = [try await save("all-1", at: now - 5), try await save("all-1", at: now)]
        let later = try await save("all-1", at: now + 10)
        let other = try await save("all-2", at: now)
        let count = store.ends.value
        for _ in 0..<2 { try await store.endAll(ofUser: later.uid, except: nil, now: now) }
        #expect(store.ends.value > count)
        for session in before { try await expectEnded(session, true, "a session of the user") }
        try await expectEnded(Example.session(now: now - 1, subject: "all-1"), true, "a token of the user that was issued before")
        try await expectEnded(later, false, "a later sign-in", at: now + 10)
        try await expectEnded(other, false, "another user's")
        try await store.endAll(ofUser: "nobody", except: nil, now: now)
        if store.keepsSessions { #expect(try await references(later.uid) == [later.reference]) }
        // Later endings of the account store take nothing back.
        try await store.end(AccountEnding(uid: later.uid, issuedUpTo: now - 100), now: now)
        for session in before { try await expectEnded(session, true, "still ended") }
    }

    func endsEveryone() async throws {
        let before = [try await save("everyone-1", at: now), try await save("everyone-2", at: now - 5)]
        let later = try await save("everyone-1", at: now + 10)
        let count = store.ends.value
        for _ in 0..<2 { try await store.endEveryone(now: now) }
        #expect(store.ends.value > count)
        for session in before { try await expectEnded(session, true, "everyone's") }
        try await expectEnded(Example.session(now: now - 1, subject: "everyone-3"), true, "a token that was issued before")
        try await expectEnded(later, false, "a later sign-in", at: now + 10)
        guard store.keepsSessions else { return }
        #expect(try await references(before[1].uid) == [])
        #expect(try await references(later.uid) == [later.reference])
    }
}

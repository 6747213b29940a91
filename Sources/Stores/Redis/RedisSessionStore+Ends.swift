import Accounts
package import Sessions
import Synchronization

/// Ends of sessions and tokens. The server keeps each end until the absolute limit of the session, and the store publishes it to all replicas.
extension RedisSessionStore {
    // MARK: Ending

    package func end(_ session: Session, replacedBy successor: Session?, now: Int64) async throws(SessionStoreError) {
        try await end(StoredDetails(session, names, limits), session.reference, keeping: successor.map { tokens(of: $0) } ?? [], now: now)
    }

    /// The server decides who was the first to end the session. What ends it together with others ends its successor, too, which begins as
    /// early; a successor that begins later is refused here.
    package func replace(_ session: Session, by successor: Session, now: Int64) async throws(SessionStoreError) -> Bool {
        guard
            try await end(
                StoredDetails(session, names, limits), session.reference, keeping: tokens(of: successor), now: now)
        else { return false }
        let digests = Array(digests(of: session).all.dropFirst())
        if known.isEnded(digests, of: session, before: successor, now: now) { return false }
        return try await !endedInStore(digests.map { ($0, names.end($0)) }, issuedAt: session.issuedAt, now: now)
    }

    private func tokens(of session: Session) -> [RevocationDigest] { StoredDetails(session, names, limits).tokenDigests }

    /// Ends a session of which only the details are known, and its tokens but those of `keeping`. False: it had ended before.
    @discardableResult
    func end(
        _ details: StoredDetails, _ reference: String, keeping: [RevocationDigest], now: Int64
    ) async throws(SessionStoreError) -> Bool {
        guard let digest = RedisNames.digest(ofSession: reference) else { return false }
        let own = RevocationRecord.session(
            digest, isAnonymous: details.provider == ReservedProvider.anonymous, expiry: limits.absoluteEnd(issuedAt: details.issuedAt))
        let tokens =
            details.tokens.filter { !keeping.contains($0.digest) }.map { RevocationRecord(.token, $0.digest, expiry: $0.expiry) }
            + details.signIns.filter { !keeping.contains($0) }
            .map { names.digesters[0].record(endingSignIn: $0, limits: limits, now: now) }
        // The store publishes an end only after the server has kept it. If the server refuses the end, the session continues everywhere.
        let replies = try await run(
            .end,
            [command(recording: own, as: names.end(ofSession: reference), now)]
                + tokens.map { command(recording: $0, as: names.end($0.digest), now) })
        _ = try await run(
            .end,
            [RedisCommand("DEL", names.session(reference))]
                + names.users(details.uid).map { RedisCommand("SREM", $0, Array(reference.utf8)) }
                + [shared.client.publication(of: RedisMessage.ends([own] + tokens).bytes)])
        known.insert([own] + tokens, now: now)
        known.forget(digest)
        return try replies.first.map { reply throws(SessionStoreError) in try integer(reply) } == 1
    }

    /// Records ends that name other things than one session, and publishes them.
    func record(_ records: [RevocationRecord], _ more: [RedisCommand] = [], now: Int64) async throws(SessionStoreError) {
        if !records.isEmpty { _ = try await run(.end, records.map { command(recording: $0, as: names.end($0.digest), now) }) }
        _ = try await run(.end, more + [shared.client.publication(of: RedisMessage.ends(records).bytes)])
        known.insert(records, now: now)
    }

    private func command(recording record: RevocationRecord, as name: [UInt8], _ now: Int64) -> RedisCommand {
        RedisCommand(
            script: RedisScripts.end, keys: [name], [number(min(record.issuedUpTo, Self.unlimited)), number(max(1, record.expiry - now))])
    }

    /// The largest number that Lua has in full.
    private static let unlimited: Int64 = 9_007_199_254_740_991

    /// The `jti` is taken for a few seconds first, so that a provider can send a token again whose end was not recorded.
    package func end(_ logout: ProviderLogout, now: Int64) async throws(SessionStoreError) -> Bool {
        let used = names.logoutToken(logout)
        let memory = number(max(1, logout.expiresAt - now))
        let taken = RedisCommand("SET", used, Array("taken".utf8), Array("NX".utf8), Array("PX".utf8), number(Self.shortMemory))
        guard case .status = try await run(.end, taken) else { return false }
        let digester = names.digesters[0]
        var records: [RevocationRecord] = []
        if let sid = logout.sessionID, !sid.isEmpty {
            records.append(digester.record(endingProviderSession: sid, issuer: logout.issuer, limits: limits, now: now))
        } else if let subject = logout.subject {
            records.append(digester.record(endingUser: subject, issuer: logout.issuer, limits: limits, now: now))
        }
        do throws(SessionStoreError) {
            try await record(
                records, [RedisCommand("SET", used, Array("used".utf8), Array("PX".utf8), memory)], now: now)
        } catch {
            _ = try? await run(.end, RedisCommand("DEL", used))
            throw error
        }
        return true
    }

    private static let shortMemory: Int64 = 5_000

    package func end(
        _ logout: FrontChannelLogout, from address: String?, now: Int64
    ) async throws(SessionStoreError) -> FrontChannelEnd {
        let digest = names.digesters[0].providerSession(issuer: logout.issuer, sid: logout.sessionID)
        let outcome = shared.frontChannel.withLock { $0.receive(digest, from: address, sessions: limits, now: now) }
        var result = outcome
        switch outcome {
        case .matched: break
        case .repeated: return FrontChannelEnd(outcome, isKept: true)
        case .kept, .tooManyFromAddress, .full:
            let isKnown = try await run(
                .end,
                names.digesters.map { digester in
                    RedisCommand(
                        "EXISTS",
                        names.providerSession(digester.providerSession(issuer: logout.issuer, sid: logout.sessionID)))
                }
            ).contains(.integer(1))
            if isKnown {
                result = .matched
            } else {
                guard case .kept = outcome else { return FrontChannelEnd(outcome, isKept: true) }
            }
        }
        do throws(SessionStoreError) {
            let record = names.digesters[0].record(
                endingProviderSession: logout.sessionID, issuer: logout.issuer, limits: limits, now: now)
            try await self.record([record], now: now)
        } catch {
            shared.frontChannel.withLock { $0.takeBack(digest) }
            throw error
        }
        return FrontChannelEnd(result, isKept: true)
    }

    package func end(_ ending: AccountEnding, now: Int64) async throws(SessionStoreError) {
        let record = names.digesters[0].record(ending, limits: limits)
        known.insertLocal(record, now: now)
        // The account store tells the other replicas, too, but only when they ask it.
        guard now &- ending.issuedUpTo < Self.news else { return }
        Task { _ = try? await run(.end, shared.client.publication(of: RedisMessage.ends([record]).bytes)) }
    }

    /// At its start, a replica reads endings of days, which all others know.
    private static let news: Int64 = 10_000

    package var ends: EndCount { known.ends }

    package func revocationLists(now: Int64) -> [RevocationList] {
        known.revocationLists(now: now) + [shared.frontChannel.withLock { $0.list }]
    }

    // MARK: Asking

    package func digests(of session: Session) -> SessionDigests {
        known.digests(of: session, as: RedisNames.digest(of: session.id)) ?? names.digests(of: session)
    }

    package func knownEnd(of session: Session, digests: SessionDigests?, now: Int64) -> KnownEnd {
        known.knownEnd(of: session, (digests ?? self.digests(of: session)).all, now: now)
    }

    package func knownEnd(ofToken token: String, now: Int64) -> KnownEnd {
        known.knownEnd(ofTokens: names.digesters.map { $0.token(token) }, now: now)
    }

    package func isEnded(_ session: Session, now: Int64) async throws(SessionStoreError) -> Bool {
        let digests = digests(of: session)
        see(session, digests, now: now)
        if known.isEnded(digests.all, issuedAt: session.issuedAt, now: now) { return true }
        if known.isAlive(digests.all[0], now: now) { return false }
        let epoch = known.epoch
        let ends = [(digests.all[0], names.end(ofSession: session.reference))] + digests.all.dropFirst().map { ($0, names.end($0)) }
        if try await endedInStore(ends, issuedAt: session.issuedAt, now: now) { return true }
        known.confirm(session, as: digests.all[0], epoch: epoch, now: now)
        return false
    }

    package func isEnded(token: String, now: Int64) async throws(SessionStoreError) -> Bool {
        let digests = names.digesters.map { $0.token(token) }
        switch known.knownEnd(ofTokens: digests, now: now) {
        case .ended: return true
        case .alive: return false
        case .ask: break
        }
        let epoch = known.epoch
        if try await endedInStore(digests.map { ($0, names.end($0)) }, issuedAt: .min, now: now) { return true }
        known.confirm(tokens: digests, epoch: epoch, now: now)
        return false
    }

    /// Whether one of the ends that were read with a session ended it: with its user, or with its provider's session. Of `asked`, the session
    /// decides which matter.
    func isEnded(
        _ session: Session, _ digests: SessionDigests, _ asked: [RevocationDigest], _ replies: ArraySlice<RedisReply>, now: Int64
    ) throws(SessionStoreError) -> Bool {
        for (digest, reply) in zip(asked, replies) where digests.all.contains(digest) {
            if try isEnded(by: digest, reply, issuedAt: session.issuedAt, now: now) { return true }
        }
        return false
    }

    func see(_ session: Session, _ digests: SessionDigests, now: Int64) {
        guard let provider = digests.providerSession else { return }
        let end = limits.absoluteEnd(of: session)
        _ = shared.frontChannel.withLock { $0.see(provider, of: session, until: end, now: now) }
    }

    func endedInStore(
        _ ends: [(digest: RevocationDigest, name: [UInt8])], issuedAt: Int64, now: Int64
    ) async throws(SessionStoreError) -> Bool {
        if ends.isEmpty { return false }
        return try isEnded(by: ends.map(\.digest), try await run(.check, gets(ends.map(\.name))), issuedAt: issuedAt, now: now)
    }

    /// Whether one of the ends covers a session of this time. `replies`: those to `gets` of all.
    func isEnded(
        by digests: [RevocationDigest], _ replies: [RedisReply], issuedAt: Int64, now: Int64
    ) throws(SessionStoreError) -> Bool {
        for (digest, reply) in zip(digests, try values(replies[...], digests.count)) {
            if try isEnded(by: digest, reply, issuedAt: issuedAt, now: now) { return true }
        }
        return false
    }

    /// Whether the end that the server sent for a digest covers a session of this time.
    private func isEnded(
        by digest: RevocationDigest, _ reply: RedisReply, issuedAt: Int64, now: Int64
    ) throws(SessionStoreError) -> Bool {
        switch reply {
        case .null: return false
        case .text(let bytes):
            guard let issuedUpTo = Int64(String(decoding: bytes, as: UTF8.self)) else { throw unusable }
            guard issuedAt <= issuedUpTo else { return false }
            let memory = now + KnownSessions.endMemory
            known.insert([RevocationRecord(.session, digest, issuedUpTo: issuedUpTo, expiry: memory)], now: now)
            return true
        default: throw unusable
        }
    }

    // MARK: Logins

    package func finishLogin(_ id: String, now: Int64) async throws(SessionStoreError) -> Bool {
        let command = RedisCommand("SET", names.login(id), Array("1".utf8), Array("NX".utf8), Array("PX".utf8), number(Self.loginLifetime))
        switch try await run(.login, command) {
        case .status: return true
        case .null: return false
        default: throw unusable
        }
    }

    /// The time limit of a login.
    private static let loginLifetime: Int64 = 600_000

    package func isFinishedLogin(_ id: String, now: Int64) async throws(SessionStoreError) -> Bool {
        try integer(try await run(.login, RedisCommand("EXISTS", names.login(id)))) > 0
    }
}

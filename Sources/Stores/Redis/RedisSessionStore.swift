import Accounts
import NIOCore
package import Sessions
import TokenCrypto

/// The store whose sessions live in Redis or Valkey: the cookie is a ticket, and the server keeps the session, sealed.
///
/// One per configuration; `shared` goes on across reloads. What was opened lately is kept in the process while it hears the ends of others.
package final class RedisSessionStore: SessionStore {
    package let limits: SessionLimits
    let shared: RedisSessions
    let names: RedisNames
    let tickets: SessionTickets

    /// `keys`: `session.keys`. `cookieName`: the effective name.
    package init(_ shared: RedisSessions, keys: [[UInt8]], cookieName: String, publicURL: String, limits: SessionLimits) {
        self.shared = shared
        self.limits = limits
        names = RedisNames(prefix: shared.settings.prefix, keys: keys)
        tickets = SessionTickets(keys: keys, cookieName: cookieName, publicURL: publicURL)
    }

    var known: KnownSessions { shared.known }

    // MARK: The server

    /// What the task or the thread that asks says about itself. Read before the first call: a completion runs outside of the task.
    private struct Caller {
        let budget: StoreBudget?
        let description: (any Sendable)?

        init(_ shared: RedisSessions) {
            budget = StoreBudget.current
            description = shared.caller()
        }
    }

    /// The completion is called once, before the return or later: on the caller's event loop if the store has connections there.
    private func run(
        _ operation: RedisOperation, _ commands: [RedisCommand], for caller: Caller,
        _ completion: @escaping @Sendable (Result<[RedisReply], SessionStoreError>) -> Void
    ) {
        let shared = shared
        let limit = caller.budget?.rest(of: shared.settings.timeout)
        let start = NIODeadline.now()
        shared.client.run(commands, limit: limit) { result in
            let nanoseconds = max(0, (NIODeadline.now() - start).nanoseconds)
            caller.budget?.use(.nanoseconds(nanoseconds))
            switch result {
            case .success(let replies):
                shared.observe(.call(operation, failure: nil, nanoseconds: UInt64(nanoseconds), caller.description))
                completion(.success(replies))
            case .failure(let failure):
                shared.observe(.call(operation, failure: failure.kind, nanoseconds: UInt64(nanoseconds), caller.description))
                completion(.failure(.unavailable(failure.reason)))
            }
        }
    }

    func run(_ operation: RedisOperation, _ commands: [RedisCommand]) async throws(SessionStoreError) -> [RedisReply] {
        let caller = Caller(shared)
        return try await withCheckedContinuation { continuation in
            run(operation, commands, for: caller) { continuation.resume(returning: $0) }
        }.get()
    }

    func run(_ operation: RedisOperation, _ command: RedisCommand) async throws(SessionStoreError) -> RedisReply {
        try await run(operation, [command])[0]
    }

    /// The error for a reply of the wrong type.
    var unusable: SessionStoreError {
        shared.observe(.unusableReply)
        return .unavailable("it sends a reply of the wrong type")
    }

    func integer(_ reply: RedisReply) throws(SessionStoreError) -> Int64 {
        guard case .integer(let value) = reply else { throw unusable }
        return value
    }

    func array(_ reply: RedisReply, _ count: Int) throws(SessionStoreError) -> [RedisReply] {
        guard case .array(let parts) = reply, parts.count == count else { throw unusable }
        return parts
    }

    func number(_ value: Int64) -> [UInt8] { Array(String(value).utf8) }

    /// Commands that read some values. A cluster has them on several servers.
    func gets(_ names: [[UInt8]]) -> [RedisCommand] {
        if shared.settings.isCluster { return names.map { RedisCommand("GET", $0) } }
        return names.isEmpty ? [] : [RedisCommand("MGET", keys: names)]
    }

    /// The values from the replies to `gets`.
    func values(_ replies: ArraySlice<RedisReply>, _ count: Int) throws(SessionStoreError) -> [RedisReply] {
        if shared.settings.isCluster {
            guard replies.count == count else { throw unusable }
            return Array(replies)
        }
        guard count > 0 else { return [] }
        guard let reply = replies.first, replies.count == 1 else { throw unusable }
        return try array(reply, count)
    }

    // MARK: Opening

    package func lookup(_ cookie: RawSpan, now: Int64) -> SessionLookup {
        guard let ticket = tickets.open(cookie) else { return .none }
        let digest = RedisNames.digest(of: ticket.id)
        guard let session = known.session(digest, now: now), constantTimeEqual(session.ticketSecret.bytes, ticket.secret.bytes) else {
            return .ask(SessionQuestion { [self] now, completion in load(ticket, digest, now: now, completion) })
        }
        return .known(session)
    }

    package func load(_ cookie: [UInt8], now: Int64) async throws(SessionStoreError) -> Session? {
        guard let ticket = tickets.open(cookie.span.bytes) else { return nil }
        let digest = RedisNames.digest(of: ticket.id)
        return try await SessionQuestion { [self] now, completion in load(ticket, digest, now: now, completion) }.answer(now)?.session
    }

    /// `digest`: the session's own.
    private func load(
        _ ticket: SessionTickets.Ticket, _ digest: RevocationDigest, now: Int64, _ completion: @escaping SessionQuestion.Completion
    ) {
        let reference = RedisNames.reference(of: digest)
        let (epoch, caller) = (known.epoch, Caller(shared))
        // The ticket names most markers that end the session with others, so that one round trip reads them, too.
        let asked = ticket.digests + names.everyone
        var markers = [names.end(ofSession: reference)]
        markers.reserveCapacity(asked.count + 1)
        for digest in asked { markers.append(names.end(digest)) }
        let fieldsOfSession = RedisCommand("HMGET", names.session(reference), Self.sessionField, Self.detailsField)
        run(.load, [fieldsOfSession] + gets(markers), for: caller) { [self] result in
            do throws(SessionStoreError) {
                guard let opened = try open(try result.get(), ticket, digest, reference, asked: asked, now: now) else {
                    return completion(.success(nil))
                }
                if opened.loaded.end == .ended || opened.unasked.isEmpty {
                    return completion(.success(keep(opened, digest, epoch: epoch, now: now)))
                }
                run(.check, gets(opened.unasked.map { names.end($0) }), for: caller) { [self] result in
                    do throws(SessionStoreError) {
                        let loaded = opened.loaded
                        let isEnded = try isEnded(by: opened.unasked, try result.get(), issuedAt: loaded.session.issuedAt, now: now)
                        guard isEnded else { return completion(.success(keep(opened, digest, epoch: epoch, now: now))) }
                        completion(.success(LoadedSession(loaded.session, digests: loaded.digests, end: .ended)))
                    } catch {
                        completion(.failure(error))
                    }
                }
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// A session that the replies to its question have told.
    private struct Opened {
        let loaded: LoadedSession
        let storedSeenAt: Int64
        /// Ends that the ticket did not name: it is older than this form of the session, or `session.keys` have changed since.
        let unasked: [RevocationDigest]
    }

    private func keep(_ opened: Opened, _ digest: RevocationDigest, epoch: Int?, now: Int64) -> LoadedSession {
        if opened.loaded.end == .ended { return opened.loaded }
        return known.insert(opened.loaded, as: digest, epoch: epoch, storedSeenAt: opened.storedSeenAt, now: now)
    }

    /// `digest`, `reference`: the session's own. `asked`: the digests that the replies are about, in their order.
    private func open(
        _ replies: [RedisReply], _ ticket: SessionTickets.Ticket, _ digest: RevocationDigest, _ reference: String,
        asked: [RevocationDigest], now: Int64
    ) throws(SessionStoreError) -> Opened? {
        let fields = try array(replies[0], 2)
        let ends = try values(replies[1...], asked.count + 1)
        guard case .null = ends[0], case .text(let sealed) = fields[0],
            case (var session, let sharedDigests)? = tickets.open(sealed, id: ticket.id, secret: ticket.secret)
        else { return nil }
        // A replica writes at most one stamp per interval, so a session saved within the last interval has no later stamp. Most misses are
        // for new sessions.
        let isRecent = now - session.seenAt < touchInterval
        let storedSeenAt = isRecent ? session.seenAt : max(session.seenAt, seenAt(fields[1], of: reference) ?? 0)
        session.see(at: storedSeenAt)
        let digests = names.digests(of: session, own: digest, shared: sharedDigests) ?? names.digests(of: session)
        see(session, digests, now: now)
        let isEnded = try isEnded(session, digests, asked, ends[1...], now: now)
        return Opened(
            loaded: LoadedSession(consume session, digests: digests, end: isEnded ? .ended : .alive), storedSeenAt: storedSeenAt,
            unasked: digests.all.dropFirst().filter { !asked.contains($0) })
    }

    private static let sessionField = Array("s".utf8)
    private static let detailsField = Array("d".utf8)

    /// The stamp of the idle limit in details; nil without any.
    private func seenAt(_ reply: RedisReply, of reference: String) -> Int64? {
        guard case .text(let sealed) = reply else { return nil }
        return tickets.open(details: sealed, of: reference).flatMap { StoredDetails.seenAt(in: $0) }
    }

    func details(_ reply: RedisReply, of reference: String) -> StoredDetails? {
        guard case .text(let sealed) = reply else { return nil }
        return tickets.open(details: sealed, of: reference).flatMap { StoredDetails($0) }
    }

    // MARK: Keeping

    package var keepsSessions: Bool { true }

    package func cookie(for session: Session) -> String? { nil }

    private func milliseconds(until end: Int64, _ now: Int64) -> [UInt8] { number(max(1, end - now)) }

    private func sealedDetails(of session: Session, _ reference: String) -> [UInt8] {
        tickets.seal(details: StoredDetails(session, names, limits).bytes, of: reference)
    }

    package func save(_ session: Session, client: SessionClient?, now: Int64) async throws(SessionStoreError) -> String {
        // Sealed with an empty salt, the session would open without the ticket, and not for its browser.
        guard session.ticketSecret.bytes.count == TicketSecret.size else { throw .unavailable("the session has no secret for its ticket") }
        let (reference, digest) = RedisNames.name(of: session.id)
        let digests = names.sharedDigests(of: session)
        let absolute = milliseconds(until: limits.absoluteEnd(of: session), now)
        var commands = [
            RedisCommand(
                script: RedisScripts.save, keys: [names.session(reference), names.end(ofSession: reference)],
                [
                    number(Int64(session.generation)), tickets.seal(session, digests), sealedDetails(of: session, reference),
                    milliseconds(until: limits.expiry(of: session), now), Array((session.generation > 0 ? "1" : "0").utf8),
                    client.map { tickets.seal(details: StoredClient($0).bytes, of: reference) } ?? [],
                ])
        ]
        if session.generation == 0 {
            commands += names.users(session.uid).prefix(1).map {
                RedisCommand(script: RedisScripts.add, keys: [$0], [Array(reference.utf8), absolute])
            }
            if let sid = names.digests(of: session).providerSession {
                commands.append(RedisCommand("SET", names.providerSession(sid), Array("1".utf8), Array("PX".utf8), absolute))
            }
        }
        let replies = try await run(.save, commands)
        if try integer(replies[0]) == 1 {
            known.replace(session, as: digest)
            if session.generation > 0 { _ = try? await run(.save, shared.client.publication(of: RedisMessage.changed(digest).bytes)) }
        } else {
            known.forget(digest)
        }
        return tickets.ticket(for: session, digests)
    }

    /// The shortest interval between two stamps that are written to the server, in milliseconds.
    private var touchInterval: Int64 { min(60_000, limits.idle / 4) }

    package func touch(_ session: Session, now: Int64) async throws(SessionStoreError) -> String {
        let (reference, digest) = RedisNames.name(of: session.id)
        let renewed = limits.renewed(session, now: now)
        if known.touch(renewed, as: digest, interval: touchInterval) {
            let reply = try await run(
                .touch,
                RedisCommand(
                    script: RedisScripts.touch, keys: [names.session(reference)],
                    [sealedDetails(of: renewed, reference), milliseconds(until: limits.expiry(of: renewed), now)]))
            // The store has lost it: no other replica knows it either.
            if try integer(reply) == 0 { known.forget(digest) }
        }
        return tickets.ticket(for: renewed, names.sharedDigests(of: renewed))
    }

    package var status: SessionStoreStatus { shared.status }
}

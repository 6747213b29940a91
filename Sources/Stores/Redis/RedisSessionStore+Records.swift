import Accounts
import Primitives
package import Sessions
import TokenCrypto

/// Lists of sessions, and ends of sessions that the caller does not have.
extension RedisSessionStore {
    /// A set that somebody wrote could have any number of members.
    private static let mostMembers = 20_000
    private static let chunk = 256

    private struct Listed {
        let reference: String
        let details: StoredDetails
        let client: SessionClient

        var record: SessionRecord {
            SessionRecord(
                id: reference, uid: details.uid, createdAt: details.issuedAt, lastSeenAt: details.seenAt, provider: details.provider,
                issuer: details.issuer, client: client)
        }
    }

    package func records(ofUser uid: String, now: Int64) async throws(SessionStoreError) -> [SessionRecord] {
        let records = try await listed(ofUser: uid, now: now).map(\.record)
        return Array(records.sorted { ($0.lastSeenAt, $0.id) > ($1.lastSeenAt, $1.id) }.prefix(SessionRecord.listLimit))
    }

    package func end(reference: String, ofUser uid: String?, now: Int64) async throws(SessionStoreError) -> SessionRecord? {
        guard Session.isReference(reference), let listed = try await listed([reference], now: now).first,
            uid ?? listed.details.uid == listed.details.uid
        else { return nil }
        try await end(listed.details, reference, keeping: [], now: now)
        return listed.record
    }

    package func endAll(ofUser uid: String, except reference: String?, now: Int64) async throws(SessionStoreError) {
        guard let reference else {
            return try await record([names.digesters[0].record(endingAllOfUID: uid, limits: limits, now: now)], now: now)
        }
        let sessions = try await listed(ofUser: uid, now: now)
        let kept = sessions.first { $0.reference == reference }?.details.tokenDigests ?? []
        for session in sessions where session.reference != reference && session.details.issuedAt <= now {
            try await end(session.details, session.reference, keeping: kept, now: now)
        }
    }

    package func endEveryone(now: Int64) async throws(SessionStoreError) {
        try await record([names.digesters[0].record(endingEveryone: limits, now: now)], now: now)
    }

    /// The sessions of a user that have not ended. Members of the set without a session are removed from it.
    private func listed(ofUser uid: String, now: Int64) async throws(SessionStoreError) -> [Listed] {
        var references = Set<String>()
        let sets = names.users(uid)
        for reply in try await run(.list, sets.map { RedisCommand("SMEMBERS", $0) }) {
            guard case .array(let members) = reply, members.count <= Self.mostMembers else { throw unusable }
            for case .text(let bytes) in members {
                let reference = String(decoding: bytes.prefix(64), as: UTF8.self)
                if Session.isReference(reference) { references.insert(reference) }
            }
        }
        let listed = try await listed(Array(references), now: now).filter { $0.details.uid == uid }
        let gone = references.subtracting(listed.map(\.reference)).map { Array($0.utf8) }
        if !gone.isEmpty {
            _ = try? await run(.list, sets.map { RedisCommand([Array("SREM".utf8), $0] + gone.prefix(Self.chunk), key: 1) })
        }
        return listed
    }

    /// The sessions with these references that are there and have not ended.
    private func listed(_ references: [String], now: Int64) async throws(SessionStoreError) -> [Listed] {
        var found: [Listed] = []
        for start in stride(from: 0, to: references.count, by: Self.chunk) {
            let part = references[start..<min(references.count, start + Self.chunk)]
            let replies = try await run(
                .list,
                part.flatMap { reference in
                    [
                        RedisCommand("HMGET", names.session(reference), Array("d".utf8), Array("c".utf8)),
                        RedisCommand("EXISTS", names.end(ofSession: reference)),
                    ]
                })
            for (index, reference) in part.enumerated() {
                let fields = try array(replies[2 * index], 2)
                guard try integer(replies[2 * index + 1]) == 0, var details = details(fields[0], of: reference) else { continue }
                if let digest = RedisNames.digest(ofSession: reference) {
                    details.seenAt = max(details.seenAt, known.seenAt(digest) ?? 0)
                }
                found.append(Listed(reference: reference, details: details, client: client(fields[1], of: reference)))
            }
        }
        return try await alive(found, now: now)
    }

    private func client(_ reply: RedisReply, of reference: String) -> SessionClient {
        guard case .text(let sealed) = reply, let bytes = tickets.open(details: sealed, of: reference) else {
            return SessionClient(userAgent: nil, address: nil)
        }
        return StoredClient(bytes).client
    }

    /// Without those that ended with others.
    private func alive(_ sessions: [Listed], now: Int64) async throws(SessionStoreError) -> [Listed] {
        let digests = Array(Set(sessions.flatMap(\.details.ends)))
        var ends: [RevocationDigest: Int64] = [:]
        for start in stride(from: 0, to: digests.count, by: Self.chunk) {
            let part = digests[start..<min(digests.count, start + Self.chunk)]
            for (digest, reply) in zip(part, try await run(.list, part.map { RedisCommand("GET", names.end($0)) })) {
                switch reply {
                case .null: continue
                case .text(let bytes):
                    guard let issuedUpTo = Int64(String(decoding: bytes, as: UTF8.self)) else { throw unusable }
                    ends[digest] = issuedUpTo
                default: throw unusable
                }
            }
        }
        return sessions.filter { session in
            let details = session.details
            return !details.ends.contains { ends[$0].map { details.issuedAt <= $0 } ?? false }
                && !known.isEnded(details.ends, issuedAt: details.issuedAt, now: now)
        }
    }
}

/// What the store keeps of a session besides the session itself, sealed under `session.keys` alone: for lists, and for ends by a reference.
struct StoredDetails: Equatable {
    struct Token: Equatable {
        let digest: RevocationDigest
        let expiry: Int64
    }

    let uid: String
    let issuedAt: Int64
    /// The last stamp of the idle limit.
    var seenAt: Int64
    let provider: String
    let issuer: String
    /// What ends it with others.
    let ends: [RevocationDigest]
    let tokens: [Token]
    /// Of the ID tokens of its sign-in and its refreshes.
    let signIns: [RevocationDigest]

    /// What its end ends besides the session: of another session's, those go on that it has, too.
    var tokenDigests: [RevocationDigest] { tokens.map(\.digest) + signIns }

    init(_ session: Session, _ names: RedisNames, _ limits: SessionLimits) {
        uid = session.uid
        issuedAt = session.issuedAt
        seenAt = session.seenAt
        provider = session.identity.provider
        issuer = session.identity.issuer
        ends = Array(names.digests(of: session).all.dropFirst())
        let digester = names.digesters[0]
        signIns = digester.signIns(of: session)
        let records = digester.records(ending: session, limits: limits, now: session.issuedAt)
        tokens = records.filter { [signIns] in $0.kind == .token && !signIns.contains($0.digest) }
            .map { Token(digest: $0.digest, expiry: $0.expiry) }
    }

    private static let stampSize = 8

    /// The stamp, which is read with each session, and the rest as JSON.
    var bytes: [UInt8] {
        let stamp = withUnsafeBytes(of: seenAt.bigEndian) { Array($0) }
        let rest = JSONValue.object([
            "uid": .string(uid), "iat": .integer(issuedAt), "provider": .string(provider),
            "issuer": .string(issuer), "ends": .array(ends.map { .string(Base64URL.encode($0.bytes)) }),
            "tokens": .array(tokens.map { .array([.string(Base64URL.encode($0.digest.bytes)), .integer($0.expiry)]) }),
            "signIns": .array(signIns.map { .string(Base64URL.encode($0.bytes)) }),
        ]).serializedBytes()
        return stamp + rest
    }

    /// The stamp alone.
    static func seenAt(in bytes: [UInt8]) -> Int64? {
        guard bytes.count > stampSize else { return nil }
        return bytes[..<stampSize].reduce(0) { $0 << 8 | Int64($1) }
    }

    init?(_ bytes: [UInt8]) {
        guard let seenAt = Self.seenAt(in: bytes), let object = (try? JSONValue(parsing: Array(bytes[Self.stampSize...])))?.object,
            let uid = object["uid"]?.string,
            let issuedAt = object["iat"]?.integer, let provider = object["provider"]?.string,
            let issuer = object["issuer"]?.string, let ends = object["ends"]?.array, let tokens = object["tokens"]?.array
        else { return nil }
        self.uid = uid
        self.issuedAt = issuedAt
        self.seenAt = seenAt
        self.provider = provider
        self.issuer = issuer
        self.ends = ends.compactMap(Self.digest)
        self.tokens = tokens.compactMap { token in
            guard let parts = token.array, parts.count == 2, let digest = Self.digest(parts[0]), let expiry = parts[1].integer else {
                return nil
            }
            return Token(digest: digest, expiry: expiry)
        }
        // Builds before this member wrote none.
        signIns = object["signIns"]?.array?.compactMap(Self.digest) ?? []
    }

    private static func digest(_ value: JSONValue) -> RevocationDigest? {
        value.string.flatMap { Base64URL.decode($0) }.flatMap { RevocationDigest(bytes: $0) }
    }
}

/// The client of a session, as the store keeps it.
struct StoredClient {
    let client: SessionClient

    init(_ client: SessionClient) { self.client = client }

    init(_ bytes: [UInt8]) {
        let object = (try? JSONValue(parsing: bytes))?.object
        client = SessionClient(userAgent: object?["agent"]?.string, address: object?["address"]?.string)
    }

    var bytes: [UInt8] {
        var object: [String: JSONValue] = [:]
        if let agent = client.userAgent { object["agent"] = .string(agent) }
        if let address = client.address { object["address"] = .string(address) }
        return JSONValue.object(object).serializedBytes()
    }
}

import Accounts

/// The lists of sessions, and what ends sessions from a list. Throws `.unsupported` where the store does not keep sessions.
extension SessionService {
    /// The live sessions of a user, the most recently used first.
    package func records(ofUser uid: String, now: Int64) async throws(SessionStoreError) -> [SessionRecord] {
        try await store.records(ofUser: uid, now: now).filter { isLive($0, now: now) }
    }

    private func isLive(_ record: SessionRecord, now: Int64) -> Bool {
        guard limits.evaluate(issuedAt: record.createdAt, seenAt: record.lastSeenAt, now: now) == nil else { return false }
        return providerRefusal(ProviderIdentity(provider: record.provider, issuer: record.issuer, subject: "")) == nil
    }

    /// Ends the session with this reference; `uid`: whose it must be, nil: anybody's. Returns its record; nil: there is none.
    package func end(reference: String, ofUser uid: String? = nil, now: Int64) async throws(SessionStoreError) -> SessionRecord? {
        guard store.keepsSessions else { throw .unsupported }
        guard Session.isReference(reference) else { return nil }
        return try await store.end(reference: reference, ofUser: uid, now: now)
    }

    /// Ends the user's sessions but this one.
    package func endOthers(than session: Session, now: Int64) async throws(SessionStoreError) {
        try await store.endAll(ofUser: session.uid, except: session.reference, now: now)
    }

    /// Ends all sessions of a user, whether or not there are any.
    package func endAll(ofUser uid: String, now: Int64) async throws(SessionStoreError) {
        try await store.endAll(ofUser: uid, except: nil, now: now)
    }

    package func endEveryone(now: Int64) async throws(SessionStoreError) { try await store.endEveryone(now: now) }
}

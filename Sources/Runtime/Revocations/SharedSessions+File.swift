import Config
import Logging
import Sessions

extension SharedSessions {
    /// A configuration's change to the file of revocations, opened and checked; `use` applies it.
    struct JournalChange: Sendable {
        fileprivate enum Kind: Sendable {
            case keep(newKeys: Bool)
            case replace(RevocationJournal?)
        }
        fileprivate let kind: Kind
    }

    /// The sessions of a process that starts: with what the file of revocations holds.
    static func starting(_ snapshot: Snapshot, log: EventLog) throws(RevocationFile.Failure) -> SharedSessions {
        guard let path = snapshot.configuration.session.revocations else { return SharedSessions() }
        let file = try opened(path, snapshot)
        let contents = try named(path) { () throws(RevocationFile.Failure) in
            try file.read(RevocationFileFormat.ring(snapshot.sessionKeys))
        }
        let sessions = SharedSessions(digester: contents?.digester ?? RevocationDigester())
        sessions.setJournal(try sessions.begin(file, contents, snapshot, log))
        return sessions
    }

    /// Opens the file that the next configuration names. Throws for one that cannot be used; nothing is changed then.
    func prepare(for snapshot: Snapshot, after earlier: Snapshot, log: EventLog) throws(RevocationFile.Failure) -> JournalChange {
        let path = snapshot.configuration.session.revocations
        if path == journal?.path { return JournalChange(kind: .keep(newKeys: snapshot.sessionKeys != earlier.sessionKeys)) }
        guard let path else { return JournalChange(kind: .replace(nil)) }
        let file = try Self.opened(path, snapshot)
        let contents = try Self.named(path) { () throws(RevocationFile.Failure) in
            let contents = try file.read(RevocationFileFormat.ring(snapshot.sessionKeys))
            guard contents.map({ $0.digester == digester }) ?? true else {
                throw .init(
                    "it was written by another process, perhaps an earlier one of this gateway: a restart reads it, a reload cannot")
            }
            return contents
        }
        return JournalChange(kind: .replace(try begin(file, contents, snapshot, log)))
    }

    func use(_ change: JournalChange, snapshot: Snapshot, log: EventLog) async {
        switch change.kind {
        case .keep(let newKeys): journal?.adopt(newKeys ? RevocationFileFormat.ring(snapshot.sessionKeys) : nil, log: log)
        case .replace(let next):
            let earlier = journal
            setJournal(next)
            // What ended since it was opened.
            next?.adopt(RevocationFileFormat.ring(snapshot.sessionKeys), log: log)
            await earlier?.close()
        }
    }

    private static func opened(_ path: String, _ snapshot: Snapshot) throws(RevocationFile.Failure) -> RevocationFile {
        try named(path) { () throws(RevocationFile.Failure) in
            guard !snapshot.configuration.session.keys.isEmpty else {
                throw .init("session.keys is not set, so the file could not be read after a restart; set session.keys")
            }
            return try RevocationFile(path: path)
        }
    }

    private func begin(
        _ file: RevocationFile, _ contents: RevocationFileFormat.Contents?, _ snapshot: Snapshot, _ log: EventLog
    ) throws(RevocationFile.Failure) -> RevocationJournal {
        let path = file.path
        return try Self.named(path) { () throws(RevocationFile.Failure) in
            if let contents {
                try restore(contents.records, now: wallClock())
                if contents.tornBytes > 0 {
                    log.write(
                        .warning, "revocations-torn",
                        "the last record of session.revocations was incomplete and was dropped; the sign-out it belongs to had not been confirmed",
                        [("path", .text(path)), ("bytes", .number(contents.tornBytes))])
                }
            }
            let journal = RevocationJournal(
                file, digester: digester, ring: RevocationFileFormat.ring(snapshot.sessionKeys), log: log,
                memory: { [weak self] in self?.records(now: wallClock()) ?? [] })
            try journal.begin()
            log.write(
                .info, "revocations-read", "ended sessions read from session.revocations",
                [("path", .text(path)), ("records", .number(contents?.records.count ?? 0))])
            return journal
        }
    }

    /// Says which file a failure is about.
    private static func named<Value>(
        _ path: String, _ body: () throws(RevocationFile.Failure) -> Value
    ) throws(RevocationFile.Failure) -> Value {
        do throws(RevocationFile.Failure) {
            return try body()
        } catch {
            throw .init("session.revocations: \(path): \(error.reason)")
        }
    }
}

package import Sessions
import TokenCrypto

/// What the file of revocations has to say to operators.
package enum RevocationReport: Sendable, Equatable {
    /// The last record was cut off by a crash.
    case torn(path: String, bytes: Int)
    case read(path: String, records: Int)
    case writeFailed(path: String, reason: String)
    case recovered(path: String)
}

package typealias RevocationReporter = @Sendable (RevocationReport) -> Void

/// The file of revocations that a configuration names, and what it takes to use it.
package struct RevocationStorage: Sendable {
    /// nil: no file is configured.
    let path: String?
    let sessionKeys: [[UInt8]]
    /// `session.keys` is set: a restart can read the file.
    let hasLastingKeys: Bool
    /// Unix milliseconds.
    let now: @Sendable () -> Int64
    let report: RevocationReporter

    package init(
        path: String?, sessionKeys: [[UInt8]], hasLastingKeys: Bool, now: @escaping @Sendable () -> Int64,
        report: @escaping RevocationReporter
    ) {
        self.path = path
        self.sessionKeys = sessionKeys
        self.hasLastingKeys = hasLastingKeys
        self.now = now
        self.report = report
    }

    private var ring: SealingKeyRing { RevocationFileFormat.ring(sessionKeys) }

    /// A configuration's change to the file of revocations, opened and checked; `use` applies it.
    package struct JournalChange: Sendable {
        fileprivate enum Kind: Sendable {
            case keep(newKeys: Bool)
            case replace(RevocationJournal?)
        }
        fileprivate let kind: Kind
    }

    /// The sessions of a process that starts: with what the file of revocations holds. Blocks.
    package func start() throws(RevocationFile.Failure) -> SharedSessions {
        guard let path else { return SharedSessions() }
        let file = try opened(path)
        let contents = try Self.named(path) { () throws(RevocationFile.Failure) in try file.read(ring) }
        let sessions = SharedSessions(digester: contents?.digester ?? RevocationDigester())
        sessions.setJournal(try begin(file, contents, sessions))
        return sessions
    }

    /// Opens the file that the next configuration names. Throws for one that cannot be used; nothing is changed then. Blocks.
    package func prepare(_ sessions: SharedSessions, after earlierKeys: [[UInt8]]) throws(RevocationFile.Failure) -> JournalChange {
        if path == sessions.journal?.path { return JournalChange(kind: .keep(newKeys: sessionKeys != earlierKeys)) }
        guard let path else { return JournalChange(kind: .replace(nil)) }
        let file = try opened(path)
        let contents = try Self.named(path) { () throws(RevocationFile.Failure) in
            let contents = try file.read(ring)
            guard contents.map({ $0.digester == sessions.digester }) ?? true else {
                throw .init(
                    "it was written by another process, perhaps an earlier one of this gateway: a restart reads it, a reload cannot")
            }
            return contents
        }
        return JournalChange(kind: .replace(try begin(file, contents, sessions)))
    }

    package func use(_ change: JournalChange, in sessions: SharedSessions) async {
        switch change.kind {
        case .keep(let newKeys): (sessions.journal as? RevocationJournal)?.adopt(newKeys ? ring : nil, report: report)
        case .replace(let next):
            let earlier = sessions.journal
            sessions.setJournal(next)
            // What ended since it was opened.
            next?.adopt(ring, report: report)
            await earlier?.close()
        }
    }

    private func opened(_ path: String) throws(RevocationFile.Failure) -> RevocationFile {
        try Self.named(path) { () throws(RevocationFile.Failure) in
            guard hasLastingKeys else {
                throw .init("session.keys is not set, so the file could not be read after a restart; set session.keys")
            }
            return try RevocationFile(path: path)
        }
    }

    private func begin(
        _ file: RevocationFile, _ contents: RevocationFileFormat.Contents?, _ sessions: SharedSessions
    ) throws(RevocationFile.Failure) -> RevocationJournal {
        let path = file.path
        return try Self.named(path) { () throws(RevocationFile.Failure) in
            if let contents {
                guard sessions.restore(contents.records, now: now()) else { throw .init("it holds more than fits into memory") }
                if contents.tornBytes > 0 { report(.torn(path: path, bytes: contents.tornBytes)) }
            }
            let journal = RevocationJournal(
                file, digester: sessions.digester, ring: ring, now: now, report: report,
                memory: { [weak sessions, now] in sessions?.records(now: now()) ?? [] })
            try journal.begin()
            report(.read(path: path, records: contents?.records.count ?? 0))
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

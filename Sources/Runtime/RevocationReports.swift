import Config
import Logging
import Stores
import Telemetry

extension Snapshot {
    /// The file of revocations of this configuration, which reports to `log`.
    func revocationStorage(_ log: EventLog) -> RevocationStorage {
        RevocationStorage(
            path: configuration.session.revocations, sessionKeys: sessionKeys, hasLastingKeys: !configuration.session.keys.isEmpty,
            now: wallClock, report: { log.write($0) })
    }
}

extension EventLog {
    fileprivate func write(_ report: RevocationReport) {
        switch report {
        case .torn(let path, let bytes):
            write(
                .warning, "revocations-torn",
                "the last record of session.revocations was incomplete and was dropped; the sign-out it belongs to had not been confirmed",
                [("path", .text(path)), ("bytes", .number(bytes))])
        case .read(let path, let records):
            write(
                .info, "revocations-read", "ended sessions read from session.revocations",
                [("path", .text(path)), ("records", .number(records))])
        case .writeFailed(let path, let reason):
            write(
                .error, "revocations-write-failed",
                "cannot write session.revocations; sign-outs return 503 until it is writable, ended sessions stay ended in this process",
                [("path", .text(path)), ("reason", .text(reason))])
        case .recovered(let path):
            write(.notice, "revocations-write-recovered", "session.revocations can be written again", [("path", .text(path))])
        }
    }
}

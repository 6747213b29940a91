import Config
import Decisions
import Glibc
import Logging
import NIOCore

/// An event of the audit stream. The raw value is the record's stable name.
enum AuditEvent: String, Sendable, CaseIterable {
    case loginStart = "login.start"
    case loginSuccess = "login.success"
    case loginFailure = "login.failure"
    case logout
    case logoutFailed = "logout.failed"
    case logoutByProvider = "logout.by_provider"
    case logoutRefused = "logout.refused"
    case tokenRefused = "token.refused"
    case crossSiteRequest = "request.cross_site"
    case certificateReload = "certificate.reload"
    case certificateReloadFailed = "certificate.reload_failed"
    case sessionRefresh = "session.refresh"
    case sessionRefreshRefused = "session.refresh_refused"
    case sessionRefused = "session.refused"
    case sessionsListed = "session.list"
    case sessionEnded = "session.revoke"
    case otherSessionsEnded = "session.revoke_others"
    case userSessionsEnded = "session.revoke_user"
    case allSessionsEnded = "session.revoke_all"
    case adminRefused = "session.admin_refused"
    case accessDenied = "authz.deny"
    case headerSpoofed = "header.spoof_attempt"
    case accountCreated = "account.create"
    case accountDeleted = "account.delete"
    case accountDisabled = "account.disable"
    case accountEnabled = "account.enable"
    case sessionsRevoked = "account.revoke"
    case accountTakenOver = "account.take_over"
    case accountMerged = "account.merge"
    case accountRefused = "account.refused"
    case providerLinked = "account.link"
    case providerUnlinked = "account.unlink"
    case linkRefused = "account.link_refused"
    case passwordChanged = "account.password"
    case emailChanged = "account.email"
    case emailVerified = "account.email_verified"
    case mailLost = "account.mail_lost"
    case messageLost = "account.message_lost"
    case factorAdded = "account.factor_added"
    case factorRemoved = "account.factor_removed"
    case factorsReset = "account.factors_reset"
    case factorRefused = "account.factor_refused"
    case factorUsed = "login.second_factor"
    case passkeyUsed = "login.passkey"
    case reload = "config.reload"
    case reloadFailed = "config.reload_failed"
    case logFailed = "log.failed"
    case logRecovered = "log.recovered"
    case start = "gateway.start"
    case stop = "gateway.stop"

    /// By the log's name of the same thing. Events of a kind that comes later are added here and nowhere else.
    static let byEvent: [String: AuditEvent] = [
        "login-started": .loginStart, "signed-in": .loginSuccess, "login-failed": .loginFailure, "signed-out": .logout,
        "sign-out-failed": .logoutFailed,
        "refreshed": .sessionRefresh, "refresh-refused": .sessionRefreshRefused, "refresh-failed": .sessionRefreshRefused,
        "session-refused": .sessionRefused, "sessions-listed": .sessionsListed, "session-ended": .sessionEnded,
        "other-sessions-ended": .otherSessionsEnded, "user-sessions-ended": .userSessionsEnded, "all-sessions-ended": .allSessionsEnded,
        "admin-request-refused": .adminRefused, "access-denied": .accessDenied, "identity-header-stripped": .headerSpoofed,
        "signed-out-by-provider": .logoutByProvider, "logout-token-refused": .logoutRefused, "token-refused": .tokenRefused,
        "cross-site-request": .crossSiteRequest, "certificates-reloaded": .certificateReload,
        "certificates-not-reloaded": .certificateReloadFailed, "reloaded": .reload, "reload-failed": .reloadFailed, "ready": .start,
        "account-created": .accountCreated, "account-deleted": .accountDeleted, "account-taken-over": .accountTakenOver,
        "account-disabled": .accountDisabled, "account-enabled": .accountEnabled, "sessions-revoked": .sessionsRevoked,
        "accounts-merged": .accountMerged, "account-refused": .accountRefused, "provider-linked": .providerLinked,
        "provider-unlinked": .providerUnlinked, "link-refused": .linkRefused, "password-changed": .passwordChanged,
        "second-factor-added": .factorAdded, "second-factor-removed": .factorRemoved, "second-factors-reset": .factorsReset,
        "second-factor-refused": .factorRefused, "second-factor-used": .factorUsed, "passkey-used": .passkeyUsed,
        "email-changed": .emailChanged, "email-verified": .emailVerified, "mail-failed": .mailLost, "mail-limited": .mailLost,
        "message-failed": .messageLost, "message-limited": .messageLost,
        "stopped": .stop, "log-write-failed": .logFailed, "log-write-recovered": .logRecovered,
    ]

    var isFailure: Bool {
        switch self {
        case .loginFailure, .sessionRefreshRefused, .sessionRefused, .accessDenied, .headerSpoofed, .reloadFailed, .logoutRefused,
            .logoutFailed, .tokenRefused, .crossSiteRequest, .certificateReloadFailed, .logFailed, .accountRefused, .linkRefused,
            .factorRefused, .adminRefused, .mailLost, .messageLost:
            true
        case .loginStart, .loginSuccess, .logout, .logoutByProvider, .sessionRefresh, .reload, .certificateReload, .logRecovered, .start,
            .stop, .accountCreated, .accountDeleted, .accountTakenOver, .accountMerged, .providerLinked, .providerUnlinked,
            .accountDisabled, .accountEnabled, .sessionsRevoked, .passwordChanged, .emailChanged, .emailVerified, .factorAdded,
            .sessionsListed, .sessionEnded, .otherSessionsEnded, .userSessionsEnded, .allSessionsEnded, .factorRemoved, .factorsReset,
            .factorUsed, .passkeyUsed:
            false
        }
    }
}

/// One record, before it is written in a format.
struct AuditRecord: Sendable {
    var event: AuditEvent
    var level: Logger.Level
    var message: String
    var fields: [(String, EventLog.Value)]
    var context: EventContext?

    init(
        _ event: AuditEvent, level: Logger.Level, message: String, fields: [(String, EventLog.Value)], context: EventContext?
    ) {
        self.event = event
        self.level = level
        self.message = message
        // A report of many lines is the log's.
        self.fields = fields.filter { $0.0 != "report" }
        self.context = context
    }

    func text(_ name: String) -> String? {
        if case .text(let text)? = fields.first(where: { $0.0 == name })?.1, !text.isEmpty { text } else { nil }
    }
}

/// The audit stream: who signed in, who was refused, what was changed. One JSON object a line, never a secret.
final class AuditLog: Sendable {
    let writer: LogWriter
    private let format: AuditConfiguration.Format
    private let version: String

    init(writer: LogWriter, format: AuditConfiguration.Format, version: String) {
        self.writer = writer
        self.format = format
        self.version = version
    }

    func write(_ record: AuditRecord) { writer.write(Self.line(record, format, version: version), of: .audit) }

    private static func line(_ record: AuditRecord, _ format: AuditConfiguration.Format, version: String) -> [UInt8] {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        switch format {
        case .json: return json(record, timestamp: Timestamp.now()).bytes
        case .ocsf: return ocsf(record, milliseconds: time.tv_sec * 1_000 + time.tv_nsec / 1_000_000, version: version).bytes
        }
    }

    /// A stream that fails is tried again with the record of its failure, which ends up in it before anything else.
    func probeFailures() {
        writer.setProbe { [format, version] failure in
            let seconds = (NIODeadline.now() - failure.since).nanoseconds / 1_000_000_000
            return Self.line(
                AuditRecord(
                    .logFailed, level: .error, message: "audit records were lost: they could not be written",
                    fields: [("reason", .text(failure.reason)), ("seconds", .number(Int(clamping: seconds)))], context: nil),
                format, version: version)
        }
    }

    static func json(_ record: AuditRecord, timestamp: String) -> JSONLine {
        var line = JSONLine()
        line.add("time", .text(timestamp))
        line.add("event", .text(record.event.rawValue))
        line.add("outcome", .text(record.event.isFailure ? "failure" : "success"))
        line.add("message", .text(record.message))
        for (name, value) in record.fields { line.add(name, value, limit: LogLimit.field) }
        if let context = record.context {
            if record.text("request_id") == nil { line.add("request_id", .text(context.requestID)) }
            line.add("client", .text(context.client))
            line.add("method", .text(context.method), limit: LogLimit.method)
            line.add("host", .text(context.host), limit: LogLimit.host)
            line.add("path", .text(context.path), limit: LogLimit.path)
            if let agent = context.userAgent { line.add("user_agent", .text(agent), limit: LogLimit.userAgent) }
            if let trace = context.traceID { line.add("trace_id", .text(trace)) }
        }
        line.end()
        return line
    }

    // MARK: OCSF

    /// Open Cybersecurity Schema Framework 1.3: Authentication (3002), Authorize Session (3003) where a rule decides, API Activity
    /// (6003) for what the process itself does.
    static func ocsf(_ record: AuditRecord, milliseconds: Int, version: String) -> JSONLine {
        let kind = OCSFClass(record.event)
        var line = JSONLine()
        line.add("time", .number(milliseconds))
        line.add("category_uid", .number(kind.category))
        line.add("class_uid", .number(kind.uid))
        line.add("activity_id", .number(kind.activity))
        line.add("type_uid", .number(kind.uid * 100 + kind.activity))
        line.add("severity_id", .number(record.event.isFailure ? 3 : 1))
        line.add("status_id", .number(record.event.isFailure ? 2 : 1))
        line.add("message", .text(record.message))
        if let detail = record.text("code") ?? record.text("reason") { line.add("status_detail", .text(detail)) }
        line.object("metadata") { metadata in
            metadata.add("version", .text("1.3.0"))
            metadata.add("event_code", .text(record.event.rawValue))
            if let id = record.text("request_id") ?? record.context?.requestID { metadata.add("correlation_uid", .text(id)) }
            metadata.object("product") { product in
                product.add("name", .text("gateway"))
                product.add("vendor_name", .text("gateway"))
                product.add("version", .text(version))
            }
        }
        line.object("user") { user in
            if let uid = record.text("uid") { user.add("uid", .text(uid)) } else { user.add("name", .text("unknown")) }
            if let provider = record.text("provider") { user.object("domain_info") { $0.add("name", .text(provider)) } }
        }
        line.object("service") { $0.add("name", .text(record.text("provider") ?? "gateway")) }
        if let context = record.context {
            line.object("src_endpoint") { $0.add("ip", .text(context.client)) }
            line.object("http_request") { request in
                request.add("http_method", .text(context.method), limit: LogLimit.method)
                request.add("uid", .text(context.requestID))
                if let agent = context.userAgent { request.add("user_agent", .text(agent), limit: LogLimit.userAgent) }
                request.object("url") { url in
                    url.add("hostname", .text(context.host), limit: LogLimit.host)
                    url.add("path", .text(context.path), limit: LogLimit.path)
                }
            }
        }
        line.object("unmapped") { unmapped in
            for (name, value) in record.fields { unmapped.add(name, value, limit: LogLimit.field) }
        }
        line.end()
        return line
    }

    private struct OCSFClass {
        var category: Int
        var uid: Int
        var activity: Int

        init(_ event: AuditEvent) {
            switch event {
            case .loginStart, .sessionRefresh, .sessionRefreshRefused, .sessionRefused, .logoutRefused, .tokenRefused, .passkeyUsed:
                (category, uid, activity) = (3, 3002, 99)
            case .loginSuccess, .loginFailure: (category, uid, activity) = (3, 3002, 1)
            case .logout, .logoutFailed, .logoutByProvider, .sessionEnded, .otherSessionsEnded, .userSessionsEnded, .allSessionsEnded:
                (category, uid, activity) = (3, 3002, 2)
            // Account Change: create, delete, password change and reset, attach and detach of a policy, else.
            case .accountCreated: (category, uid, activity) = (3, 3001, 1)
            case .accountDeleted: (category, uid, activity) = (3, 3001, 6)
            case .passwordChanged: (category, uid, activity) = (3, 3001, 3)
            case .accountEnabled: (category, uid, activity) = (3, 3001, 2)
            case .accountDisabled: (category, uid, activity) = (3, 3001, 5)
            case .sessionsRevoked, .accountTakenOver, .accountMerged, .accountRefused, .providerLinked, .providerUnlinked, .linkRefused,
                .emailChanged,
                .emailVerified, .mailLost, .messageLost, .factorAdded, .factorRemoved, .factorsReset, .factorRefused, .factorUsed:
                (category, uid, activity) = (3, 3001, 99)
            case .accessDenied, .headerSpoofed, .crossSiteRequest: (category, uid, activity) = (3, 3003, 99)
            case .sessionsListed, .adminRefused, .reload, .reloadFailed, .certificateReload, .certificateReloadFailed, .logFailed,
                .logRecovered, .start, .stop:
                (category, uid, activity) = (6, 6003, 99)
            }
        }
    }
}

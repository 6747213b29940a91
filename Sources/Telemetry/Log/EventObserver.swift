import Logging
import NIOConcurrencyHelpers

/// Hears every event that is of interest beyond the log, whatever level is logged: the counters and the audit stream are views
/// of the same events that the log shows.
package final class EventObserver: Sendable {
    let counters: EventCounters
    private let auditBox = NIOLockedValueBox<AuditLog?>(nil)

    init(counters: EventCounters) { self.counters = counters }

    var audit: AuditLog? { auditBox.withLockedValue { $0 } }
    func setAudit(_ audit: AuditLog?) { auditBox.withLockedValue { $0 = audit } }

    func observes(_ event: String) -> Bool { AuditEvent.byEvent[event] != nil || Self.counted.contains(event) }

    private static let counted: Set<String> = accountEvents.union(mails.keys).union(messages.keys).union(["session-refused"])

    /// The values of the label `event`, which are the log's names.
    private static let accountEvents: Set<String> = [
        "account-created", "account-deleted", "account-taken-over", "accounts-merged", "account-refused", "provider-linked",
        "provider-unlinked", "link-refused", "password-changed", "email-changed", "email-verified", "hook-failed",
        "account-store-unavailable",
    ]

    private static let mails = ["mail-sent": "sent", "mail-delayed": "delayed", "mail-failed": "failed", "mail-limited": "limited"]

    private static let messages = ["message-sent": "sent", "message-failed": "failed", "message-limited": "limited"]

    func receive(_ event: String, _ level: Logger.Level, _ message: String, _ fields: [(String, EventLog.Value)]) {
        count(event, fields)
        if let audit, let kind = AuditEvent.byEvent[event] {
            audit.write(AuditRecord(kind, level: level, message: message, fields: fields, context: EventContext.current))
        }
    }

    private func count(_ event: String, _ fields: [(String, EventLog.Value)]) {
        func text(_ name: String) -> String {
            if case .text(let text)? = fields.first(where: { $0.0 == name })?.1 { text } else { "" }
        }
        switch event {
        case "login-started": counters.add(.loginsStarted, text("provider"))
        case "signed-in":
            counters.add(.logins, text("provider"), "success", "")
            counters.add(.sessionsCreated, text("provider"))
        case "login-failed":
            counters.add(.logins, text("provider"), "failure", text("code"))
            counters.add(.callbackErrors, text("provider"), text("code"))
            if text("credential") == "passkey" { counters.add(.passkeys, "failure", text("code")) }
        case "passkey-used": counters.add(.passkeys, "success", "")
        case "refreshed": counters.add(.refreshes, text("provider"), "success")
        case "refresh-refused":
            counters.add(.refreshes, text("provider"), "refused")
            counters.add(.sessionsRevoked, "refresh")
        case "refresh-failed": counters.add(.refreshes, text("provider"), "failure")
        case "signed-out": counters.add(.sessionsRevoked, "logout")
        case "signed-out-by-provider": counters.add(.sessionsRevoked, "provider")
        case "token-refused": counters.add(.tokensRefused)
        case "session-refused": counters.add(.sessionsRefused, text("reason"))
        case _ where Self.accountEvents.contains(event): counters.add(.accountEvents, event)
        default:
            if let outcome = Self.mails[event] { counters.add(.mails, outcome) }
            if let outcome = Self.messages[event] { counters.add(.messages, outcome) }
        }
    }
}

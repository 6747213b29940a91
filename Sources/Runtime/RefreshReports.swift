import Accounts
import Logging
import Sessions
import Telemetry

/// What the log says about sessions that are refreshed.
extension EventLog {
    /// The request that caused the refresh is the task's.
    var reportRefresh: SessionRefresher.Report {
        { event, session in
            switch event {
            case .refreshed: self.write(.info, "refreshed", "session refreshed", Self.fields(of: session))
            case .putOff(let reason):
                self.write(
                    .warning, "refresh-failed", "cannot refresh a session; it continues, and the gateway retries",
                    Self.fields(of: session, reason))
            case .ended(let end): self.write(end.level, "refresh-refused", end.message, Self.fields(of: session, end.reason))
            }
        }
    }

    private static func fields(of session: Session, _ reason: String? = nil) -> [(String, EventLog.Value)] {
        var fields: [(String, EventLog.Value)] = [
            ("provider", .text(session.identity.provider)), ("uid", .text(session.uid)),
        ]
        if let reason { fields.append(("reason", .text(reason))) }
        if let context = EventContext.current { fields.append(("request_id", .text(context.requestID))) }
        return fields
    }
}

extension RefreshEnd {
    /// A provider that refuses is normal; an answer that fails a check is not.
    fileprivate var level: Logger.Level {
        switch self {
        case .providerRemoved, .invalidGrant: .notice
        case .otherUser, .failedVerification: .warning
        }
    }

    fileprivate var message: String {
        switch self {
        case .providerRemoved: "session ended: its provider is no longer configured"
        case .otherUser: "session ended: the refreshed identity is another user's"
        case .invalidGrant: "session ended: the provider refused the refresh token"
        case .failedVerification: "session ended: the refreshed tokens failed verification"
        }
    }

    fileprivate var reason: String? {
        switch self {
        case .providerRemoved, .otherUser: nil
        case .invalidGrant(let reason), .failedVerification(let reason): reason
        }
    }
}

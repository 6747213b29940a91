import Accounts
import Decisions
import Logging
import Sessions
import Telemetry

/// What the log says about sessions.
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

    /// `previous`: the session that the browser had.
    func reportIssue(_ issued: IssuedSession, replacing previous: Session?, message: String, _ requestID: RequestID) {
        let session = issued.session
        let provider = session.identity.provider
        if issued.leftOutGroups > 0 {
            write(
                .warning, "groups-left-out",
                "a user has more groups than a session can hold; dropped those that no rule names; "
                    + "select groups with `groups.keep`",
                [
                    ("provider", .text(provider)), ("uid", .text(session.uid)), ("groups", .number(issued.groups)),
                    ("left_out", .number(issued.leftOutGroups)), ("request_id", .text(requestID.text)),
                ])
        }
        if let previous, let reason = issued.previousGoesOn {
            write(
                .error, "previous-session-not-ended", "the browser's earlier session was not ended: \(reason.words)",
                [("uid", .text(previous.uid)), ("request_id", .text(requestID.text))])
        }
        write(
            .info, "signed-in", message,
            [("provider", .text(provider)), ("uid", .text(session.uid)), ("request_id", .text(requestID.text))])
    }

    func reportIssueFailure(_ error: SessionIssueError, provider: String, _ requestID: RequestID) {
        let fields: [(String, EventLog.Value)] = [("provider", .text(provider)), ("request_id", .text(requestID.text))]
        switch error {
        case .tooLarge:
            write(
                .error, "session-too-large", "sign-in failed: the session is too large for cookies; limit groups with groups.keep", fields)
        case .store(let error): write(.error, "session-not-kept", "sign-in failed: \(error.words)", fields)
        }
    }
}

extension SessionStoreError {
    /// For messages and the log.
    var words: String {
        switch self {
        case .full: "the list of revocations is full"
        case .notKept: "session.revocations cannot be written"
        case .unavailable(let reason): "the session store does not respond: \(reason)"
        }
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

import Accounts
import Decisions
import Logging
import Sessions
import Telemetry

/// What the log says about sessions that begin.
extension EventLog {
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
        case .ended: write(.notice, "session-not-kept", "the session has ended meanwhile: it does not go on", fields)
        case .store(let error): write(.error, "session-not-kept", "sign-in failed: \(error.words)", fields)
        }
    }
}

/// Whether a request without an answer is sent once more. Pure.
///
/// Only what cannot have had an effect is repeated: nothing of the request was sent, or the upstream says that it did nothing
/// with it (RFC 9113 section 8.7), or the method is idempotent and the body, if there is one, has been kept (RFC 9110 section 9.2.2).
/// Never after a byte of a response, and on one other target at most.
struct RetryPolicy {
    /// The progress of a request when it failed.
    enum Progress {
        /// No connection could be opened: nothing was sent.
        case opening
        /// The upstream says that it has not looked at the request: REFUSED_STREAM, or GOAWAY before it.
        case unprocessed
        /// Sent on a connection that had been kept, which closed before any byte of an answer.
        case keptConnectionClosed
        /// Sent on a new connection, which closed before any byte of an answer.
        case newConnectionClosed
        /// The answer was late, or was none.
        case answered
    }

    enum Decision: Equatable {
        case report
        /// On a new connection to the same target.
        case again
        case otherTarget
    }

    /// The attempts made for this request.
    struct Attempts {
        var hasRepeated = false
        var hasMovedOn = false
    }

    /// - Parameters:
    ///   - isRepeatable: the method is idempotent, and there is no body or what was sent of it has been kept.
    ///   - hasBodyBegun: the body has been asked for from the client, so it cannot be sent from its start.
    static func decide(
        _ progress: Progress, isRepeatable: Bool, hasBodyBegun: Bool, hasOtherTarget: Bool, _ attempts: Attempts
    ) -> Decision {
        let other: Decision = hasOtherTarget && !attempts.hasMovedOn ? .otherTarget : .report
        switch progress {
        case .opening:
            return hasBodyBegun ? .report : other
        case .unprocessed:
            guard !hasBodyBegun || isRepeatable else { return .report }
            return attempts.hasRepeated ? other : .again
        case .keptConnectionClosed:
            guard isRepeatable else { return .report }
            return attempts.hasRepeated ? other : .again
        case .newConnectionClosed:
            return isRepeatable ? other : .report
        case .answered:
            return .report
        }
    }
}

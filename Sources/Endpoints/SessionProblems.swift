package import Decisions
package import Sessions

extension SessionStoreError {
    /// For messages and the log.
    package var words: String {
        switch self {
        case .full: "the list of revocations is full"
        case .notKept: "session.revocations cannot be written"
        case .unavailable(let reason): "the session store does not respond: \(reason)"
        case .unsupported: "session.store does not keep sessions"
        }
    }
}

extension SessionService {
    /// The reason why a token has ended; nil while it has not, and where the session store does not respond: a token is good on its own.
    package func problem(of token: String, presenting session: Session, now: Int64) async -> BearerProblem? {
        do throws(SessionStoreError) {
            switch try await endOfToken(token, presenting: session, now: now) {
            case .none: return nil
            case .session, .ask: return .invalidToken("its session has ended")
            case .shared: return .invalidToken("the session of its sign-in has ended, here or at the provider")
            }
        } catch {
            return nil
        }
    }
}

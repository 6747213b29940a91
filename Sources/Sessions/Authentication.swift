/// The result of authenticating a request, as a value: never thrown.
package enum Authentication: Sendable, Equatable {
    /// No session was presented.
    case anonymous
    /// A session that opens, is within its limits and was not revoked.
    ///
    /// Indirect, because it passes through several functions that wait, and a session is large.
    indirect case session(Session)
    /// A session was presented that does not count. Answered like `.anonymous`; the reason is for the log and for metrics.
    case invalid(Refusal)

    /// A session was presented that counted once and has ended.
    package var hasEnded: Bool {
        if case .invalid(let refusal) = self { refusal.isEnd } else { false }
    }

    /// The reason why a presented session is refused: few values, safe as a metric's label.
    package enum Refusal: String, Sendable, CaseIterable {
        /// A cookie of ours came twice.
        case duplicateCookie = "duplicate-cookie"
        /// A piece of the cookie is missing, or one is there that we never write.
        case cookiePieces = "cookie-pieces"
        case cookieTooLarge = "cookie-too-large"
        /// The cookie cannot be opened: another key, changed, truncated or foreign. The cause is not reported.
        case seal
        case idleLimit = "idle-limit"
        case absoluteLimit = "absolute-limit"
        /// Issued or seen later than our clock and its tolerance allow.
        case fromTheFuture = "from-the-future"
        case revoked
        /// The provider refused to refresh it.
        case refreshRefused = "refresh-refused"
        /// Its provider is not configured any more, or disabled.
        case unknownProvider = "unknown-provider"
        /// Its provider is configured with another issuer now.
        case issuerChanged = "issuer-changed"
        /// The session store does not answer.
        case storeUnavailable = "store-unavailable"

        /// It was a session once and has ended; else nothing proves that there ever was one.
        package var isEnd: Bool {
            switch self {
            case .idleLimit, .absoluteLimit, .revoked, .refreshRefused, .unknownProvider, .issuerChanged: true
            case .duplicateCookie, .cookiePieces, .cookieTooLarge, .seal, .fromTheFuture, .storeUnavailable: false
            }
        }
    }
}

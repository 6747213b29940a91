import Decisions
import Endpoints
import Sessions

/// The token that opened a tunnel or event stream, and until when it counts. Pure.
///
/// It counts until its own end, and never longer than a session may live. One that the provider was asked about is asked about again whenever
/// the answer is no longer remembered: the provider may have revoked it. An answer that does not come ends the stream after a while, because
/// a provider that restarts must not close every WebSocket.
struct StreamToken {
    enum Step: Equatable {
        case none
        case verify
        case end(reason: String)
    }

    /// The time the provider may be unavailable after its last response has expired.
    static let grace: Int64 = 300_000
    /// Between two attempts while it is.
    static let retryInterval: Int64 = 10_000

    /// nil: the request's token is not known any more, so the stream ends.
    let presented: PresentedToken?
    /// The client that sent it.
    let client: ClientShare
    private let openedAt: Int64
    private var expiresAt: Int64
    /// nil: verified without asking the provider.
    private var introspectedUntil: Int64?
    private var nextAttempt: Int64 = 0
    private var isBeingVerified = false

    /// Times are Unix milliseconds. `expiresAt`: the token's own end, `.max` without one.
    init(_ presented: PresentedToken?, client: ClientShare, expiresAt: Int64, introspectedUntil: Int64?, now: Int64) {
        self.presented = presented
        self.client = client
        self.expiresAt = expiresAt
        self.introspectedUntil = introspectedUntil
        openedAt = now
    }

    private func absoluteEnd(_ limits: SessionLimits) -> Int64 { openedAt + limits.absolute }

    /// The next time at which `step` may return something other than `none`.
    func nextCheck(_ limits: SessionLimits) -> Int64 {
        let end = min(expiresAt, absoluteEnd(limits))
        guard let introspectedUntil, !isBeingVerified else { return end }
        return min(end, max(introspectedUntil, nextAttempt))
    }

    func step(_ limits: SessionLimits, now: Int64) -> Step {
        if presented == nil { return .end(reason: "token-unverified") }
        if now >= expiresAt { return .end(reason: "token-expired") }
        if now >= absoluteEnd(limits) { return .end(reason: Authentication.Refusal.absoluteLimit.rawValue) }
        guard let introspectedUntil, !isBeingVerified, now >= max(introspectedUntil, nextAttempt) else { return .none }
        return now - introspectedUntil >= Self.grace ? .end(reason: "token-unverified") : .verify
    }

    mutating func beginVerification() { isBeingVerified = true }

    /// The provider accepts it still.
    mutating func verified(until: Int64, expiresAt: Int64) {
        isBeingVerified = false
        introspectedUntil = until
        self.expiresAt = expiresAt
    }

    /// The provider gave no answer.
    mutating func wasNotAnswered(now: Int64) {
        isBeingVerified = false
        nextAttempt = now + Self.retryInterval
    }
}

import Decisions
import HTTPWire
import TokenCrypto

/// The token of the admin interface (`admin.token`).
struct AdminToken: Sendable {
    /// Digests of equal length, so that the comparison takes the same time for every token.
    private let digest: [UInt8]

    /// nil for an empty token: every request without one would match it.
    init?(_ token: String) {
        guard !token.isEmpty else { return nil }
        digest = SHA2.sha256(Array(token.utf8))
    }

    /// Whether a request has it in `Authorization`.
    func admits(_ head: RequestHead) -> Bool {
        guard let presented = head.bearerText, !presented.isEmpty else { return false }
        return constantTimeEqual(SHA2.sha256(Array(presented.utf8)), digest)
    }
}

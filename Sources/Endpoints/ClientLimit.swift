import Accounts
import Primitives

/// The limits of what one client's network may attempt in `AttemptLimit.window`. The raw values are the scopes in the store.
///
/// Each counts an IPv4 address, or the /64 of an IPv6 address and the /48 around it: a customer can have all 65,536 networks of a /48.
/// There is no other way to count a client, so no limit leaves out the /48.
enum ClientLimit: String, CaseIterable {
    case wrongPasswords = "password-client"
    case refusedPasskeys = "passkey-client"
    case signUps = "sign-up-client"
    case passwordResets = "reset-client"
    case anonymousSignIns = "anonymous-client"
    case mails = "mail-client"
    /// Mails that announce a change.
    case announcements = "announcement-client"

    /// For an IPv4 address or an IPv6 /64.
    var number: Int {
        switch self {
        case .wrongPasswords, .refusedPasskeys: 20
        case .signUps, .passwordResets, .anonymousSignIns, .mails, .announcements: 100
        }
    }

    /// An IPv6 /48 has so many times the number of one /64.
    static let timesForSite = 4

    /// What is counted for a client, with its limits. `share`: `ClientShare.key`.
    func counts(_ share: String, key: [UInt8]) -> [(key: AttemptKey, limit: Int)] {
        let own = (AttemptKey(scope: rawValue, subject: share, key: key), number)
        guard let site = ClientShare.site(of: share) else { return [own] }
        return [own, (AttemptKey(scope: rawValue + "-site", subject: site, key: key), number * Self.timesForSite)]
    }
}

/// An attempt of a client that was counted.
struct CountedClientAttempt: Sendable {
    fileprivate let counted: [CountedAttempt]
}

extension AccountService {
    /// Counts an attempt of a client before it is made. Throws `too-many-requests` beyond a limit, and then counts nothing.
    func attempt(
        _ limit: ClientLimit, from share: String, key: [UInt8], now: Int64
    ) async throws(AccountError) -> CountedClientAttempt {
        var counted: [CountedAttempt] = []
        for count in limit.counts(share, key: key) {
            do throws(AccountError) {
                counted.append(try await attempt(count.key, limit: count.limit, window: AttemptLimit.window, now: now))
            } catch {
                for attempt in counted { try? await withdraw(attempt, now: now) }
                throw error
            }
        }
        return CountedClientAttempt(counted: counted)
    }

    /// Takes back an attempt that was right.
    func withdraw(_ attempt: CountedClientAttempt, now: Int64) async throws(AccountError) {
        for counted in attempt.counted { try await withdraw(counted, now: now) }
    }
}

extension AccountSignIn {
    /// Counts an attempt of this client.
    func attempt(_ limit: ClientLimit, from share: String, now: Int64) async throws(AccountError) -> CountedClientAttempt {
        try await accounts.service.attempt(limit, from: share, key: accounts.attemptKey, now: now)
    }
}

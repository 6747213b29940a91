import Accounts
import Backchannel
import Decisions
import Endpoints
import Providers
import Sessions
import SignIn
import Telemetry

/// Verifies the tokens that requests bring, for all event loops: each once at a time, remembered by its hash.
///
/// Good ones are remembered for five minutes, those that the provider was asked about for one, never past their end. What an introspection
/// endpoint refused is remembered for ten seconds, so that junk costs the provider little. Other refusals cost no call and are not
/// remembered.
package actor BearerTokens {
    enum Verdict: Sendable {
        case accepted(AcceptedToken)
        case refused(BearerRefusal, provider: String?)
        case unavailable(reason: String, provider: String)
    }

    /// A token is another one on a route with other providers.
    private struct Key: Hashable {
        let hash: [UInt8]
        let providers: [String]
    }

    private static let capacity = 16_384
    private static let longestMemory: Int64 = 300_000
    private static let introspectedMemory: Int64 = 60_000
    private static let refusedMemory: Int64 = 10_000

    private let clients: [String: ProviderClient]
    private let log: EventLog
    /// nil without an account store.
    private let accounts: AccountService?
    private var memory = BearerMemory<Key>(capacity: BearerTokens.capacity)
    private var running: [Key: Task<Verdict, Never>] = [:]

    init(clients: [String: ProviderClient], log: EventLog, accounts: AccountService?) {
        self.clients = clients
        self.accounts = accounts
        self.log = log
    }

    /// `providers`: whose tokens are taken, in the order in which they are asked about one that names no issuer. `client`: who sent it.
    func verify(_ token: PresentedToken, providers: [String], from client: ClientShare) async -> Verdict {
        let key = Key(hash: token.hash, providers: providers)
        if let verdict = memory.verdict(of: key, now: wallClock()) { return verdict }
        if let task = running[key] { return await task.value }
        let task = Task { await self.look(at: token, providers, from: client) }
        running[key] = task
        let verdict = await task.value
        running[key] = nil
        remember(verdict, key, mayHaveBeenIntrospected: mayBeIntrospected(token, providers))
        return verdict
    }

    /// The providers that may have issued the token, and as what each gets it.
    private func candidates(for token: PresentedToken, _ providers: [String]) -> [(client: ProviderClient, form: BearerShape.Form)] {
        providers.compactMap { clients[$0] }.filter { client in
            guard client.mayHaveIssued(token.shape.issuer) else { return false }
            // Who has no issuer proves its tokens by introspection alone.
            return client.settings.issuer != nil || client.settings.accessTokens?.introspects == true
        }
        // The gateway cannot read a token without an issuer: it is opaque.
        .map { (client: $0, form: $0.settings.issuer == nil ? .opaque : token.shape.form) }
    }

    private func mayBeIntrospected(_ token: PresentedToken, _ providers: [String]) -> Bool {
        candidates(for: token, providers).contains { $0.client.introspects($0.form) }
    }

    private func look(at token: PresentedToken, _ providers: [String], from client: ClientShare) async -> Verdict {
        let candidates = candidates(for: token, providers)
        // A token that one provider's keys verify waits for no introspection endpoint of another.
        let ordered = candidates.filter { !$0.client.introspects($0.form) } + candidates.filter { $0.client.introspects($0.form) }
        var verdict = Verdict.refused(token.shape.form == .opaque ? .opaque : .foreignIssuer, provider: nil)
        for candidate in ordered {
            verdict = await ask(candidate.client, token.text, candidate.form, from: client)
            if case .refused = verdict { continue }
            return verdict
        }
        return verdict
    }

    private func ask(_ provider: ProviderClient, _ token: String, _ form: BearerShape.Form, from client: ClientShare) async -> Verdict {
        let outcome = await provider.verifyBearer(token, form: form, for: client.key)
        let provider = provider.settings.id
        switch outcome {
        case .refused(let refusal): return .refused(refusal, provider: provider)
        case .unavailable(let reason): return .unavailable(reason: reason, provider: provider)
        case .verified(let identity, let bearer):
            let account: AccountOutcome
            do throws(AccountError) {
                account = try await accounts?.present(identity) ?? AccountOutcome(withoutStore: identity)
            } catch {
                return error.code == .storeUnavailable
                    ? .unavailable(reason: error.reason ?? "the account store does not respond", provider: provider)
                    : .refused(.account, provider: provider)
            }
            let session = Session.presented(
                for: account, authTime: bearer.token.authTime, issuedAt: bearer.issuedAt,
                providerSessionID: bearer.token.sessionID,
                isPossiblyOwn: bearer.kind == .idToken && SignInNonce.isPossiblyOwn(bearer.nonce))
            let isIntrospected = bearer.kind == .introspected
            let longest = isIntrospected ? Self.introspectedMemory : Self.longestMemory
            return .accepted(
                AcceptedToken(
                    session: session, provider: provider, nonce: bearer.nonce, isIDToken: bearer.kind == .idToken,
                    until: min(bearer.expiresAt, wallClock() + longest), expiresAt: bearer.expiresAt, isIntrospected: isIntrospected))
        }
    }

    private func remember(_ verdict: Verdict, _ key: Key, mayHaveBeenIntrospected: Bool) {
        let now = wallClock()
        let until: Int64
        switch verdict {
        case .accepted(let accepted): until = accepted.until
        case .refused where mayHaveBeenIntrospected: until = now + Self.refusedMemory
        case .refused, .unavailable: return
        }
        memory.insert(verdict, of: key, until: until)
    }
}

import Primitives

import Accounts
import Providers
package import Sessions
import TokenCrypto

/// Renews sessions at one provider. `IdentityProvider` does the input and output.
package struct RefreshFlow: Sendable {
    private let provider: any IdentityProvider
    private let now: @Sendable () -> Int64

    /// `now`: Unix milliseconds.
    package init(provider: any IdentityProvider, now: @escaping @Sendable () -> Int64) {
        self.provider = provider
        self.now = now
    }

    /// Renews a session's tokens and claims (RFC 6749 section 6, OpenID Connect Core 1.0 section 12). Call once at a time for a session.
    ///
    /// New tokens are never lost: once the provider has answered, a userinfo or key outage keeps the old claims.
    package func refresh(_ session: Session) async -> RefreshOutcome {
        guard let refreshToken = session.tokens.refreshToken else { return .outage(reason: "the session has no refresh token") }
        do throws(SignInError) {
            let connection = try await self.provider.connect()
            let proofKey = session.tokens.proofKey.flatMap(ProofKey.init(secret:))
            let answer = try await connection.post(
                [("grant_type", "refresh_token"), ("refresh_token", refreshToken)], to: connection.endpoints.token, proofKey: proofKey,
                calling: "the token endpoint")
            return await self.refreshed(session, answer: answer, proofKey, connection)
        } catch {
            return .outage(reason: error.reason)
        }
    }

    private func refreshed(
        _ session: Session, answer: ProviderAnswer, _ proofKey: ProofKey?, _ connection: any IdentityProviderConnection
    ) async -> RefreshOutcome {
        let settings = self.provider.settings
        let response: TokenResponse
        do {
            response = try TokenResponse(answer, kind: settings.kind, type: .init(proofKey, settings: settings))
        } catch {
            // GitHub's name for invalid_grant is bad_refresh_token.
            if case .error(let code) = error, ["invalid_grant", "bad_refresh_token"].contains(code) {
                return .invalidGrant(reason: "the token endpoint answered with \(code)")
            }
            return .outage(reason: error.signInError(provider: settings.id).reason)
        }
        var tokens = Session.Tokens(response, proofKey, now: self.now())
        // The refresh token may be bound although this access token is not (RFC 9449 section 5): the key stays with it.
        tokens.proofKey = session.tokens.proofKey
        // RFC 6749 section 6: without a new refresh token the old one stays. The old ID token stays as the logout's hint.
        tokens.refreshToken = response.refreshToken ?? session.tokens.refreshToken
        tokens.idToken = session.tokens.idToken
        let reader = IdentityReader(connection, AccessCredential(response, proofKey))
        do throws(SignInError) {
            guard let verifier = connection.verifier else {
                let identity = try await reader.apiIdentity().identity
                guard sameBytes(identity.subject, session.identity.subject) else {
                    return .failedVerification(reason: Self.otherSubject)
                }
                return .refreshed(tokens, identity)
            }
            return try await self.refreshedOpenID(session, response, tokens: &tokens, verifier, reader)
        } catch {
            switch error.code {
            case .invalidIDToken, .subjectMismatch, .accessDenied: return .failedVerification(reason: error.reason)
            default: return .refreshed(tokens, session.identity)
            }
        }
    }

    private func refreshedOpenID(
        _ session: Session, _ response: TokenResponse, tokens: inout Session.Tokens, _ verifier: IDTokenVerifier, _ reader: IdentityReader
    ) async throws(SignInError) -> RefreshOutcome {
        var token: VerifiedIDToken?
        if let compact = response.idToken {
            token = try await self.verifyRefreshed(compact, session, response, verifier, reader.connection)
            tokens.idToken = compact
        }
        let subject = token?.subject ?? session.identity.claims["sub"]?.string ?? session.identity.subject
        let userinfo = try await reader.userinfo(of: subject)
        var extras = IdentityMapper.Extras()
        if let token { extras = try await reader.extras(of: token) }
        var identity = try reader.mapped { (mapper) throws(IdentityMapper.Refusal) in
            if let token { return try mapper.identity(token, userinfo: userinfo, extras: extras).identity }
            guard let userinfo else { return session.identity }
            return try mapper.identity(renewing: session.identity, with: userinfo).identity
        }
        // A refresh is no sign-in: its level and its factors stay those of the sign-in.
        for claim in IdentityMapper.claimsOfSignIn { identity.claims = identity.claims.with(claim, session.identity.claims[claim]) }
        // The provider sends the name at the first sign-in only.
        if self.provider.settings.habits.sendsUserField { identity.name = identity.name ?? session.identity.name }
        guard sameBytes(identity.subject, session.identity.subject) else { return .failedVerification(reason: Self.otherSubject) }
        return .refreshed(tokens, identity)
    }

    private static let otherSubject = "the refreshed claims name another subject than the sign-in's"

    private func verifyRefreshed(
        _ compact: String, _ session: Session, _ response: TokenResponse, _ verifier: IDTokenVerifier,
        _ connection: any IdentityProviderConnection
    ) async throws(SignInError) -> VerifiedIDToken {
        let original = OriginalIDToken(session: session)
        let refreshed = try await connection.verify { (keys) throws(IDTokenRefusal) in
            try verifier.verifyRefreshed(compact, keys: keys, original: original, accessToken: response.accessToken, now: self.now())
        } refused: {
            SignInError(
                .invalidIDToken, provider: self.provider.settings.id, "the refreshed ID token failed verification: \($0.reason)")
        }
        if refreshed.hasOtherAuthTime { connection.report(.otherAuthTimeAtRefresh) }
        return refreshed.token
    }
}

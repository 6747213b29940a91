import Accounts
import Logging
import Providers
package import Sessions
import SignIn
import TokenCrypto

extension ProviderClient: SessionRenewer {
    /// Renews a session's tokens and claims (RFC 6749 section 6, OpenID Connect Core 1.0 section 12). Call once at a time for a session.
    ///
    /// New tokens are never lost: once the provider has answered, a userinfo or key outage keeps the old claims.
    /// The request that asked may go away meanwhile: the refresh ends all the same, for a provider that rotates has spent the old token.
    package func refresh(_ session: Session) async -> RefreshOutcome {
        await Task { await self.attemptRefresh(session) }.value
    }

    private func attemptRefresh(_ session: Session) async -> RefreshOutcome {
        guard let refreshToken = session.tokens.refreshToken else { return .outage(reason: "the session has no refresh token") }
        do throws(SignInError) {
            let connected = try await self.connected()
            let proofKey = session.tokens.proofKey.flatMap(ProofKey.init(secret:))
            let answer = try await self.post(
                to: connected.provider.token, [("grant_type", "refresh_token"), ("refresh_token", refreshToken)], connected: connected,
                proofKey: proofKey, calling: "the token endpoint")
            return await self.refreshed(session, answer: answer, proofKey, connected: connected)
        } catch {
            return .outage(reason: error.reason)
        }
    }

    private func refreshed(
        _ session: Session, answer: ProviderAnswer, _ proofKey: ProofKey?, connected: ConnectedProvider
    ) async -> RefreshOutcome {
        let response: TokenResponse
        do {
            response = try TokenResponse(answer, kind: self.settings.kind, type: self.typePolicy(proofKey))
        } catch {
            // GitHub's name for invalid_grant is bad_refresh_token.
            if case .error(let code) = error, ["invalid_grant", "bad_refresh_token"].contains(code) {
                return .invalidGrant(reason: "the token endpoint answered with \(code)")
            }
            return .outage(reason: error.signInError(provider: self.settings.id).reason)
        }
        var tokens = self.tokens(from: response, proofKey)
        // The refresh token may be bound although this access token is not (RFC 9449 section 5): the key stays with it.
        tokens.proofKey = session.tokens.proofKey
        let access = AccessCredential(response, proofKey)
        // RFC 6749 section 6: without a new refresh token the old one stays. The old ID token stays as the logout's hint.
        tokens.refreshToken = response.refreshToken ?? session.tokens.refreshToken
        tokens.idToken = session.tokens.idToken
        do throws(SignInError) {
            guard let verifier = connected.verifier else {
                let identity = try await self.apiIdentity(access, connected: connected)
                guard sameBytes(identity.subject, session.identity.subject) else {
                    return .failedVerification(reason: Self.otherSubject)
                }
                return .refreshed(tokens, identity)
            }
            return try await self.refreshedOpenID(session, response, access, tokens: &tokens, verifier: verifier, connected: connected)
        } catch {
            switch error.code {
            case .invalidIDToken, .subjectMismatch, .accessDenied: return .failedVerification(reason: error.reason)
            default: return .refreshed(tokens, session.identity)
            }
        }
    }

    private func refreshedOpenID(
        _ session: Session, _ response: TokenResponse, _ access: AccessCredential, tokens: inout Session.Tokens,
        verifier: IDTokenVerifier, connected: ConnectedProvider
    ) async throws(SignInError) -> RefreshOutcome {
        var token: VerifiedIDToken?
        if let compact = response.idToken {
            token = try await self.verifyRefreshed(compact, session, response, verifier: verifier, connected: connected)
            tokens.idToken = compact
        }
        let subject = token?.subject ?? session.identity.claims["sub"]?.string ?? session.identity.subject
        let userinfo = try await self.userinfo(of: subject, access, connected: connected)
        var extras = IdentityMapper.Extras()
        if let token { extras = try await self.extras(of: token, access, connected: connected) }
        var identity = try self.mapped { (mapper) throws(IdentityMapper.Refusal) in
            if let token { return try mapper.identity(token, userinfo: userinfo, extras: extras) }
            guard let userinfo else { return session.identity }
            return try mapper.identity(renewing: session.identity, with: userinfo)
        }
        // Told once, at the first sign-in.
        if self.settings.habits.sendsUserField { identity.name = identity.name ?? session.identity.name }
        guard sameBytes(identity.subject, session.identity.subject) else { return .failedVerification(reason: Self.otherSubject) }
        return .refreshed(tokens, identity)
    }

    private static let otherSubject = "the refreshed claims name another subject than the sign-in's"

    private func verifyRefreshed(
        _ compact: String, _ session: Session, _ response: TokenResponse, verifier: IDTokenVerifier, connected: ConnectedProvider
    ) async throws(SignInError) -> VerifiedIDToken {
        let original = OriginalIDToken(session: session)
        let refreshed = try await self.verify(connected) { (keys) throws(IDTokenRefusal) in
            try verifier.verifyRefreshed(compact, keys: keys, original: original, accessToken: response.accessToken, now: self.now())
        } refused: {
            SignInError(.invalidIDToken, provider: self.settings.id, "the refreshed ID token failed verification: \($0.reason)")
        }
        if refreshed.hasOtherAuthTime, self.connection.warnings.isFirst(.otherAuthTimeAtRefresh) {
            self.logger.warning(
                """
                The provider's refreshed ID tokens have another auth_time than those of the sign-in, which OpenID Connect Core 1.0 \
                section 12.2 forbids; sessions keep the time of the sign-in. This is reported once
                """, metadata: ["gw.provider": "\(self.settings.id)"])
        }
        return refreshed.token
    }
}

package import Accounts
import Providers
package import Sessions
import TokenCrypto

/// The redirect and cookies that start a sign-in.
package struct LoginStart: Sendable {
    package let url: String
    /// Values of `Set-Cookie`, one field each.
    package let setCookies: [String]
    /// The parameters that were dropped, for a metric and the log.
    package let dropped: DroppedParameters
}

/// A verified sign-in, from which a session is issued. Made only by `LoginFlow`.
package struct CompletedLogin: Sendable {
    package let verified: VerifiedIdentity
    package let tokens: Session.Tokens
    /// Unix milliseconds; nil: the provider does not say.
    package let authTime: Int64?
    package let providerSessionID: String?
    package let returnPath: String
    /// When the browser was sent to the provider, Unix milliseconds.
    package let startedAt: Int64
    package let purpose: LoginPurpose
    /// True if a rule asked for an authentication context class, which the sign-in has.
    package let isStepUp: Bool

    package var identity: ProviderIdentity { self.verified.identity }
}

/// The sign-ins at one provider: the redirect to it, and everything between its callback and a verified identity.
///
/// Each step takes the value that proves the step before it. `IdentityProvider` does the input and output.
package struct LoginFlow: Sendable {
    private let provider: any IdentityProvider
    private let transactions: LoginTransactions
    private let now: @Sendable () -> Int64

    /// `now`: Unix milliseconds.
    package init(provider: any IdentityProvider, transactions: LoginTransactions, now: @escaping @Sendable () -> Int64) {
        self.provider = provider
        self.transactions = transactions
        self.now = now
    }

    /// Begins a sign-in. `returnPath` is already safe to follow; `contextClasses`: the values of `acr` that a rule asks for; `requestParameters` are the fields of `/login`'s query
    /// besides `rd`, duplicates included; `existingCookieNames` are the browser's.
    package func begin(
        returnPath: String, requestParameters: [(name: String, value: String)] = [], selectsAccount: Bool = false,
        contextClasses: [String] = [], existingCookieNames: [String] = [], purpose: LoginPurpose = .signIn
    ) async throws(SignInError) -> LoginStart {
        let connection = try await self.provider.connect()
        let now = self.now()
        let settings = self.provider.settings
        let request = AuthorizationRequest(
            settings: settings, requested: requestParameters, selectsAccount: selectsAccount, isFresh: purpose.isReauthentication,
            contextClasses: settings.kind == .oidc ? contextClasses : [])
        let proofKey = connection.endpoints.usesDPoP ? ProofKey.generate() : nil
        let transaction = LoginTransaction(
            provider: settings.id, issuer: settings.issuer, usesNonce: settings.kind == .oidc && settings.nonce != .unsupported,
            returnPath: returnPath, redirectURI: settings.redirectURI,
            requestedACR: settings.kind == .oidc ? request.requestedACR : [], isStepUp: !contextClasses.isEmpty,
            // A provider that ignores `max_age=0` cannot be told from one that obeyed, unless it states `auth_time`: see `checkFreshness`.
            maxAge: settings.kind == .oidc && !purpose.isReauthentication ? request.maxAge : nil, proofKey: proofKey, purpose: purpose,
            now: now)
        return LoginStart(
            url: try await self.authorizationURL(request, transaction, proofKey, connection),
            setCookies: self.transactions.setCookieLines(
                for: transaction, existingNames: existingCookieNames, forFormPost: settings.responseMode == .formPost, now: now),
            dropped: request.dropped)
    }

    /// The URL of the authorization endpoint, with all parameters or with the reference of the pushed request.
    ///
    /// A request that is to be pushed never goes into the URL instead (RFC 9126 section 2.3).
    private func authorizationURL(
        _ request: AuthorizationRequest, _ transaction: LoginTransaction, _ proofKey: ProofKey?,
        _ connection: any IdentityProviderConnection
    ) async throws(SignInError) -> String {
        let settings = self.provider.settings
        let endpoint = connection.endpoints.authorization
        guard let push = connection.endpoints.pushedAuthorization else {
            return request.url(endpoint: endpoint, settings: settings, transaction: transaction)
        }
        let answer = try await connection.post(
            request.fields(settings: settings, transaction: transaction), to: push, proofKey: proofKey,
            calling: "the pushed authorization request endpoint")
        do {
            return AuthorizationRequest.url(endpoint: endpoint, pushed: try PushedAuthorization(answer), settings: settings)
        } catch {
            throw error.signInError(provider: settings.id)
        }
    }

    /// Finishes a sign-in. `cookies`: all of the browser's, duplicates included. The sign-in is spent whatever comes of it, unless
    /// the callback was not its answer.
    package func complete(
        _ callback: UnverifiedCallback, cookies: [(name: String, value: String)]
    ) async throws(SignInError) -> CompletedLogin {
        let connection = try await self.provider.connect()
        let state = try await CallbackVerifier(
            settings: self.provider.settings, issuerIsMandatory: connection.endpoints.promisesResponseIssuer,
            transactions: self.transactions
        ).verify(callback, cookies: cookies, now: self.now())
        do throws(SignInError) {
            let exchanged = try await self.exchange(state, connection)
            guard let verifier = connection.verifier else { return try await self.completeOAuth(exchanged, connection) }
            return try await self.completeOpenID(exchanged, verifier, userField: callback.user, connection)
        } catch {
            throw error.returning(to: state.transaction.returnPath)
        }
    }

    /// The provider's answer to the code.
    private struct Exchanged {
        let transaction: LoginTransaction
        let response: TokenResponse
        let access: AccessCredential
        let tokens: Session.Tokens
    }

    /// RFC 6749 section 4.1.3 with RFC 7636 section 4.5; never repeated without the verifier.
    private func exchange(
        _ state: VerifiedState, _ connection: any IdentityProviderConnection
    ) async throws(SignInError) -> Exchanged {
        let settings = self.provider.settings
        let proofKey = state.transaction.proofKey.flatMap(ProofKey.init(secret:))
        let answer = try await connection.post(
            [
                ("grant_type", "authorization_code"), ("code", state.code), ("redirect_uri", state.transaction.redirectURI),
                ("code_verifier", state.transaction.verifier),
            ], to: connection.endpoints.token, proofKey: proofKey, calling: "the token endpoint")
        do {
            let response = try TokenResponse(answer, kind: settings.kind, type: .init(proofKey, settings: settings))
            return Exchanged(
                transaction: state.transaction, response: response, access: AccessCredential(response, proofKey),
                tokens: Session.Tokens(response, proofKey, now: self.now()))
        } catch {
            throw error.signInError(provider: settings.id)
        }
    }

    /// OpenID Connect: the ID token names the user, and userinfo adds to its claims. `userField`: the callback's, unsigned.
    private func completeOpenID(
        _ exchanged: Exchanged, _ verifier: IDTokenVerifier, userField: String?, _ connection: any IdentityProviderConnection
    ) async throws(SignInError) -> CompletedLogin {
        let settings = self.provider.settings
        let transaction = exchanged.transaction
        guard let compact = exchanged.response.idToken else {
            throw SignInError(.invalidTokenResponse, provider: settings.id, "the token response has no id_token")
        }
        let expectation = IDTokenVerifier.Expectation(
            nonce: transaction.nonce, requestedACR: transaction.requestedACR, maxAge: transaction.maxAge,
            accessToken: exchanged.response.accessToken)
        let token = try await connection.verify { (keys) throws(IDTokenRefusal) in
            try verifier.verify(compact, keys: keys, expecting: expectation, now: self.now())
        } refused: {
            transaction.isStepUp && $0 == .authenticationContext
                ? SignInError(.insufficientAuthentication, provider: settings.id, $0.reason) : $0.signInError(provider: settings.id)
        }
        try self.checkFreshness(of: token, transaction)
        let reader = IdentityReader(connection, exchanged.access)
        let userinfo = try await reader.userinfo(of: token.subject)
        let extras = try await reader.extras(of: token)
        var verified = try reader.mapped { (mapper) throws(IdentityMapper.Refusal) in
            try mapper.identity(token, userinfo: userinfo, extras: extras)
        }
        if settings.habits.sendsUserField { verified = verified.named(userField.flatMap(AppleUserField.name)) }
        return CompletedLogin(
            verified: verified, tokens: exchanged.tokens, authTime: token.authTime, providerSessionID: token.sessionID,
            returnPath: transaction.returnPath, startedAt: transaction.createdAt, purpose: transaction.purpose,
            isStepUp: transaction.isStepUp)
    }

    /// Refuses a re-authentication for which the provider reports an earlier sign-in (OpenID Connect Core 1.0 section 3.1.3.7, step 13).
    /// Some providers ignore `max_age` and report none: their answer counts as the sign-in.
    private func checkFreshness(of token: VerifiedIDToken, _ transaction: LoginTransaction) throws(SignInError) {
        guard transaction.purpose.isReauthentication, let authTime = token.authTime,
            authTime < transaction.createdAt - IDTokenVerifier.skew
        else { return }
        var error = SignInError(
            .invalidIDToken, provider: self.provider.settings.id,
            "auth_time is before the re-authentication began; the provider ignored max_age")
        error.timeClaim = TimeClaim(.authTime, token.claims["auth_time"], now: self.now())
        throw error
    }

    /// Plain OAuth 2.0: the provider's API names the user.
    private func completeOAuth(
        _ exchanged: Exchanged, _ connection: any IdentityProviderConnection
    ) async throws(SignInError) -> CompletedLogin {
        var tokens = exchanged.tokens
        // Nobody verified it.
        tokens.idToken = nil
        return CompletedLogin(
            verified: try await IdentityReader(connection, exchanged.access).apiIdentity(), tokens: tokens, authTime: nil,
            providerSessionID: nil, returnPath: exchanged.transaction.returnPath, startedAt: exchanged.transaction.createdAt,
            purpose: exchanged.transaction.purpose,
            isStepUp: false)
    }
}

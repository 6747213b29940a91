import Accounts
import Providers
import Sessions
import SignIn
import TokenCrypto

extension ProviderClient {
    /// `userField`: the callback's, unsigned.
    func signIn(
        _ verified: VerifiedState, userField: String?, connected: ConnectedProvider
    ) async throws(SignInError) -> CompletedLogin {
        let proofKey = verified.transaction.proofKey.flatMap(ProofKey.init(secret:))
        let response = try await self.exchange(verified, proofKey, connected: connected)
        var tokens = self.tokens(from: response, proofKey)
        let access = AccessCredential(response, proofKey)
        guard let verifier = connected.verifier else {
            tokens.idToken = nil
            let identity = try await self.apiIdentity(access, connected: connected)
            return CompletedLogin(
                identity: identity, tokens: tokens, authTime: nil, providerSessionID: nil, returnPath: verified.transaction.returnPath)
        }
        guard let compact = response.idToken else {
            throw SignInError(.invalidTokenResponse, provider: self.settings.id, "the token response has no id_token")
        }
        let expectation = IDTokenVerifier.Expectation(
            nonce: verified.transaction.nonce, requestedACR: verified.transaction.requestedACR, maxAge: verified.transaction.maxAge,
            accessToken: response.accessToken)
        let token = try await self.verify(connected) { (keys) throws(IDTokenRefusal) in
            try verifier.verify(compact, keys: keys, expecting: expectation, now: self.now())
        } refused: {
            $0.signInError(provider: self.settings.id)
        }
        let userinfo = try await self.userinfo(of: token.subject, access, connected: connected)
        let extras = try await self.extras(of: token, access, connected: connected)
        var identity = try self.mapped { (mapper) throws(IdentityMapper.Refusal) in
            try mapper.identity(token, userinfo: userinfo, extras: extras)
        }
        if self.settings.habits.sendsUserField, identity.name == nil { identity.name = userField.flatMap(AppleUserField.name) }
        return CompletedLogin(
            identity: identity, tokens: tokens,
            authTime: token.authTime, providerSessionID: token.sessionID, returnPath: verified.transaction.returnPath)
    }

    /// RFC 6749 section 4.1.3 with RFC 7636 section 4.5; never repeated without the verifier.
    private func exchange(
        _ verified: VerifiedState, _ proofKey: ProofKey?, connected: ConnectedProvider
    ) async throws(SignInError) -> TokenResponse {
        let answer = try await self.post(
            to: connected.provider.token,
            [
                ("grant_type", "authorization_code"), ("code", verified.code), ("redirect_uri", verified.transaction.redirectURI),
                ("code_verifier", verified.transaction.verifier),
            ], connected: connected, proofKey: proofKey, calling: "the token endpoint")
        do {
            return try TokenResponse(answer, kind: self.settings.kind, type: self.typePolicy(proofKey))
        } catch {
            throw error.signInError(provider: self.settings.id)
        }
    }

    /// The accepted kinds of token after a proof was sent: bound tokens, with `dpop: auto` bearer tokens too.
    func typePolicy(_ proofKey: ProofKey?) -> TokenResponse.TypePolicy {
        if proofKey == nil { return .bearer }
        return self.settings.dpop == .required ? .dpop : .bearerOrDPoP
    }

    func tokens(from response: TokenResponse, _ proofKey: ProofKey?) -> Session.Tokens {
        Session.Tokens(
            accessToken: response.accessToken, accessTokenExpiresAt: response.expiresIn.map { self.now() + $0 * 1000 },
            accessTokenLifetime: response.expiresIn.map { $0 * 1000 }, refreshToken: response.refreshToken, idToken: response.idToken,
            proofKey: response.isBound ? proofKey?.secret : nil)
    }

    /// Verifies an answer of the provider's own endpoints with its keys; `refused` makes the error.
    func verify<Value, Refusal: KeyDependentRefusal>(
        _ connected: ConnectedProvider, _ check: (JWKSet) throws(Refusal) -> Value, refused: (Refusal) -> SignInError
    ) async throws(SignInError) -> Value {
        do throws(VerificationFailure<Refusal>) {
            return try await connected.verify(tokenFrom: .provider, check)
        } catch {
            switch error {
            case .refused(let refusal): throw refused(refusal)
            case .keysUnavailable(let failure): throw failure.signInError(provider: self.settings.id)
            }
        }
    }

    /// OpenID Connect userinfo, proven to be about `subject`; nil where it is switched off or there is none.
    func userinfo(
        of subject: String, _ access: AccessCredential, connected: ConnectedProvider
    ) async throws(SignInError) -> UserinfoResponse? {
        guard self.settings.usesUserinfo, let url = connected.provider.userinfo, let verifier = connected.verifier else { return nil }
        let answer = try await self.get(url, access, calling: "userinfo")
        func response(_ keys: JWKSet) throws(UserinfoResponse.Refusal) -> UserinfoResponse {
            try UserinfoResponse(openID: answer, subject: subject, verifier: verifier, keys: keys)
        }
        // Only a signed answer needs the keys.
        guard answer.mediaType == "application/jwt" else {
            do {
                return try response(.empty)
            } catch {
                throw error.signInError(provider: self.settings.id)
            }
        }
        return try await self.verify(connected, response) { $0.signInError(provider: self.settings.id) }
    }

    /// Plain OAuth 2.0: who the access token belongs to.
    func apiIdentity(_ access: AccessCredential, connected: ConnectedProvider) async throws(SignInError) -> ProviderIdentity {
        guard let url = connected.provider.userinfo else {
            throw SignInError(.invalidUserinfo, provider: self.settings.id, "no userinfo endpoint is known")
        }
        let answer = try await self.get(self.proven(url, access.token), access, calling: "userinfo")
        let api: UserinfoResponse
        do {
            api = try UserinfoResponse(oauth2: answer)
        } catch {
            throw error.signInError(provider: self.settings.id)
        }
        if self.settings.habits.asksWhoseTokenItIs {
            try await self.checkToken(access.token, isOf: api.claims["id"]?.string, userinfo: url, connected: connected)
        }
        let emails = try await self.listedEmails(access, userinfo: url)
        let groups = try await self.listedGroups(access, token: nil, userinfo: url)
        return try self.mapped { (mapper) throws(IdentityMapper.Refusal) in
            try mapper.identity(api: api, emails: emails, extras: .init(groups: groups))
        }
    }

    /// nil: the provider has no such list, or the user or the configuration did not grant it.
    private func listedEmails(_ access: AccessCredential, userinfo: String) async throws(SignInError) -> [IdentityMapper.ListedEmail]? {
        guard let endpoint = self.settings.emailEndpoint(userinfo: userinfo) else { return nil }
        let answer = try await self.get(endpoint.url, access, calling: "the list of addresses")
        if answer.status == 403 || answer.status == 404 { return nil }
        do {
            return IdentityMapper(settings: self.settings).listedEmails(try UserinfoResponse.json(answer), endpoint: endpoint)
        } catch {
            throw error.signInError(provider: self.settings.id)
        }
    }

    func mapped(_ make: (IdentityMapper) throws(IdentityMapper.Refusal) -> ProviderIdentity) throws(SignInError) -> ProviderIdentity {
        do {
            return try make(IdentityMapper(settings: self.settings))
        } catch {
            throw error.signInError(provider: self.settings.id)
        }
    }
}

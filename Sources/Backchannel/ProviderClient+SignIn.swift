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
        let response = try await self.exchange(verified, connected: connected)
        var tokens = self.tokens(from: response)
        guard let verifier = connected.verifier else {
            tokens.idToken = nil
            let identity = try await self.apiIdentity(accessToken: response.accessToken, connected: connected)
            return CompletedLogin(
                identity: identity, tokens: tokens, authTime: nil, providerSessionID: nil, returnPath: verified.transaction.returnPath)
        }
        guard let compact = response.idToken else {
            throw SignInError(.invalidTokenResponse, provider: self.settings.id, "the token endpoint's answer has no id_token")
        }
        let expectation = IDTokenVerifier.Expectation(
            nonce: verified.transaction.nonce, requestedACR: verified.transaction.requestedACR, maxAge: verified.transaction.maxAge,
            accessToken: response.accessToken)
        let token = try await self.verify(connected) { (keys) throws(IDTokenRefusal) in
            try verifier.verify(compact, keys: keys, expecting: expectation, now: self.now())
        }
        let userinfo = try await self.userinfo(of: token.subject, accessToken: response.accessToken, connected: connected)
        let extras = try await self.extras(of: token, accessToken: response.accessToken, connected: connected)
        var identity = try self.mapped { (mapper) throws(IdentityMapper.Refusal) in
            try mapper.identity(token, userinfo: userinfo, extras: extras)
        }
        if self.settings.habits.sendsUserField, identity.name == nil { identity.name = userField.flatMap(AppleUserField.name) }
        return CompletedLogin(
            identity: identity, tokens: tokens,
            authTime: token.authTime, providerSessionID: token.sessionID, returnPath: verified.transaction.returnPath)
    }

    /// RFC 6749 section 4.1.3 with RFC 7636 section 4.5; never repeated without the verifier.
    private func exchange(_ verified: VerifiedState, connected: ConnectedProvider) async throws(SignInError) -> TokenResponse {
        let answer = try await self.post(
            to: connected.provider.token,
            [
                ("grant_type", "authorization_code"), ("code", verified.code), ("redirect_uri", verified.transaction.redirectURI),
                ("code_verifier", verified.transaction.verifier),
            ], connected: connected, calling: "the token endpoint")
        do {
            return try TokenResponse(answer, kind: self.settings.kind)
        } catch {
            throw error.signInError(provider: self.settings.id)
        }
    }

    func tokens(from response: TokenResponse) -> Session.Tokens {
        Session.Tokens(
            accessToken: response.accessToken, accessTokenExpiresAt: response.expiresIn.map { self.now() + $0 * 1000 },
            refreshToken: response.refreshToken, idToken: response.idToken)
    }

    /// Runs a verification with the provider's keys, and once more with fresh ones when it fails for a key that we have not seen.
    func verify<Verified>(
        _ connected: ConnectedProvider, _ check: (JWKSet) throws(IDTokenRefusal) -> Verified
    ) async throws(SignInError) -> Verified {
        let keys = try await self.keys(connected)
        do {
            return try check(keys)
        } catch {
            guard error == .signature(.unknownKeyID), let fresh = try await self.freshKeys(connected) else {
                throw error.signInError(provider: self.settings.id)
            }
            do {
                return try check(fresh)
            } catch {
                throw error.signInError(provider: self.settings.id)
            }
        }
    }

    /// Empty where every allowed algorithm works with the client secret.
    func keys(_ connected: ConnectedProvider) async throws(SignInError) -> JWKSet {
        guard let cache = connected.keys, connected.provider.idTokenAlgorithms.contains(where: { !$0.isSymmetric }) else { return .empty }
        do {
            return try await cache.current()
        } catch {
            throw error.signInError(provider: self.settings.id)
        }
    }

    private func freshKeys(_ connected: ConnectedProvider) async throws(SignInError) -> JWKSet? {
        do {
            return try await connected.keys?.afterUnknownKey()
        } catch {
            throw error.signInError(provider: self.settings.id)
        }
    }

    /// OpenID Connect userinfo, proven to be about `subject`; nil where it is switched off or there is none.
    func userinfo(of subject: String, accessToken: String, connected: ConnectedProvider) async throws(SignInError) -> UserinfoResponse? {
        guard self.settings.usesUserinfo, let url = connected.provider.userinfo, let verifier = connected.verifier else { return nil }
        let answer = try await self.get(url, accessToken: accessToken, calling: "userinfo")
        let isSigned = answer.mediaType == "application/jwt"
        let keys = isSigned ? try await self.keys(connected) : .empty
        do {
            return try UserinfoResponse(openID: answer, subject: subject, verifier: verifier, keys: keys)
        } catch {
            guard error == .signature(.signature(.unknownKeyID)), let fresh = try await self.freshKeys(connected) else {
                throw error.signInError(provider: self.settings.id)
            }
            do {
                return try UserinfoResponse(openID: answer, subject: subject, verifier: verifier, keys: fresh)
            } catch {
                throw error.signInError(provider: self.settings.id)
            }
        }
    }

    /// Plain OAuth 2.0: who the access token belongs to.
    func apiIdentity(accessToken: String, connected: ConnectedProvider) async throws(SignInError) -> ProviderIdentity {
        guard let url = connected.provider.userinfo else {
            throw SignInError(.invalidUserinfo, provider: self.settings.id, "no userinfo endpoint is known")
        }
        let answer = try await self.get(self.proven(url, accessToken), accessToken: accessToken, calling: "userinfo")
        let api: UserinfoResponse
        do {
            api = try UserinfoResponse(oauth2: answer)
        } catch {
            throw error.signInError(provider: self.settings.id)
        }
        if self.settings.habits.asksWhoseTokenItIs {
            try await self.checkToken(accessToken, isOf: api.claims["id"]?.string, userinfo: url, connected: connected)
        }
        let emails = try await self.listedEmails(accessToken: accessToken, userinfo: url)
        let groups = try await self.listedGroups(accessToken: accessToken, token: nil, userinfo: url)
        return try self.mapped { (mapper) throws(IdentityMapper.Refusal) in
            try mapper.identity(api: api, emails: emails, extras: .init(groups: groups))
        }
    }

    /// nil: the provider has no such list, or the person or the configuration did not grant it.
    private func listedEmails(accessToken: String, userinfo: String) async throws(SignInError) -> [IdentityMapper.ListedEmail]? {
        guard let endpoint = self.settings.emailEndpoint(userinfo: userinfo) else { return nil }
        let answer = try await self.get(endpoint.url, accessToken: accessToken, calling: "the list of addresses")
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

    func post(
        to url: String, _ fields: [(name: String, value: String)], connected: ConnectedProvider, calling what: String
    ) async throws(SignInError) -> ProviderAnswer {
        let (headers, fields) = connected.credentials.applied(to: fields, now: self.now())
        do {
            return try await self.transport.send(.form(url, fields, headers: headers))
        } catch {
            throw error.signInError(provider: self.settings.id, calling: what)
        }
    }

    /// RFC 6750 section 2.1: the token goes into the header and nowhere else.
    func get(
        _ url: String, accessToken: String, headers: [(name: String, value: String)] = [], calling what: String
    ) async throws(SignInError) -> ProviderAnswer {
        do {
            return try await self.transport.send(
                .get(url, headers: self.settings.apiHeaders + headers + [("Authorization", "Bearer " + accessToken)]))
        } catch {
            throw error.signInError(provider: self.settings.id, calling: what)
        }
    }
}

import Providers
import TokenCrypto

/// Reads a user's data from the provider's endpoints with the user's access token.
struct IdentityReader: Sendable {
    let connection: any IdentityProviderConnection
    let access: AccessCredential

    init(_ connection: any IdentityProviderConnection, _ access: AccessCredential) {
        self.connection = connection
        self.access = access
    }

    var settings: ProviderSettings { self.connection.settings }

    /// OpenID Connect userinfo, proven to be about `subject`; nil where it is switched off or there is none.
    func userinfo(of subject: String) async throws(SignInError) -> UserinfoResponse? {
        guard self.settings.usesUserinfo, let url = self.connection.endpoints.userinfo, let verifier = self.connection.verifier else {
            return nil
        }
        let answer = try await self.connection.get(url, self.access, headers: [], calling: "userinfo")
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
        return try await self.connection.verify(response) { $0.signInError(provider: self.settings.id) }
    }

    /// The user's data that this provider keeps outside ID token and userinfo.
    func extras(of token: VerifiedIDToken) async throws(SignInError) -> IdentityMapper.Extras {
        var extras = IdentityMapper.Extras()
        if !self.settings.habits.accessTokenClaims.isEmpty, let verifier = self.connection.verifier {
            let keys = try await self.connection.currentKeys()
            extras.accessTokenClaims = verifier.accessTokenClaims(self.access.token, keys: keys, subject: token.subject)
        }
        if let userinfo = self.connection.endpoints.userinfo {
            extras.groups = try await self.listedGroups(token, userinfo: userinfo)
        }
        return extras
    }

    /// Plain OAuth 2.0: the user of the access token.
    func apiIdentity() async throws(SignInError) -> VerifiedIdentity {
        guard let url = self.connection.endpoints.userinfo else {
            throw SignInError(.invalidUserinfo, provider: self.settings.id, "no userinfo endpoint is known")
        }
        let answer = try await self.connection.get(self.withAppSecretProof(url), self.access, headers: [], calling: "userinfo")
        let api: UserinfoResponse
        do {
            api = try UserinfoResponse(oauth2: answer)
        } catch {
            throw error.signInError(provider: self.settings.id)
        }
        if self.settings.habits.asksWhoseTokenItIs {
            try await self.checkToken(isOf: api.claims["id"]?.string, userinfo: url)
        }
        let emails = try await self.listedEmails(userinfo: url)
        let groups = try await self.listedGroups(nil, userinfo: url)
        return try self.mapped { (mapper) throws(IdentityMapper.Refusal) in
            try mapper.identity(api: api, emails: emails, extras: .init(groups: groups))
        }
    }

    /// nil: the provider has no such list, or the user or the configuration did not grant it.
    private func listedEmails(userinfo: String) async throws(SignInError) -> [IdentityMapper.ListedEmail]? {
        guard let endpoint = self.settings.emailEndpoint(userinfo: userinfo) else { return nil }
        let answer = try await self.connection.get(endpoint.url, self.access, headers: [], calling: "the list of addresses")
        if answer.status == 403 || answer.status == 404 { return nil }
        do {
            return IdentityMapper(settings: self.settings).listedEmails(try UserinfoResponse.json(answer), endpoint: endpoint)
        } catch {
            throw error.signInError(provider: self.settings.id)
        }
    }

    func mapped<Identity>(_ make: (IdentityMapper) throws(IdentityMapper.Refusal) -> Identity) throws(SignInError) -> Identity {
        do {
            return try make(IdentityMapper(settings: self.settings))
        } catch {
            throw error.signInError(provider: self.settings.id)
        }
    }
}

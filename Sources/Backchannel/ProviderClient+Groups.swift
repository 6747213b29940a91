import Logging
import Providers
import SignIn
import TokenCrypto

extension ProviderClient {
    /// The most pages of a list that are read, with at least a hundred names each.
    private static let maximumPages = 20

    /// The user's data that this provider keeps outside ID token and userinfo.
    func extras(
        of token: VerifiedIDToken, _ access: AccessCredential, connected: ConnectedProvider
    ) async throws(SignInError) -> IdentityMapper.Extras {
        var extras = IdentityMapper.Extras()
        if !self.settings.habits.accessTokenClaims.isEmpty, let verifier = connected.verifier {
            let keys: JWKSet
            do {
                keys = try await connected.currentKeys()
            } catch {
                throw error.signInError(provider: self.settings.id)
            }
            extras.accessTokenClaims = verifier.accessTokenClaims(access.token, keys: keys, subject: token.subject)
        }
        if let userinfo = connected.provider.userinfo {
            extras.groups = try await self.listedGroups(access, token: token, userinfo: userinfo)
        }
        return extras
    }

    /// The groups that the provider's APIs list. A list that is refused counts as empty and is logged: fewer groups open fewer doors.
    func listedGroups(_ access: AccessCredential, token: VerifiedIDToken?, userinfo: String) async throws(SignInError) -> [String] {
        var groups: [String] = []
        for endpoint in self.settings.habits.groupEndpoints where self.isDue(endpoint, token) {
            groups += try await self.names(at: endpoint, access, userinfo: userinfo)
        }
        return groups
    }

    private func isDue(_ endpoint: ProviderHabits.GroupEndpoint, _ token: VerifiedIDToken?) -> Bool {
        switch endpoint.trigger {
        case .scopes(let scopes): return self.settings.requestsAny(of: scopes)
        case .overage:
            guard let claims = token?.claims else { return false }
            return claims["_claim_names"]?["groups"] != nil || claims["hasgroups"] == .bool(true) || claims["hasgroups"] == .string("true")
        }
    }

    private func names(
        at endpoint: ProviderHabits.GroupEndpoint, _ access: AccessCredential, userinfo: String
    ) async throws(SignInError) -> [String] {
        let origin = (try? WebURL(parsing: userinfo))?.origin ?? ""
        let base = userinfo.prefix { $0 != "?" }
        let first = ProviderSettings.replacing(
            "{userinfo}", in: ProviderSettings.replacing("{userinfoOrigin}", in: endpoint.url, with: origin), with: String(base))
        var next: String? = first
        var names: [String] = []
        for _ in 0..<Self.maximumPages {
            guard let url = next else { return names }
            // A page on another origin would receive the access token.
            guard let parsed = try? WebURL(parsing: url), parsed.origin == origin else {
                self.logGroups("the next page is at another origin", names.count)
                return names
            }
            let answer = try await self.get(
                url, access, headers: endpoint.headers.map { ($0.name, $0.value) }, calling: "the list of groups")
            if answer.status >= 500 || answer.status == 429 {
                throw SignInError(
                    .providerUnavailable, provider: self.settings.id, "the list of groups: it answered with status \(answer.status)")
            }
            let json: JSONValue
            do {
                json = try UserinfoResponse.json(answer)
            } catch {
                self.logGroups(error.reason, names.count)
                return names
            }
            names += Self.names(in: json, endpoint)
            next = endpoint.nextPage.map { json[$0]?.string } ?? answer.nextPage
        }
        self.logGroups("there are more than \(Self.maximumPages) pages", names.count)
        return names
    }

    static func names(in json: JSONValue, _ endpoint: ProviderHabits.GroupEndpoint) -> [String] {
        let items = (endpoint.list.map { json[$0] } ?? json)?.array ?? []
        return items.compactMap { item in
            if let only = endpoint.only, let stated = item[only.path]?.string, stated != only.text { return nil }
            let parts = endpoint.parts.compactMap { path in
                item.value(at: path).flatMap { $0.string ?? $0.integer.map { String($0) } }
            }
            return parts.count == endpoint.parts.count ? parts.joined(separator: ":") : nil
        }
    }

    private func logGroups(_ reason: String, _ count: Int) {
        self.logger.warning(
            "Some of a user's groups could not be read and were left out",
            metadata: ["gw.provider": "\(self.settings.id)", "gw.reason": "\(reason)", "gw.read": "\(count)"])
    }
}

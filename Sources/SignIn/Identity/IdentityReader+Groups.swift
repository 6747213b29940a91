import Primitives
package import Providers
package import TokenCrypto

extension ProviderHabits.GroupEndpoint {
    /// The groups that one page of the list names.
    package func names(in json: JSONValue) -> [String] {
        let items = (self.list.map { json[$0] } ?? json)?.array ?? []
        return items.compactMap { item in
            if let only = self.only, let stated = item[only.path]?.string, stated != only.text { return nil }
            let parts = self.parts.compactMap { path in
                item.value(at: path).flatMap { $0.string ?? $0.integer.map { String($0) } }
            }
            return parts.count == self.parts.count ? parts.joined(separator: ":") : nil
        }
    }
}

extension IdentityReader {
    /// The most pages of a list that are read, with at least a hundred names each.
    private static let maximumPages = 20

    /// The groups that the provider's APIs list. A list that is refused counts as empty and is logged: fewer groups open fewer doors.
    func listedGroups(_ token: VerifiedIDToken?, userinfo: String) async throws(SignInError) -> [String] {
        var groups: [String] = []
        for endpoint in self.settings.habits.groupEndpoints where self.isDue(endpoint, token) {
            groups += try await self.names(at: endpoint, userinfo: userinfo)
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

    private func names(at endpoint: ProviderHabits.GroupEndpoint, userinfo: String) async throws(SignInError) -> [String] {
        let origin = AbsoluteURL(userinfo)?.origin.text ?? ""
        let base = userinfo.prefix { $0 != "?" }
        let first = ProviderSettings.replacing(
            "{userinfo}", in: ProviderSettings.replacing("{userinfoOrigin}", in: endpoint.url, with: origin), with: String(base))
        var next: String? = first
        var names: [String] = []
        for _ in 0..<Self.maximumPages {
            guard let url = next else { return names }
            // A page on another origin would receive the access token.
            guard let parsed = AbsoluteURL(url), parsed.origin.text == origin else {
                self.connection.report(.groupsLeftOut(reason: "the next page is at another origin", read: names.count))
                return names
            }
            let answer = try await self.connection.get(
                url, self.access, headers: endpoint.headers.map { ($0.name, $0.value) }, calling: "the list of groups")
            if answer.status >= 500 || answer.status == 429 {
                throw SignInError(
                    .providerUnavailable, provider: self.settings.id, "the list of groups: it answered with status \(answer.status)")
            }
            let json: JSONValue
            do {
                json = try UserinfoResponse.json(answer)
            } catch {
                self.connection.report(.groupsLeftOut(reason: error.reason, read: names.count))
                return names
            }
            names += endpoint.names(in: json)
            next = endpoint.nextPage.map { json[$0]?.string } ?? answer.nextPage
        }
        self.connection.report(.groupsLeftOut(reason: "there are more than \(Self.maximumPages) pages", read: names.count))
        return names
    }
}

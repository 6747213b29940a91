extension ProviderSettings {
    /// Whether users who sign in here can have groups: from a claim, or from an API that the requested scopes open.
    package var sendsGroups: Bool {
        guard self.claims.groups == nil, self.habits.groupClaims.isEmpty else { return true }
        return self.habits.groupEndpoints.contains { endpoint in
            switch endpoint.trigger {
            case .scopes(let scopes): self.requestsAny(of: scopes)
            case .overage: true
            }
        }
    }
}

extension ProviderPreset {
    /// The scope that opens this provider's list of groups; nil where groups come without one, or not at all.
    package var groupScope: String? {
        guard self.claims.groups == nil, self.habits.groupClaims.isEmpty else { return nil }
        return self.habits.groupEndpoints.lazy.compactMap { endpoint in
            if case .scopes(let scopes) = endpoint.trigger { scopes.first } else { nil }
        }.first
    }
}

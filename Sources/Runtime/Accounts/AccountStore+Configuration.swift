package import Accounts
package import Config
package import Stores

extension AccountStoreLocation {
    /// The store at this place. Opens nothing yet: call `prepare()`.
    package func store() -> SQLAccountStore {
        switch self {
        case .sqlite(let path): SQLAccountStore(SQLiteDatabase(path: path))
        case .postgres(let url): SQLAccountStore(PostgresDatabase(url: url.exposed))
        }
    }
}

extension AccountPolicy {
    /// The policy of a configuration with accounts; nil without them.
    package init?(_ configuration: Configuration) {
        guard let accounts = configuration.accounts else { return nil }
        self.init(
            onePerEmail: accounts.onePerEmail, linking: Linking(accounts.linking), signUp: accounts.signUp == .closed ? .closed : .open,
            recentLogin: accounts.recentLogin, trustedDomains: configuration.trustedDomains,
            presets: Dictionary(
                configuration.providers.map { ($0.id, String($0.id.prefix { $0 != "/" })) },
                uniquingKeysWith: { first, _ in first }),
            usableProviders: Set(configuration.enabledProviderIDs), countsFactors: configuration.secondFactor?.isOn == true)
    }
}

extension AccountPolicy.Linking {
    init(_ linking: AccountsConfiguration.Linking) {
        switch linking {
        case .confirm: self = .confirm
        case .verifiedEmail: self = .verifiedEmail
        case .trustedDomains: self = .trustedDomains
        case .never: self = .never
        }
    }
}

/// The settings of accounts: one user, one id, whatever provider they sign in with.
///
/// Holds everything that exists only with accounts, so that nil means a gateway without any of it.
package struct AccountsConfiguration: Sendable {
    /// The answer to a new identity whose address an account has.
    package enum Linking: String, Sendable, CaseIterable {
        case confirm
        case verifiedEmail = "verified-email"
        case trustedDomains = "trusted-domains"
        case never
    }

    package enum SignUp: String, Sendable, CaseIterable { case open, closed }

    package var store: AccountStoreLocation
    /// Decoded keys of at least 32 bytes each; the first seals, all of them open.
    package var keys: [[UInt8]] = []
    package var onePerEmail = true
    package var linking = Linking.confirm
    package var signUp = SignUp.open
    /// The greatest age of a sign-in, in milliseconds, for sensitive operations.
    package var recentLogin: Int64 = 300_000
    package var mergeHook: HookConfiguration?
    package var beforeCreate: HookConfiguration?
    package var beforeSignIn: HookConfiguration?
    /// Nil without the provider `password`.
    package var password: PasswordProviderConfiguration?
    /// Nil without the provider `anonymous`.
    package var anonymous: AnonymousProviderConfiguration?
    /// Nil without second factors of the gateway's own.
    package var secondFactor: SecondFactorConfiguration?
    /// Nil if the gateway sends no mail.
    package var mail: MailConfiguration?

    package init(store: AccountStoreLocation) { self.store = store }
}

/// The place where accounts are stored.
package enum AccountStoreLocation: Sendable, Hashable {
    /// The path of the database file: absolute, or relative to the working directory.
    case sqlite(path: String)
    /// The URL of the database as written. It may hold a password.
    case postgres(Secret)

    /// The scheme of an SQLite store.
    static let sqliteScheme = "sqlite:"
}

/// An operator's endpoint that the gateway asks or notifies, with signed JSON.
package struct HookConfiguration: Sendable {
    package var url: String
    package var secret: Secret
    /// The time limit of a whole call, in milliseconds.
    package var timeout: Int64 = 7_000

    package init(url: String, secret: Secret) {
        self.url = url
        self.secret = secret
    }
}

/// The provider `password`: addresses and passwords that the gateway keeps itself.
package struct PasswordProviderConfiguration: Sendable {
    package static let id = "password"
    package static let lengths = 8...128

    package var displayName: String?
    package var enabled = true
    /// True if users may register; otherwise an operator creates their accounts.
    package var signUp = true
    /// Unicode scalars.
    package var minimumLength = 12

    package init() {}
}

/// The provider `anonymous`: users without credentials.
package struct AnonymousProviderConfiguration: Sendable {
    package static let id = "anonymous"

    package var displayName: String?
    package var enabled = true

    package init() {}
}

package struct MailConfiguration: Sendable {
    /// The URL of the mail server as written. It may hold a password.
    package var url: Secret
    /// An address, or a name and an address in angle brackets.
    package var from: String

    package init(url: Secret, from: String) {
        self.url = url
        self.from = from
    }
}

extension Configuration {
    /// Nil without second factors of the gateway's own.
    package var secondFactor: SecondFactorConfiguration? { accounts?.secondFactor }

    /// The ids of the providers that need no identity provider: `providers` never contains them.
    package static let ownProviderIDs = [PasswordProviderConfiguration.id, AnonymousProviderConfiguration.id]

    /// The id of every enabled way to sign in: `password` and `anonymous` after the others.
    package var enabledProviderIDs: [String] {
        var ids = providers.filter(\.enabled).map(\.id)
        if accounts?.password?.enabled == true { ids.append(PasswordProviderConfiguration.id) }
        if accounts?.anonymous?.enabled == true { ids.append(AnonymousProviderConfiguration.id) }
        return ids
    }

    /// The domains whose mailboxes a provider runs, by provider id, in lower case.
    package var trustedDomains: [String: Set<String>] {
        Dictionary(
            providers.filter { !$0.trustedDomains.isEmpty }.map { ($0.id, Set($0.trustedDomains)) }, uniquingKeysWith: { first, _ in first }
        )
    }
}

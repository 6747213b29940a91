import Config
import Diagnostics

extension LintContext {
    /// An entry of `providers` that needs no identity provider: `password` or `anonymous`.
    final class OwnProvider: Sendable {
        let object: ObjectValue
        let id: String

        init?(_ object: ObjectValue) {
            switch object.shape {
            case .passwordProvider: id = PasswordProviderConfiguration.id
            case .anonymousProvider: id = AnonymousProviderConfiguration.id
            default: return nil
            }
            self.object = object
        }

        var isEnabled: Bool { object["enabled"]?.boolean ?? true }
        var idSpan: SourceSpan { object["id"]?.span ?? object.span }
        var isPassword: Bool { object.shape == .passwordProvider }
        /// Whether the provider's own settings let users register.
        var signsUp: Bool { object["signUp"]?.boolean ?? true }
    }

    var accounts: ObjectValue? { root["accounts"]?.object }

    /// Whether an entry of `providers`, of any form, could not be read.
    var hasUnreadableProvider: Bool { root["providers"]?.list?.contains(where: \.isUnreadable) ?? false }

    /// Whether users can sign in at all.
    var hasEnabledProvider: Bool { providers.contains(where: \.configuration.enabled) || ownProviders.contains(where: \.isEnabled) }

    /// Each of `password` and `anonymous` that is enabled, once.
    var enabledOwnProviders: [OwnProvider] {
        ownProviders.filter(\.isEnabled).reduce(into: []) { found, provider in
            if !found.contains(where: { $0.id == provider.id }) { found.append(provider) }
        }
    }

    /// The ids of the enabled providers that bring an e-mail address.
    var enabledProvidersWithAddress: [String] {
        providers.filter(\.configuration.enabled).map(\.id) + enabledOwnProviders.filter(\.isPassword).map(\.id)
    }

    /// True if only users with an account may sign in.
    var signUpIsClosed: Bool { configuration.accounts?.signUp == .closed }

    /// The endpoints of `accounts`, with their keys.
    var hooks: [(key: String, object: ObjectValue)] {
        let hooks = accounts?["hooks"]?.object
        return [
            ("mergeHook", accounts?["mergeHook"]), ("beforeCreate", hooks?["beforeCreate"]), ("beforeSignIn", hooks?["beforeSignIn"]),
            ("phone", root["secondFactor"]?.object?["phone"]),
        ]
        .compactMap { key, item in item?.object.map { (key, $0) } }
    }

    /// The URLs that may hold a password, with their keys.
    var storeURLs: [(key: String, item: Item)] {
        [("store", accounts?["store"]), ("store", sessionStoreURL), ("url", root["mail"]?.object?["url"])].compactMap { key, item in
            item.map { (key, $0) }
        }
    }

    /// The database of accounts; nil for SQLite and for a URL that could not be read.
    var database: (item: Item, url: PostgresURL)? {
        guard let item = accounts?["store"], let text = item.text, PostgresURL.isPostgres(text) else { return nil }
        let url = PostgresURL(text)
        return url.problem == nil ? (item, url) : nil
    }
}

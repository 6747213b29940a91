import TokenCrypto

/// The keys of `accounts` that decide about sign-ins. A value of one configuration.
package struct AccountPolicy: Sendable, Equatable {
    /// The answer to a new identity whose address an account has (`accounts.linking`).
    package enum Linking: String, Sendable, CaseIterable {
        case confirm
        case verifiedEmail = "verified-email"
        case trustedDomains = "trusted-domains"
        case never
    }

    package enum SignUp: String, Sendable, CaseIterable { case open, closed }

    package var onePerEmail: Bool
    package var linking: Linking
    package var signUp: SignUp
    /// The greatest age of a sign-in, in milliseconds, for sensitive operations.
    package var recentLogin: Int64
    /// `trustedDomains` of the configuration: domains whose mailboxes a provider runs, by provider id, in lower-case ASCII.
    package var trustedDomains: [String: Set<String>]
    /// The preset of a provider id, where they differ: `google.com/partners` is `google.com`.
    package var presets: [String: String]
    /// The provider ids that are enabled, `password` among them; nil: all. An identity of another provider is no way to sign in.
    package var usableProviders: Set<String>?
    /// Whether the second factors of accounts protect them: false with `secondFactor.policy: off`, and without `secondFactor`.
    package var countsFactors: Bool

    package init(
        onePerEmail: Bool = true, linking: Linking = .confirm, signUp: SignUp = .open, recentLogin: Int64 = 300_000,
        trustedDomains: [String: Set<String>] = [:], presets: [String: String] = [:], usableProviders: Set<String>? = nil,
        countsFactors: Bool = true
    ) {
        self.onePerEmail = onePerEmail
        self.linking = linking
        self.signUp = signUp
        self.recentLogin = recentLogin
        self.trustedDomains = trustedDomains
        self.presets = presets
        self.usableProviders = usableProviders
        self.countsFactors = countsFactors
    }

    /// The providers that are enabled, among those of an account.
    package func usable(_ providers: [String]) -> [String] { providers.filter { usableProviders?.contains($0) != false } }

    /// Whether the provider vouches for the identity's address and also runs the mailbox, so that no other user can have it.
    package func runsMailbox(_ identity: ProviderIdentity) -> Bool {
        guard identity.emailVerified == true, let email = identity.email.flatMap(EmailAddress.init) else { return false }
        let domain = email.domain
        if trustedDomains[identity.provider]?.contains(domain) == true { return true }
        switch presets[identity.provider] ?? identity.provider {
        case "google.com":
            if case .object(let claims) = identity.claims, case .string(let hosted)? = claims["hd"],
                DomainName.ascii(hosted[...]) == domain
            {
                return true
            }
            return domain == "gmail.com" || domain == "googlemail.com"
        case "yahoo.com":
            return Self.isYahoo(domain) || ["ymail.com", "rocketmail.com", "myyahoo.com"].contains(domain)
        case "microsoft.com":
            return ["outlook.com", "hotmail.com", "live.com", "msn.com"].contains(domain)
        case "apple.com":
            return true
        default:
            return false
        }
    }

    /// `yahoo.*`: one label, as in yahoo.de, or a country's second level, as in yahoo.co.uk and yahoo.com.br. Never `yahoo.evil.com`,
    /// nor yahoo.co.jp, whose mailboxes another company runs.
    private static func isYahoo(_ domain: String) -> Bool {
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.first == "yahoo", domain != "yahoo.co.jp" else { return false }
        switch labels.count {
        case 2: return (2...3).contains(labels[1].count)
        case 3: return (labels[1] == "co" || labels[1] == "com") && labels[2].count == 2
        default: return false
        }
    }
}

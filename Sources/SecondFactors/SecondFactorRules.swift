package import Accounts

/// The keys of `secondFactor` that decide. A value of one configuration.
package struct SecondFactorPolicy: Sendable, Equatable {
    package enum Mode: String, Sendable, CaseIterable {
        case off
        /// A user who has a factor is asked.
        case enrolled
        /// Every user is asked, and enrols at the first sign-in.
        case required
    }

    package var mode: Mode
    /// The types that users may enrol and use, in the configuration's order.
    package var types: [FactorType]
    package var verification: UserVerification

    package init(mode: Mode, types: [FactorType] = [.totp, .webauthn, .recovery], verification: UserVerification = .discouraged) {
        self.mode = mode
        self.types = types
        self.verification = verification
    }
}

/// What is known when the question of a second factor comes up.
package struct SecondFactorSituation: Sendable {
    package enum Moment: Sendable {
        case signIn
        /// `/reauthenticate`: the second factor is asked again, whatever the browser remembers.
        case reauthentication
        /// A session without a second factor reached a route with `access.secondFactor`.
        case route
    }

    package var moment: Moment
    package var account: AccountFactors
    /// Whether the first factor's provider is trusted with second factors, and proved one (`ProviderSecondFactor`).
    package var isProvenByProvider: Bool
    /// Whether the browser showed a valid `RememberedBrowser` of this account.
    package var isBrowserRemembered: Bool

    package init(moment: Moment, account: AccountFactors, isProvenByProvider: Bool = false, isBrowserRemembered: Bool = false) {
        self.moment = moment
        self.account = account
        self.isProvenByProvider = isProvenByProvider
        self.isBrowserRemembered = isBrowserRemembered
    }
}

/// The answer to a situation.
package enum SecondFactorDecision: Sendable, Equatable {
    /// The session is made without a question. `isProven`: and counts as one with a second factor, of the provider.
    case pass(isProven: Bool)
    /// One of these factors is asked for.
    case ask([Factor])
    /// The user enrols a factor of one of these types first. Never recovery codes.
    case enrol([FactorType])
    case refuse(AccountErrorCode)
}

extension SecondFactorPolicy {
    /// Contract section 9, as a table. The first row that fits decides.
    ///
    /// | # | mode | moment | provider | account | browser | decision |
    /// |---|---|---|---|---|---|---|
    /// | 1 | off | route | any | any | any | refuse `multi-factor-auth-required`: the configuration forbids this |
    /// | 2 | off | others | any | any | any | pass |
    /// | 3 | any | any | proved one | any | any | pass, proven |
    /// | 4 | any | route | not | anonymous | any | refuse `unsupported-first-factor` |
    /// | 5 | any | others | not | anonymous | any | pass: exempt |
    /// | 6 | any | sign-in | not | has usable factors | remembered | pass |
    /// | 7 | any | any | not | has usable factors | any | ask |
    /// | 8 | any | any | not | has factors, none of an enabled type | any | refuse `multi-factor-auth-required` |
    /// | 9 | enrolled | sign-in, re-authentication | not | has none | any | pass |
    /// | 10 | required, or at a route | any | not | has none, address verified | any | enrol |
    /// | 11 | required, or at a route | any | not | has none, address not verified | any | refuse `unverified-email` |
    ///
    /// Row 8: a type that the operator took out of the configuration does not open the account with one factor. An operator resets the
    /// account's factors, or enables the type again.
    package func decide(_ situation: SecondFactorSituation) -> SecondFactorDecision {
        let account = situation.account
        if mode == .off { return situation.moment == .route ? .refuse(.multiFactorAuthRequired) : .pass(isProven: false) }
        if situation.isProvenByProvider { return .pass(isProven: true) }
        if account.account.isAnonymous {
            return situation.moment == .route ? .refuse(.unsupportedFirstFactor) : .pass(isProven: false)
        }
        let usable = usable(account)
        if !usable.isEmpty {
            return situation.moment == .signIn && situation.isBrowserRemembered ? .pass(isProven: false) : .ask(usable)
        }
        guard account.factors.isEmpty else { return .refuse(.multiFactorAuthRequired) }
        guard mode == .required || situation.moment == .route else { return .pass(isProven: false) }
        guard account.account.email != nil, account.account.emailVerified else { return .refuse(.unverifiedEmail) }
        let types = types.filter { $0 != .recovery }
        return types.isEmpty ? .refuse(.multiFactorAuthRequired) : .enrol(types)
    }

    /// The factors that can be asked for: of an enabled type, and recovery codes only while one is left.
    package func usable(_ account: AccountFactors) -> [Factor] {
        account.factors.filter { types.contains($0.type) && ($0.type != .recovery || account.recoveryCodes > 0) }
    }
}

/// Whether an identity provider proved a second factor, for providers with `secondFactor: trusted`.
package enum ProviderSecondFactor {
    /// The methods of RFC 8176 that count. `pin` counts only beside one of them, so it decides nothing; `pwd` is no second factor.
    private static let methods: Set<String> = ["mfa", "otp", "hwk", "swk", "fpt", "face", "sms"]

    /// `amr` and `acr`: of the verified ID token. `accepted`: the provider's `secondFactorACR`.
    package static func isProven(isTrusted: Bool, amr: [String], acr: String?, accepted: [String]) -> Bool {
        guard isTrusted else { return false }
        if amr.contains(where: methods.contains) { return true }
        guard let acr else { return false }
        return accepted.contains { $0.utf8.elementsEqual(acr.utf8) }
    }
}

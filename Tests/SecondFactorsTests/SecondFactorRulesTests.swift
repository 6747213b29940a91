import Accounts
import Testing

@testable import SecondFactors

@Suite("Whether a second factor is asked for")
struct SecondFactorRulesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var mode = SecondFactorPolicy.Mode.enrolled
        var types: [FactorType] = [.totp, .webauthn, .recovery]
        var moment = SecondFactorSituation.Moment.signIn
        var isProven = false
        var isAnonymous = false
        var isVerified = true
        var factors: [FactorType] = []
        var codes = 0
        var isRemembered = false
        let decision: SecondFactorDecision

        init(_ name: String, _ decision: SecondFactorDecision, _ change: (inout Row) -> Void) {
            testDescription = name
            self.decision = decision
            change(&self)
        }
    }

    private static func factor(_ type: FactorType) -> Factor { Factor(id: type.rawValue, type: type, enrolledAt: 0) }

    private static let rows: [Row] = [
        Row("1: off, at a route", .refuse(.multiFactorAuthRequired)) { ($0.mode, $0.moment, $0.factors) = (.off, .route, [.totp]) },
        Row("2: off, at sign-in", .pass(isProven: false)) { ($0.mode, $0.factors) = (.off, [.totp]) },
        Row("2: off, at re-authentication", .pass(isProven: false)) { ($0.mode, $0.moment) = (.off, .reauthentication) },
        Row("2: off, although the provider proved one", .pass(isProven: false)) { ($0.mode, $0.isProven) = (.off, true) },
        Row("3: the provider proved one", .pass(isProven: true)) { ($0.isProven, $0.factors) = (true, [.totp]) },
        Row("3: the provider proved one, required", .pass(isProven: true)) { ($0.isProven, $0.mode) = (true, .required) },
        Row("3: the provider proved one, at a route", .pass(isProven: true)) { ($0.isProven, $0.moment) = (true, .route) },
        Row("4: anonymous, at a route", .refuse(.unsupportedFirstFactor)) {
            ($0.isAnonymous, $0.isVerified, $0.moment) = (true, false, .route)
        },
        Row("5: anonymous, required", .pass(isProven: false)) { ($0.isAnonymous, $0.isVerified, $0.mode) = (true, false, .required) },
        Row("6: remembered", .pass(isProven: false)) { ($0.factors, $0.isRemembered) = ([.totp], true) },
        Row("6: remembered, required", .pass(isProven: false)) { ($0.factors, $0.isRemembered, $0.mode) = ([.totp], true, .required) },
        Row("7: enrolled", .ask([factor(.totp), factor(.webauthn)])) { $0.factors = [.totp, .webauthn] },
        Row("7: required", .ask([factor(.totp)])) { ($0.factors, $0.mode) = ([.totp], .required) },
        Row("7: remembered, at re-authentication", .ask([factor(.totp)])) {
            ($0.factors, $0.isRemembered, $0.moment) = ([.totp], true, .reauthentication)
        },
        Row("7: remembered, at a route", .ask([factor(.totp)])) { ($0.factors, $0.isRemembered, $0.moment) = ([.totp], true, .route) },
        Row("7: the address is not verified any more", .ask([factor(.totp)])) { ($0.factors, $0.isVerified) = ([.totp], false) },
        Row("7: with recovery codes", .ask([factor(.totp), factor(.recovery)])) { ($0.factors, $0.codes) = ([.totp, .recovery], 1) },
        Row("7: recovery codes are used up", .ask([factor(.totp)])) { $0.factors = [.totp, .recovery] },
        Row("7: one type is not enabled", .ask([factor(.totp)])) { $0.factors = [.phone, .totp] },
        Row("8: no type is enabled", .refuse(.multiFactorAuthRequired)) { $0.factors = [.phone] },
        Row("8: no type is enabled, remembered", .refuse(.multiFactorAuthRequired)) { ($0.factors, $0.isRemembered) = ([.phone], true) },
        Row("8: no type is enabled, required", .refuse(.multiFactorAuthRequired)) { ($0.factors, $0.mode) = ([.phone], .required) },
        Row("9: none", .pass(isProven: false)) { _ in },
        Row("9: none, at re-authentication", .pass(isProven: false)) { $0.moment = .reauthentication },
        Row("9: none, not verified", .pass(isProven: false)) { $0.isVerified = false },
        Row("10: none, required", .enrol([.totp, .webauthn])) { $0.mode = .required },
        Row("10: none, required, remembered", .enrol([.totp, .webauthn])) { ($0.mode, $0.isRemembered) = (.required, true) },
        Row("10: none, required, at re-authentication", .enrol([.totp, .webauthn])) {
            ($0.mode, $0.moment) = (.required, .reauthentication)
        },
        Row("10: none, at a route", .enrol([.totp, .webauthn])) { $0.moment = .route },
        Row("10: only recovery codes are enabled", .refuse(.multiFactorAuthRequired)) { ($0.mode, $0.types) = (.required, [.recovery]) },
        Row("11: none, required, not verified", .refuse(.unverifiedEmail)) { ($0.mode, $0.isVerified) = (.required, false) },
        Row("11: none, at a route, not verified", .refuse(.unverifiedEmail)) { ($0.moment, $0.isVerified) = (.route, false) },
    ]

    @Test("the table", arguments: Self.rows)
    func table(row: Row) {
        let account = Account(
            uid: "uid", email: EmailAddress("ada@example.com"), verification: row.isVerified ? .mail : nil, isAnonymous: row.isAnonymous,
            createdAt: 0)
        let facts = AccountFactors(account: account, factors: row.factors.map(Self.factor), recoveryCodes: row.codes)
        let situation = SecondFactorSituation(
            moment: row.moment, account: facts, isProvenByProvider: row.isProven, isBrowserRemembered: row.isRemembered)
        #expect(SecondFactorPolicy(mode: row.mode, types: row.types).decide(situation) == row.decision)
    }

    @Test(
        "what a provider proves",
        arguments: [
            (true, ["pwd", "mfa"], nil, true), (true, ["otp"], nil, true), (true, ["hwk"], nil, true), (true, ["swk"], nil, true),
            (true, ["fpt"], nil, true), (true, ["face"], nil, true), (true, ["sms"], nil, true), (true, ["pin", "hwk"], nil, true),
            (true, ["pin"], nil, false), (true, ["pwd"], nil, false), (true, ["pwd", "pin"], nil, false), (true, ["MFA"], nil, false),
            (true, ["user", "kba", "rba"], nil, false), (true, [], nil, false), (true, [], "gold", true), (true, ["pwd"], "phrh", true),
            (true, [], "silver", false), (true, [], "Gold", false), (false, ["mfa"], "gold", false),
        ] as [(Bool, [String], String?, Bool)])
    func provider(isTrusted: Bool, amr: [String], acr: String?, isProven: Bool) {
        #expect(ProviderSecondFactor.isProven(isTrusted: isTrusted, amr: amr, acr: acr, accepted: ["gold", "phrh"]) == isProven)
    }
}

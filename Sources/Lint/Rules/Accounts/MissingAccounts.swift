import Config
import Diagnostics

extension Rule {
    /// The keys that accounts need: the section itself for `password` and `anonymous`, and a key to seal with.
    static func missingAccountKeys(_ context: LintContext) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        if context.root.isPlainlyMissing("accounts"), let provider = context.ownProviders.first(where: \.isEnabled) {
            findings.append(
                Diagnostic(
                    .missingKey, at: context.root.span, "`accounts` is missing, and `\(provider.id)` needs it",
                    help: "add `accounts: { store: sqlite:./accounts.db, keys: [\"${file:./accounts.key}\"] }`",
                    related: [RelatedPlace("this provider", at: provider.idSpan)]))
        }
        if context.root.isPlainlyMissing("accounts"),
            context.root["secondFactor"]?.object.map({ $0["policy"]?.text != SecondFactorConfiguration.Policy.off.rawValue }) == true,
            let span = context.root.keySpan("secondFactor")
        {
            findings.append(
                Diagnostic(
                    .missingKey, at: context.root.span, "`accounts` is missing, and `secondFactor` needs it",
                    help: "add `accounts: { store: sqlite:./accounts.db, keys: [\"${file:./accounts.key}\"] }`",
                    related: [RelatedPlace("second factors", at: span)]))
        }
        if let object = context.root["secondFactor"]?.object,
            object["factors"]?.list?.contains(where: { $0.text == SecondFactorConfiguration.Factor.phone.rawValue }) == true,
            object.isPlainlyMissing("phone")
        {
            findings.append(
                Diagnostic(
                    .missingKey, at: object.span, "`phone` is missing in `secondFactor`, and the factor `phone` needs it",
                    help: "add `phone: { url: https://…, secret: \"${file:./sms.secret}\" }`"))
        }
        // An empty list counts as absent.
        if let accounts = context.accounts, let keys = accounts["keys"], keys.list?.isEmpty == true {
            findings.append(
                Diagnostic(
                    .missingKey, at: accounts.span, "`keys` is missing in `accounts`",
                    help: "run `gateway keygen session > accounts.key` and add `keys: [\"${file:./accounts.key}\"]`"))
        }
        return findings
    }
}

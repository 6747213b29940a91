import Config
import Diagnostics

extension RuleName {
    static let dotlessDomain = RuleName("dotless-domain", .warning)
}

extension Rule {
    static let dotlessDomain = Rule(
        .dotlessDomain, what: "An address pattern has a domain without a dot, like `*@example`.",
        why: "No mailbox has such an address, so no user matches. Usually, the top-level domain (such as `.com`) is missing.",
        instead: "Write the whole domain: `*@example.com`.",
        bad: Example(
            """
            routes: [{ path: /**, access: { emails: [«"*@example"»] } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        check: { context in
            context.accessRules.flatMap { _, rule in
                (rule["emails"]?.list ?? []).compactMap { item -> Diagnostic? in
                    // Development providers sign in users of `localhost`.
                    guard let text = item.text, let at = text.lastIndex(of: "@"), !text[at...].contains("."),
                        text[at...].lowercased() != "@localhost"
                    else { return nil }
                    return Diagnostic(
                        .dotlessDomain, at: item.referenceSpan, "no e-mail address has a domain without a dot",
                        label: "incomplete domain", help: "write the whole domain, like `*@example.com`")
                }
            }
        })
}

import Config
import Diagnostics

extension Rule {
    static let dotlessDomain = Rule(
        .dotlessDomain, what: "An address pattern names a domain without a dot, like `*@example`.",
        why: "Nobody has a mailbox there, so nobody passes; the end of the domain is usually what was forgotten.",
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
                    // Providers for trials sign in people of `localhost`.
                    guard let text = item.text, let at = text.lastIndex(of: "@"), !text[at...].contains("."),
                        text[at...].lowercased() != "@localhost"
                    else { return nil }
                    return Diagnostic(
                        .dotlessDomain, at: item.referenceSpan, "nobody has an address at a domain without a dot",
                        label: "only the beginning of a domain", help: "write the whole domain, like `*@example.com`")
                }
            }
        })
}

import Config
import Diagnostics

extension RuleName {
    static let forwardedToken = RuleName("forwarded-token", .note)
}

extension Rule {
    static let forwardedToken = Rule(
        .forwardedToken, what: "A header template sends the provider's tokens to the upstream.",
        why:
            "Anyone who can read the app's requests or logs can act as the user at the provider, within the granted scopes.",
        instead:
            "Send only what the app needs: name, address, groups. If the app calls the provider, request few scopes, and send the token with `requestHeaders` only on the routes that need it.",
        bad: Example(
            """
            identity: { headers: { Authorization: «"Bearer {{ accessToken }}"» } }
            """),
        good: Example(
            """
            identity: { headers: { X-User: "{{ username }}" } }
            """),
        check: { context in
            context.requestTemplates.compactMap { _, item in
                guard let token = LintContext.token(in: item) else { return nil }
                // `bound-token` already reports that this header is not sent.
                if token == "accessToken", context.bindingProvider != nil { return nil }
                return Diagnostic(
                    .forwardedToken, at: item.referenceSpan, "the upstream receives the user's `\(token)`",
                    label: "also valid outside this app",
                    help: "remove it unless the app calls the provider")
            }
        })
}

import Config
import Diagnostics

extension Rule {
    static let forwardedToken = Rule(
        .forwardedToken, what: "A header template hands the provider's tokens to the upstream.",
        why:
            "Whoever can read the requests or logs of the app can then act as the person at the provider, within the scopes that were granted.",
        instead:
            "Send only what the app needs: name, address, groups. If it does call the provider, grant few scopes, and give it the token on the routes that need it with their `requestHeaders`.",
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
                // `bound-token` has said that nothing is sent.
                if token == "accessToken", context.bindingProvider != nil { return nil }
                return Diagnostic(
                    .forwardedToken, at: item.referenceSpan, "the upstream receives the person's `\(token)`",
                    label: "good for more than this app",
                    help: "remove it unless the app calls the provider itself")
            }
        })
}

import Config
import Diagnostics

extension Rule {
    static let forwardedToken = Rule(
        .forwardedToken, what: "A header template hands the provider's tokens to the upstream.",
        why:
            "Whoever can read the requests or logs of the app can then act as the person at the provider, within the scopes that were granted.",
        instead: "Send only what the app needs: name, address, groups. If it does call the provider, grant few scopes.",
        bad: Example(
            """
            identity: { headers: { Authorization: «"Bearer {{ accessToken }}"» } }
            """),
        good: Example(
            """
            identity: { headers: { X-User: "{{ username }}" } }
            """),
        check: { context in
            let templates =
                (context.root["identity"]?.object?["headers"]?.map ?? []).map(\.item)
                + RoutingSections(context).edits(of: "requestHeaders").flatMap { $0.compactMap(\.value) }
            return templates.compactMap { item in
                guard let text = item.text, HeaderTemplateCheck.problem(in: text) == nil else { return nil }
                let names = text.split(whereSeparator: { !$0.isLetter }).map(String.init)
                guard let token = ["accessToken", "idToken"].first(where: names.contains), text.contains("{{") else { return nil }
                return Diagnostic(
                    .forwardedToken, at: item.referenceSpan, "the upstream receives the person's `\(token)`",
                    label: "good for more than this app",
                    help: "remove it unless the app calls the provider itself")
            }
        })
}

import Config
import Diagnostics

extension RuleName {
    static let invalidTemplate = RuleName("invalid-template")
}

extension Rule {
    static let invalidTemplate = Rule(
        .invalidTemplate, what: "The template of an identity header is malformed.",
        why: "The gateway cannot fill in the header, so the app would not receive the identity.",
        instead:
            "Write text with placeholders such as `{{ name }}`. Filters are optional: `{{ groups | join(\"|\") }}`, `| base64`, `| urlencode`.",
        bad: Example("identity: { headers: { X-User: «\"{{ user }}\"» } }\n"),
        good: Example("identity: { headers: { X-User: \"{{ username }}\", X-Groups: '{{ groups | join(\"|\") }}' } }\n"),
        check: { context in
            let sections = RoutingSections(context)
            let hasAccounts = !context.root.isPlainlyMissing("accounts")
            let templates =
                (context.root["identity"]?.object?["headers"]?.map ?? []).map(\.item)
                + sections.edits(of: "requestHeaders").flatMap { $0.compactMap(\.value) }
            let plain = sections.edits(of: "responseHeaders").flatMap { $0.compactMap(\.value) }
            return templates.compactMap { item in
                guard let text = item.text, let problem = HeaderTemplateCheck.problem(in: text, hasAccounts: hasAccounts)
                else { return nil }
                return Diagnostic(.invalidTemplate, at: item.referenceSpan, problem.message, label: problem.label, help: problem.help)
            }
                + plain.compactMap { item in
                    guard let text = item.text, text.contains("{{") else { return nil }
                    return Diagnostic(
                        .invalidTemplate, at: item.referenceSpan, "a response header cannot contain a template",
                        label: "sent as plain text",
                        help: "write the value as plain text; user data is available in request headers only")
                }
        })
}

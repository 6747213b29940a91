import Config
import Diagnostics

extension Rule {
    static let invalidTemplate = Rule(
        .invalidTemplate, what: "The template of an identity header cannot be read.",
        why: "A header that is never filled in leaves the app without the identity.",
        instead: "Write text with `{{ name }}`, perhaps `{{ groups | join(\"|\") }}`, `| base64`, `| urlencode`.",
        bad: Example("identity: { headers: { X-User: «\"{{ user }}\"» } }\n"),
        good: Example("identity: { headers: { X-User: \"{{ username }}\", X-Groups: '{{ groups | join(\"|\") }}' } }\n"),
        check: { context in
            let sections = RoutingSections(context)
            let templates =
                (context.root["identity"]?.object?["headers"]?.map ?? []).map(\.item)
                + sections.edits(of: "requestHeaders").flatMap { $0.compactMap(\.value) }
            let plain = sections.edits(of: "responseHeaders").flatMap { $0.compactMap(\.value) }
            return templates.compactMap { item in
                guard let text = item.text, let problem = HeaderTemplateCheck.problem(in: text) else { return nil }
                return Diagnostic(.invalidTemplate, at: item.referenceSpan, problem.message, label: problem.label, help: problem.help)
            }
                + plain.compactMap { item in
                    guard let text = item.text, text.contains("{{") else { return nil }
                    return Diagnostic(
                        .invalidTemplate, at: item.referenceSpan, "a response header is plain text", label: "sent as it stands",
                        help: "who the person is goes to the app only; write the value out")
                }
        })
}

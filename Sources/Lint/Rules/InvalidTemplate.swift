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
            (context.root["identity"]?.object?["headers"]?.map ?? []).compactMap { entry in
                guard let text = entry.item.text, let problem = HeaderTemplateCheck.problem(in: text) else { return nil }
                return Diagnostic(
                    .invalidTemplate, at: entry.item.referenceSpan, problem.message, label: problem.label, help: problem.help)
            }
        })
}

import YAML
import Config
import Diagnostics

extension Rule {
    static let invalidHeaderName = Rule(
        .invalidHeaderName, what: "The name of an identity header is not a valid HTTP header name.",
        why:
            "Header names consist of letters, digits and some punctuation (RFC 9110 section 5.6.2). Other characters make the request invalid.",
        instead: "Use letters, digits and `-`.",
        bad: Example("identity: { headers: { «\"X User\"»: \"{{ username }}\" } }\n"),
        good: Example("identity: { headers: { X-User: \"{{ username }}\" } }\n"),
        check: { context in
            (context.root["identity"]?.object?["headers"]?.map ?? []).compactMap { entry in
                guard !HeaderNames.isValid(entry.name) else { return nil }
                return Diagnostic(
                    .invalidHeaderName, at: entry.key.span, "`\(entry.name)` is not a valid header name", label: "not allowed",
                    help: "use letters, digits and `-`")
            }
        })
}

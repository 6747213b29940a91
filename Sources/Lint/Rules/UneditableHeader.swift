import Access
import Config
import Diagnostics
import HTTPWire
import YAML

extension Rule {
    static let uneditableHeader = Rule(
        .uneditableHeader, what: "A header is edited that is not for editing, or edited twice.",
        why:
            "Framing, hop-by-hop, forwarding and identity headers are what the gateway's promises stand on: with an edit, messages could be read in two ways, or a person be somebody else.",
        instead: "Choose another name. Who somebody is goes into `identity.headers`, other origins into `cors`.",
        bad: Example(
            """
            routes: [{ path: /app/**, requestHeaders: { set: { «X-Forwarded-User»: guest } } }]
            """),
        good: Example(
            """
            routes: [{ path: /app/**, requestHeaders: { set: { X-Tenant: acme }, remove: [Authorization] } }]
            """),
        check: { context in
            let sections = RoutingSections(context)
            let own = FoldedNameSet(names: IdentityHeaders.configuredNames(context.configuration.identity))
            let requests = sections.edits(of: "requestHeaders").flatMap { edits in
                edits.compactMap { edit in UneditableHeaders.reason(inRequests: edit.name, identity: own).map { finding(edit, $0) } }
                    + repetitions(edits)
            }
            let responses = sections.edits(of: "responseHeaders").flatMap { edits in
                edits.compactMap { edit in
                    UneditableHeaders.reason(inResponses: edit.name, isSet: edit.value != nil).map { finding(edit, $0) }
                } + repetitions(edits)
            }
            return requests + responses
        })

    private static func repetitions(_ edits: [RoutingSections.Edit]) -> [Diagnostic] {
        var first: [String: SourceSpan] = [:]
        return edits.compactMap { edit in
            guard let place = first.updateValue(edit.nameSpan, forKey: HeaderNames.folded(edit.name)) else { return nil }
            return Diagnostic(
                .uneditableHeader, at: edit.nameSpan, "`\(edit.name)` is edited twice", label: "the same header to many apps",
                help: "`set` removes what the other side sent by itself; keep one of the two",
                related: [RelatedPlace("the other one", at: place)])
        }
    }

    private static func finding(_ edit: RoutingSections.Edit, _ reason: HeaderEditError.Reason) -> Diagnostic {
        let (label, help) = words(reason)
        return Diagnostic(.uneditableHeader, at: edit.nameSpan, "`\(edit.name)` cannot be edited", label: label, help: help)
    }

    private static func words(_ reason: HeaderEditError.Reason) -> (String, String) {
        switch reason {
        case .framing: ("part of how messages are framed and connections kept", "remove it; the gateway sets it where it belongs")
        case .ours: ("set by the gateway on every request", "remove it; `trustedProxies` says whose values are believed")
        case .identity: ("says who the person is", "use `identity.headers`, or another name")
        case .cookie: ("cookies are kept apart from the gateway's own", "let the app set and read its cookies")
        case .crossOrigin: ("decided for each page", "use `cors`")
        case .invalidName: ("not a header name", "use letters, digits and `-`")
        case .invalidValue, .repeated, .template: ("not possible", "remove it")
        }
    }
}

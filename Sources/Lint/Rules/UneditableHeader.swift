import Access
import Config
import Diagnostics
import HTTPWire
import YAML

extension RuleName {
    static let uneditableHeader = RuleName("uneditable-header")
}

extension Rule {
    static let uneditableHeader = Rule(
        .uneditableHeader, what: "`requestHeaders` or `responseHeaders` edits a reserved header, or the same header twice.",
        why:
            "The gateway's security depends on framing, hop-by-hop, forwarding and identity headers. An edit could enable request smuggling, or change the user's identity.",
        instead: "Choose another name. Use `identity.headers` for the user's identity, and `cors` for other origins.",
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
                .uneditableHeader, at: edit.nameSpan, "`\(edit.name)` is edited twice", label: "many apps treat both as one header",
                help: "keep one of the two",
                related: [RelatedPlace("the other edit", at: place)])
        }
    }

    private static func finding(_ edit: RoutingSections.Edit, _ reason: HeaderEditError.Reason) -> Diagnostic {
        let (label, help) = words(reason)
        return Diagnostic(.uneditableHeader, at: edit.nameSpan, "`\(edit.name)` cannot be edited", label: label, help: help)
    }

    private static func words(_ reason: HeaderEditError.Reason) -> (String, String) {
        switch reason {
        case .framing: ("controls message framing or the connection", "remove it; the gateway sets it itself")
        case .ours: ("set by the gateway on every request", "remove it; `trustedProxies` lists the proxies whose values are accepted")
        case .identity: ("carries the user's identity", "use `identity.headers`, or another name")
        case .cookie: ("would mix the app's cookies with the gateway's", "set and read cookies in the app")
        case .crossOrigin: ("depends on the calling page", "use `cors`")
        case .invalidName: ("not a valid header name", "use letters, digits and `-`")
        case .invalidValue, .repeated, .template: ("not possible", "remove it")
        }
    }
}

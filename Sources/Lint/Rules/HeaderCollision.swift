import Config
import Diagnostics
import YAML

extension Rule {
    static let headerCollision = Rule(
        .headerCollision, what: "Two identity headers fold to one name, or one is a header that the gateway or HTTP itself sets.",
        why: "Many apps read `X-User` and `x_user` as the same thing; which value they see would be chance.",
        instead: "Give each header a name of its own.",
        bad: Example("identity: { headers: { X-User: \"{{ username }}\", «x_user»: \"{{ email }}\" } }\n"),
        good: Example("identity: { headers: { X-User: \"{{ username }}\", X-Email: \"{{ email }}\" } }\n"),
        check: { context in
            guard let headers = context.root["identity"]?.object?["headers"] else { return [] }
            let names: [(String, Node)] =
                headers.map?.map { ($0.name, $0.key) } ?? headers.oneOrMany.compactMap { item in item.text.map { ($0, item.node) } }
            let isMap = headers.map != nil
            var first: [String: SourceSpan] = [:]
            return names.compactMap { name, node in
                let folded = HeaderNames.folded(name)
                if isMap, HeaderNames.owned.contains(folded) {
                    return Diagnostic(
                        .headerCollision, at: node.span, "`\(name)` is set by the gateway itself", label: "not for an identity",
                        help: "choose another name")
                }
                guard let place = first[folded] else {
                    first[folded] = node.span
                    return nil
                }
                return Diagnostic(
                    .headerCollision, at: node.span,
                    isMap ? "`\(name)` is the same header as an earlier one to many apps" : "the profile `\(name)` is listed twice",
                    label: "collides", help: isMap ? "choose another name; case and punctuation do not count" : "remove one of the two",
                    related: [RelatedPlace("the earlier one", at: place)])
            }
        })
}

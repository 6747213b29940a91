import Config
import Diagnostics
import YAML

extension Rule {
    static let duplicateParameter = Rule(
        .duplicateParameter, what: "A parameter name stands twice in one map or list, perhaps in another case.",
        why: "A request must not carry a parameter twice (RFC 6749 section 3.1), and which of the two the provider reads is open.",
        instead: "Remove one of the two.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters: { ui_locales: fr, «UI_Locales»: de }
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                customParameters: { ui_locales: fr }
            """),
        check: { context in
            let lists = context.providers.flatMap { provider in
                [provider.object["requestParameters"], provider.object["reservedParameters"]]
            }
            let maps = context.providers.map { $0.object["customParameters"]?.map ?? [] }
            return (lists + [context.root["reservedParameters"]]).flatMap { list in
                duplicates(list?.list?.compactMap { item in item.text.map { ($0, item.node) } } ?? [])
            } + maps.flatMap { duplicates($0.map { ($0.name, $0.key) }) }
        })

    private static func duplicates(_ names: [(name: String, node: Node)]) -> [Diagnostic] {
        var first: [String: SourceSpan] = [:]
        return names.compactMap { name, node in
            guard let place = first[name.lowercased()] else {
                first[name.lowercased()] = node.span
                return nil
            }
            return Diagnostic(
                .duplicateParameter, at: node.span, "the parameter `\(name)` appears twice", label: "second time here",
                help: "remove one of the two; names are compared without case", related: [RelatedPlace("first time here", at: place)])
        }
    }
}

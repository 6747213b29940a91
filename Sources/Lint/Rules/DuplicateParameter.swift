import Config
import Diagnostics
import YAML

extension RuleName {
    static let duplicateParameter = RuleName("duplicate-parameter")
}

extension Rule {
    static let duplicateParameter = Rule(
        .duplicateParameter, what: "A map or list names the same parameter twice. Upper and lower case are not distinguished.",
        why: "A request must not contain a parameter twice (RFC 6749 section 3.1), and the provider may read either one.",
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
                help: "remove one of the two; case does not matter", related: [RelatedPlace("first time here", at: place)])
        }
    }
}

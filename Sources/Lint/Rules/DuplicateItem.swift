import Config
import Diagnostics

extension RuleName {
    static let duplicateItem = RuleName("duplicate-item", .warning)
}

extension Rule {
    static let duplicateItem = Rule(
        .duplicateItem, what: "A list contains the same value twice.",
        why: "The second entry has no effect. Often, one of the two should be a different value.",
        instead: "Remove one of the two.",
        bad: Example(
            """
            routes: [{ path: /**, access: { groups: [staff, «staff»] } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, access: { groups: [staff, admins] } }]
            """),
        check: { context in
            var lists: [(items: [Item], ignoringCase: Bool)] = []
            for (_, rule) in context.accessRules {
                lists += [(rule["emails"]?.list ?? [], true)] + ["groups", "users", "providers"].map { (rule[$0]?.list ?? [], false) }
                lists.append((rule["networks"]?.list ?? [], true))
                lists += (rule["claims"]?.map ?? []).map { ($0.item.list ?? [], false) }
            }
            lists += context.routes.map { ($0.object["methods"]?.list ?? [], false) }
            for provider in context.providers {
                lists += ["additionalAudiences", "idTokenAlgorithms"].map { (provider.object[$0]?.list ?? [], false) }
                lists.append((provider.object["trustedDomains"]?.list ?? [], true))
            }
            lists += ["trustedProxies", "allowedRedirects"].map { (context.server?[$0]?.list ?? [], true) }
            return lists.flatMap { duplicates(in: $0.items, ignoringCase: $0.ignoringCase) }
        })

    private static func duplicates(in items: [Item], ignoringCase: Bool) -> [Diagnostic] {
        guard items.count > 1 else { return [] }
        var first: [String: SourceSpan] = [:]
        return items.compactMap { item in
            guard let text = item.expanded?.text, !text.isEmpty else { return nil }
            let folded = ignoringCase ? text.lowercased() : text
            guard let place = first[folded] else {
                first[folded] = item.referenceSpan
                return nil
            }
            return Diagnostic(
                .duplicateItem, at: item.referenceSpan, "this is listed twice", label: "second time here", help: "remove one of the two",
                related: [RelatedPlace("first time here", at: place)])
        }
    }
}

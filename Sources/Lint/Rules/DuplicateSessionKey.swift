import Config
import Diagnostics

extension RuleName {
    static let duplicateSessionKey = RuleName("duplicate-session-key", .warning)
}

extension Rule {
    static let duplicateSessionKey = Rule(
        .duplicateSessionKey, what: "A session key or account key is listed twice.",
        why: "The first key seals new sessions. Listing the same key twice does not rotate keys.",
        instead: "Put a new key first (`gateway keygen session`), and keep the old one after it until its sessions have ended.",
        bad: Example(
            """
            session: { keys: ["${file:./session.key}", "«${file:session.key}»"] }
            """),
        good: Example(
            """
            session: { keys: ["${file:./session.key}"] }
            """),
        check: { context in
            duplicates(in: context.session?["keys"]?.list ?? [], "session key")
                + duplicates(in: context.accounts?["keys"]?.list ?? [], "account key")
        })

    private static func duplicates(in items: [Item], _ noun: String) -> [Diagnostic] {
        var first: [[UInt8]: SourceSpan] = [:]
        return items.compactMap { item in
            guard case .key(let key) = item.scalar else { return nil }
            guard let place = first[key] else {
                first[key] = item.referenceSpan
                return nil
            }
            return Diagnostic(
                .duplicateSessionKey, at: item.referenceSpan, "this \(noun) is listed twice", label: "rotates nothing",
                help: "create a new key with `gateway keygen session`, or remove this one",
                related: [RelatedPlace("first time here", at: place)])
        }
    }
}

import Config
import Diagnostics

extension RuleName {
    static let duplicateSessionKey = RuleName("duplicate-session-key", .warning)
}

extension Rule {
    static let duplicateSessionKey = Rule(
        .duplicateSessionKey, what: "A session key is listed twice.",
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
            var first: [[UInt8]: SourceSpan] = [:]
            return (context.session?["keys"]?.list ?? []).compactMap { item in
                guard case .key(let key) = item.scalar else { return nil }
                guard let place = first[key] else {
                    first[key] = item.referenceSpan
                    return nil
                }
                return Diagnostic(
                    .duplicateSessionKey, at: item.referenceSpan, "this session key is listed twice", label: "rotates nothing",
                    help: "create a new key with `gateway keygen session`, or remove this one",
                    related: [RelatedPlace("first time here", at: place)])
            }
        })
}

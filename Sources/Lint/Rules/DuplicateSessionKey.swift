import Config
import Diagnostics

extension Rule {
    static let duplicateSessionKey = Rule(
        .duplicateSessionKey, what: "A session key is listed twice.",
        why: "A rotation has been begun and never made: the key that seals is still the old one.",
        instead: "Put a fresh key in front (`gateway keygen session`) and keep the old one behind it until its sessions have ended.",
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
                    .duplicateSessionKey, at: item.referenceSpan, "this is the same key as an earlier one", label: "nothing is rotated",
                    help: "make a fresh one with `gateway keygen session`, or remove it",
                    related: [RelatedPlace("the earlier one", at: place)])
            }
        })
}

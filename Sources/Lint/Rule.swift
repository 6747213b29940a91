package import Diagnostics

/// A rule: its page, and its check unless the YAML reader or the decoder reports it.
package struct Rule: Sendable {
    /// A configuration example. `«…»` marks the text that the rule reports; `completed` adds what a whole file needs.
    package struct Example: Sendable {
        private let marked: String
        private let isWhole: Bool
        /// The environment variables of the example.
        package let variables: [String: String]

        /// - Parameter isWhole: whether the text is a whole file.
        init(_ marked: String, whole isWhole: Bool = false, variables: [String: String] = [:]) {
            self.marked = marked
            self.isWhole = isWhole
            self.variables = variables
        }

        /// The text without the marks.
        package var text: String { String(String.UnicodeScalarView(marked.unicodeScalars.filter { $0 != "«" && $0 != "»" })) }

        /// The offset and length of each mark.
        package var marks: [Range<Int>] {
            var marks: [Range<Int>] = []
            var start = 0
            var offset = 0
            for scalar in marked.unicodeScalars {
                switch scalar {
                case "«": start = offset
                case "»": marks.append(start..<offset)
                default: offset += UTF8.width(scalar)
                }
            }
            return marks
        }

        /// The example as a whole file. Adds each required top-level key that the example lacks.
        package var completed: String {
            guard !isWhole else { return text }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let missing = Self.rest.filter { block in !lines.contains { $0.hasPrefix(block.key + ":") } }
            return text + (text.hasSuffix("\n") ? "" : "\n") + missing.map(\.text).joined()
        }

        private static let rest: [(key: String, text: String)] = [
            ("version", "version: 1\n"),
            ("server", "server: { publicURL: https://app.example.com }\n"),
            ("upstream", "upstream: http://127.0.0.1:8080\n"),
            (
                "providers",
                """
                providers:
                  - id: oidc.acme
                    issuer: https://auth.example.com
                    clientID: acme-web
                    clientSecret: ${env:ACME_CLIENT_SECRET}

                """
            ),
            ("session", "session: { keys: [\"${file:./session.key}\"] }\n"),
        ]
    }

    package let name: RuleName
    /// The findings of the rule, in one sentence.
    package let what: String
    package let why: String
    /// The advice for a finding.
    package let instead: String
    /// A bad example; nil if none exists.
    package let bad: Example?
    package let good: Example
    let check: (@Sendable (LintContext) -> [Diagnostic])?
    /// The check of a rule that needs `--online`.
    let online: (@Sendable (OnlineContext) -> [Diagnostic])?
    /// The network results with which the bad example is reported.
    let badAnswers: OnlineExample?

    package var isOnline: Bool { online != nil }

    init(
        _ name: RuleName, what: String, why: String, instead: String, bad: Example?, good: Example,
        check: (@Sendable (LintContext) -> [Diagnostic])? = nil
    ) {
        self.init(name, what: what, why: why, instead: instead, bad: bad, good: good, badAnswers: nil, check: check, online: nil)
    }

    /// Creates a rule that compares with network results.
    init(
        _ name: RuleName, what: String, why: String, instead: String, bad: Example, badAnswers: OnlineExample, good: Example,
        online: @escaping @Sendable (OnlineContext) -> [Diagnostic]
    ) {
        self.init(name, what: what, why: why, instead: instead, bad: bad, good: good, badAnswers: badAnswers, check: nil, online: online)
    }

    private init(
        _ name: RuleName, what: String, why: String, instead: String, bad: Example?, good: Example, badAnswers: OnlineExample?,
        check: (@Sendable (LintContext) -> [Diagnostic])?, online: (@Sendable (OnlineContext) -> [Diagnostic])?
    ) {
        self.name = name
        self.what = what
        self.why = why
        self.instead = instead
        self.bad = bad
        self.good = good
        self.check = check
        self.online = online
        self.badAnswers = badAnswers
    }
}

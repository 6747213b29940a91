package import Diagnostics

/// One rule: its page, and its check unless the reader of YAML and structure reports it itself.
package struct Rule: Sendable {
    /// A piece of configuration. `«…»` marks the place that the rule reports; what a whole file needs besides is added
    /// by `completed`.
    package struct Example: Sendable {
        private let marked: String
        private let isWhole: Bool
        /// The environment that the example stands for, where it matters.
        package let variables: [String: String]

        /// - Parameter isWhole: nothing is added to the text.
        init(_ marked: String, whole isWhole: Bool = false, variables: [String: String] = [:]) {
            self.marked = marked
            self.isWhole = isWhole
            self.variables = variables
        }

        /// As it is shown, without the marks.
        package var text: String { String(String.UnicodeScalarView(marked.unicodeScalars.filter { $0 != "«" && $0 != "»" })) }

        /// The offset and length of each marked place.
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

        /// The example as a whole file: each top-level key that a working configuration needs and the example does not
        /// show is added behind it.
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
    /// What is reported, in one sentence.
    package let what: String
    package let why: String
    /// What to do about a finding.
    package let instead: String
    /// Nil only while nothing of the kind exists.
    package let bad: Example?
    package let good: Example
    let check: (@Sendable (LintContext) -> [Diagnostic])?
    /// The check of a rule that needs `--online`.
    let online: (@Sendable (OnlineContext) -> [Diagnostic])?
    /// What the network says when the bad example is to be reported.
    let badAnswers: OnlineExample?

    package var isOnline: Bool { online != nil }

    init(
        _ name: RuleName, what: String, why: String, instead: String, bad: Example?, good: Example,
        check: (@Sendable (LintContext) -> [Diagnostic])? = nil
    ) {
        self.init(name, what: what, why: why, instead: instead, bad: bad, good: good, badAnswers: nil, check: check, online: nil)
    }

    /// A rule that compares with what the network says.
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

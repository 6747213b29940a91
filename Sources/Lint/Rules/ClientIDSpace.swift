import Config
import Diagnostics
import YAML

extension RuleName {
    static let clientIDSpace = RuleName("client-id-space", .warning)
}

extension Rule {
    static let clientIDSpace = Rule(
        .clientIDSpace, what: "A client ID contains white space.",
        why:
            "Often, the white space was copied with the value, or is part of the file or variable. The provider then rejects the client ID as unknown.",
        instead: "Remove the white space. A reference to a file removes one line break at the end of the file, but no other white space.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: «"acme-web "»
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        check: { context in
            context.providers.compactMap { provider in
                guard let item = provider.object["clientID"], let text = item.text,
                    text.unicodeScalars.contains(where: \.properties.isWhitespace),
                    !Placeholder.matches(text)
                else { return nil }
                let trimmed = text.split(whereSeparator: \.isWhitespace).joined()
                let canFix =
                    item.expanded?.isLiteral == true && item.node.anchor == nil && item.node.scalar?.style == .doubleQuoted
                    && trimmed.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
                return Diagnostic(
                    .clientIDSpace, at: item.referenceSpan, "the client ID contains white space", label: "unknown to the provider",
                    help: "remove the white space",
                    fix: canFix ? Fix(safe: false, [.init(replacing: item.span, with: "\"\(trimmed)\"")]) : nil)
            }
        })
}

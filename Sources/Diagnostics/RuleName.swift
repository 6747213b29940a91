/// The name of a rule, which is public interface, and the severity of its findings.
///
/// Each rule's file in `Sources/Lint/Rules` declares the rule's name. The names of rules that the YAML reader or the decoder reports are
/// declared here, because `Lint` is above them.
package struct RuleName: Sendable, Hashable {
    package let rawValue: String
    /// The severity of this rule's findings unless a finding sets its own.
    package let severity: Severity

    package init(_ rawValue: String, _ severity: Severity = .error) {
        self.rawValue = rawValue
        self.severity = severity
    }
}

extension RuleName {
    package static let yamlSyntax = RuleName("yaml-syntax")
    package static let yamlTag = RuleName("yaml-tag")
    package static let yamlMergeKey = RuleName("yaml-merge-key")
    package static let yamlLimits = RuleName("yaml-limits")
    package static let trailingComma = RuleName("trailing-comma")
    package static let foreignConfiguration = RuleName("foreign-configuration")
    package static let yaml11Boolean = RuleName("yaml-1.1-boolean")
    package static let duplicateKey = RuleName("duplicate-key")
    package static let unknownKey = RuleName("unknown-key")
    package static let wrongType = RuleName("wrong-type")
    package static let missingKey = RuleName("missing-key")
    package static let invalidValue = RuleName("invalid-value")
    package static let unsupportedVersion = RuleName("unsupported-version")
    package static let unresolvedReference = RuleName("unresolved-reference")
    package static let weakSecret = RuleName("weak-secret")
    package static let nonStringParameter = RuleName("non-string-parameter")
    package static let parameterValue = RuleName("parameter-value", .warning)
    package static let invalidIssuer = RuleName("invalid-issuer")
    package static let insecureURL = RuleName("insecure-url")
    package static let implicitFlow = RuleName("implicit-flow")
    package static let publicURL = RuleName("public-url")
    package static let cookieDomain = RuleName("cookie-domain")
    package static let unanchoredDomain = RuleName("unanchored-domain")
    package static let invalidHeaderName = RuleName("invalid-header-name")
    package static let upgradeProtocol = RuleName("upgrade-protocol")
    package static let unknownProvider = RuleName("unknown-provider")
}

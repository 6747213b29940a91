/// The names of all rules. Raw values are public interface.
///
/// Rules report from the YAML reader, the decoder, the linter and the `--online` checks;
/// each name has a page that `gateway explain` prints.
package enum RuleName: String, Sendable, Hashable, CaseIterable {
    case yamlSyntax = "yaml-syntax"
    case yamlTag = "yaml-tag"
    case yamlMergeKey = "yaml-merge-key"
    case yamlLimits = "yaml-limits"
    case trailingComma = "trailing-comma"
    case foreignConfiguration = "foreign-configuration"
    case yaml11Boolean = "yaml-1.1-boolean"
    case duplicateKey = "duplicate-key"
    case unknownKey = "unknown-key"
    case unsupportedKey = "unsupported-key"
    case deprecatedKey = "deprecated-key"
    case wrongType = "wrong-type"
    case missingKey = "missing-key"
    case invalidValue = "invalid-value"
    case unsupportedVersion = "unsupported-version"
    case unresolvedReference = "unresolved-reference"
    case literalSecret = "literal-secret"
    case placeholderValue = "placeholder-value"
    case weakSecret = "weak-secret"
    case secretFilePermissions = "secret-file-permissions"
    case reservedParameter = "reserved-parameter"
    case translatedParameter = "translated-parameter"
    case unknownParameter = "unknown-parameter"
    case duplicateParameter = "duplicate-parameter"
    case nonStringParameter = "non-string-parameter"
    case parameterValue = "parameter-value"
    case unknownProvider = "unknown-provider"
    case duplicateProvider = "duplicate-provider"
    case invalidProviderID = "invalid-provider-id"
    case missingClientSecret = "missing-client-secret"
    case unusedClientSecret = "unused-client-secret"
    case invalidIssuer = "invalid-issuer"
    case insecureURL = "insecure-url"
    case implicitFlow = "implicit-flow"
    case duplicateScope = "duplicate-scope"
    case unknownScope = "unknown-scope"
    case scopeMismatch = "scope-mismatch"
    case missingBaseScope = "missing-base-scope"
    case publicURL = "public-url"
    case untrustedEveryone = "untrusted-everyone"
    case missingSessionKey = "missing-session-key"
    case sessionTimeout = "session-timeout"
    case cookieDomain = "cookie-domain"
    case hostWithoutSignIn = "host-without-sign-in"
    case processLocalSessions = "process-local-sessions"
    case unreachableRoute = "unreachable-route"
    case publicEverything = "public-everything"
    case routeShadowsGateway = "route-shadows-gateway"
    case unanchoredDomain = "unanchored-domain"
    case unverifiedEmailRule = "unverified-email-rule"
    case noAccessRule = "no-access-rule"
    case headerCollision = "header-collision"
    case invalidHeaderName = "invalid-header-name"
    case invalidTemplate = "invalid-template"
    case invalidPageTemplate = "invalid-page-template"
    case invalidPageLogo = "invalid-page-logo"
    case sameSiteNone = "same-site-none"
    case listenConflict = "listen-conflict"
    case exposedAdmin = "exposed-admin"
    case missingTrustedProxies = "missing-trusted-proxies"
    case shortHMACSecret = "short-hmac-secret"
    case trustEmailAnyone = "trust-email-anyone"
    case invalidUserID = "invalid-user-id"
    case duplicateItem = "duplicate-item"
    case duplicateSessionKey = "duplicate-session-key"
    case unconfiguredProvider = "unconfigured-provider"
    case noEnabledProvider = "no-enabled-provider"
    case regexPath = "regex-path"
    case foreignCapture = "foreign-capture"
    case trailingSlash = "trailing-slash"
    case hostPort = "host-port"
    case upstreamLoop = "upstream-loop"
    case unspecifiedUpstream = "unspecified-upstream"
    case mixedUpstream = "mixed-upstream"
    case duplicateTarget = "duplicate-target"
    case tlsWithoutHTTPS = "tls-without-https"
    case unpairedCertificate = "unpaired-certificate"
    case ineffectiveEjection = "ineffective-ejection"
    case dividedConnectionLimit = "divided-connection-limit"
    case upstreamPort = "upstream-port"
    case timeoutOrder = "timeout-order"
    case smallHeaderLimit = "small-header-limit"
    case smallBodyLimit = "small-body-limit"
    case shortSession = "short-session"
    case forwardedToken = "forwarded-token"
    case bearerProvider = "bearer-provider"
    case unprovenBearer = "unproven-bearer"
    case missingEndpoint = "missing-endpoint"
    case boundToken = "bound-token"
    case assertionKey = "assertion-key"
    case unusedAccessTokens = "unused-access-tokens"
    case underscoreHeader = "underscore-header"
    case unverifiedEmailHeader = "unverified-email-header"
    case scopeSeparator = "scope-separator"
    case openidWithoutOIDC = "openid-without-oidc"
    case endpointHost = "endpoint-host"
    case repeatedEndpoint = "repeated-endpoint"
    case emptyAccess = "empty-access"
    case emptyCondition = "empty-condition"
    case noAlternative = "no-alternative"
    case noGroupSource = "no-group-source"
    case ineffectiveMaxAge = "ineffective-max-age"
    case signInLoop = "sign-in-loop"
    case publicMailDomain = "public-mail-domain"
    case dotlessDomain = "dotless-domain"
    case literalWildcard = "literal-wildcard"
    case emailClaimRule = "email-claim-rule"
    case mutableSubject = "mutable-subject"
    case secretAsClientID = "secret-as-client-id"
    case clientIDSpace = "client-id-space"
    case unusedPrivateKey = "unused-private-key"
    case unusedKeyID = "unused-key-id"
    case unusablePrivateKey = "unusable-private-key"
    case unusedProviderKey = "unused-provider-key"
    case conflictingParameters = "conflicting-parameters"
    case filteredGroup = "filtered-group"
    case secretDefault = "secret-default"
    case secretParameter = "secret-parameter"
    case promptNone = "prompt-none"
    case languageTag = "language-tag"
    case parameterFormat = "parameter-format"
    case overridableRestriction = "overridable-restriction"
    case redundantReservation = "redundant-reservation"
    case redundantRedirect = "redundant-redirect"
    case loopbackRedirect = "loopback-redirect"
    case traceLogging = "trace-logging"
    case fullQueryLog = "full-query-log"
    case explainedDenials = "explained-denials"
    case sharedLogFile = "shared-log-file"
    case longDrainDelay = "long-drain-delay"
    case networkHostBits = "network-host-bits"
    case ambiguousDisplayName = "ambiguous-display-name"
    case sensitivePublicPath = "sensitive-public-path"
    case plainPortHTTPS = "plain-port-https"
    case uncoveredSubpaths = "uncovered-subpaths"
    case conflictingKeys = "conflicting-keys"
    case invalidRewrite = "invalid-rewrite"
    case invalidRedirect = "invalid-redirect"
    case redirectLoop = "redirect-loop"
    case uneditableHeader = "uneditable-header"
    case corsWildcard = "cors-wildcard"
    case corsSameSite = "cors-same-site"
    case redundantOrigin = "redundant-origin"
    case upgradeProtocol = "upgrade-protocol"
    case proxyProtocolPeers = "proxy-protocol-peers"
    case highBodyRate = "high-body-rate"
    case discoveryUnreachable = "discovery-unreachable"
    case issuerMismatch = "issuer-mismatch"
    case pkceUnsupported = "pkce-unsupported"
    case codeFlowUnsupported = "code-flow-unsupported"
    case responseModeUnsupported = "response-mode-unsupported"
    case scopeUnsupported = "scope-unsupported"
    case clientAuthenticationUnsupported = "client-authentication-unsupported"
    case algorithmUnsupported = "algorithm-unsupported"
    case noUsableKey = "no-usable-key"
    case insecureEndpoint = "insecure-endpoint"
    case clockSkew = "clock-skew"
    case upstreamUnreachable = "upstream-unreachable"
    case sessionStoreUnreachable = "session-store-unreachable"
    case ignoreWithoutReason = "ignore-without-reason"
    case unusedIgnore = "unused-ignore"
    case certificateUnreadable = "certificate-unreadable"
    case certificateInvalid = "certificate-invalid"
    case certificateKeyMismatch = "certificate-key-mismatch"
    case certificateExpired = "certificate-expired"
    case certificateHost = "certificate-host"
    case tlsPublicURL = "tls-public-url"

    /// The severity of this rule's findings unless a finding sets its own: error, except for the rules listed here.
    package var severity: Severity {
        if Self.warnings.contains(self) { return .warning }
        return Self.notes.contains(self) ? .note : .error
    }

    private static let warnings: Set<RuleName> = [
        .certificateUnreadable,
        .certificateExpired,
        .certificateHost,
        .tlsPublicURL,
        .literalSecret,
        .secretFilePermissions,
        .unknownParameter,
        .parameterValue,
        .unusedClientSecret,
        .duplicateScope,
        .unknownScope,
        .missingSessionKey,
        .processLocalSessions,
        .sessionTimeout,
        .unreachableRoute,
        .publicEverything,
        .unverifiedEmailRule,
        .noAccessRule,
        .discoveryUnreachable,
        .pkceUnsupported,
        .codeFlowUnsupported,
        .responseModeUnsupported,
        .scopeUnsupported,
        .clientAuthenticationUnsupported,
        .algorithmUnsupported,
        .noUsableKey,
        .insecureEndpoint,
        .clockSkew,
        .upstreamUnreachable,
        .sessionStoreUnreachable,
        .deprecatedKey,
        .unusedIgnore,
        .emptyAccess,
        .emptyCondition,
        .noAlternative,
        .noGroupSource,
        .ineffectiveMaxAge,
        .signInLoop,
        .dotlessDomain,
        .publicMailDomain,
        .literalWildcard,
        .emailClaimRule,
        .mutableSubject,
        .clientIDSpace,
        .unusedPrivateKey,
        .unusedKeyID,
        .unusedProviderKey,
        .conflictingParameters,
        .filteredGroup,
        .secretDefault,
        .secretParameter,
        .promptNone,
        .languageTag,
        .parameterFormat,
        .overridableRestriction,
        .redundantReservation,
        .redundantRedirect,
        .loopbackRedirect,
        .traceLogging,
        .fullQueryLog,
        .explainedDenials,
        .sharedLogFile,
        .longDrainDelay,
        .networkHostBits,
        .ambiguousDisplayName,
        .sensitivePublicPath,
        .plainPortHTTPS,
        .sameSiteNone,
        .exposedAdmin,
        .shortHMACSecret,
        .trustEmailAnyone,
        .invalidUserID,
        .duplicateItem,
        .duplicateSessionKey,
        .unconfiguredProvider,
        .noEnabledProvider,
        .regexPath,
        .foreignCapture,
        .trailingSlash,
        .hostPort,
        .unspecifiedUpstream,
        .duplicateTarget,
        .ineffectiveEjection,
        .dividedConnectionLimit,
        .upstreamPort,
        .timeoutOrder,
        .smallHeaderLimit,
        .smallBodyLimit,
        .shortSession,
        .underscoreHeader,
        .unverifiedEmailHeader,
        .scopeSeparator,
        .openidWithoutOIDC,
        .endpointHost,
        .repeatedEndpoint,
        .boundToken,
        .unusedAccessTokens,
        .corsSameSite,
        .redundantOrigin,
        .highBodyRate,
    ]

    private static let notes: Set<RuleName> = [
        .missingTrustedProxies,
        .forwardedToken,
        .uncoveredSubpaths,
    ]
}

import Diagnostics

/// Every rule, in the order in which `gateway explain` lists them.
package enum RuleRegistry {
    package static let rules: [Rule] = [
        .yamlSyntax, .yamlTag, .yamlMergeKey, .yamlLimits, .yaml11Boolean, .duplicateKey, .unknownKey, .unsupportedKey, .deprecatedKey,
        .wrongType, .missingKey, .invalidValue, .unsupportedVersion, .unresolvedReference, .literalSecret, .placeholderValue, .weakSecret,
        .secretFilePermissions, .reservedParameter, .translatedParameter, .unknownParameter, .duplicateParameter, .nonStringParameter,
        .parameterValue, .unknownProvider, .duplicateProvider, .invalidProviderID, .missingClientSecret, .unusedClientSecret,
        .invalidIssuer, .insecureURL, .implicitFlow, .duplicateScope, .unknownScope, .scopeMismatch, .missingBaseScope, .publicURL,
        .untrustedEveryone, .missingSessionKey, .sessionTimeout, .cookieDomain, .unreachableRoute, .publicEverything,
        .routeShadowsGateway, .unanchoredDomain, .unverifiedEmailRule, .noAccessRule, .headerCollision, .invalidHeaderName,
        .invalidTemplate, .sameSiteNone, .listenConflict, .exposedAdmin, .missingTrustedProxies, .shortHMACSecret, .trustEmailAnyone,
        .invalidUserID, .duplicateItem, .duplicateSessionKey, .unconfiguredProvider, .noEnabledProvider, .regexPath, .foreignCapture,
        .trailingSlash, .hostPort, .upstreamLoop, .unspecifiedUpstream, .timeoutOrder, .smallHeaderLimit, .smallBodyLimit, .shortSession,
        .forwardedToken, .underscoreHeader, .unverifiedEmailHeader, .scopeSeparator, .openidWithoutOIDC, .endpointHost, .repeatedEndpoint,
        .emptyAccess, .noAlternative, .ineffectiveMaxAge, .signInLoop, .publicMailDomain, .literalWildcard, .emailClaimRule,
        .mutableSubject, .secretAsClientID, .clientIDSpace, .unusedPrivateKey, .unusedKeyID, .unusablePrivateKey, .unusedProviderKey,
        .conflictingParameters, .secretDefault,
        .secretParameter, .promptNone, .languageTag, .parameterFormat, .overridableRestriction, .redundantReservation, .redundantRedirect,
        .loopbackRedirect, .traceLogging, .networkHostBits, .ambiguousDisplayName, .sensitivePublicPath, .plainPortHTTPS,
        .uncoveredSubpaths, .discoveryUnreachable, .issuerMismatch, .pkceUnsupported, .codeFlowUnsupported, .responseModeUnsupported,
        .scopeUnsupported, .clientAuthenticationUnsupported, .algorithmUnsupported, .noUsableKey, .insecureEndpoint, .clockSkew,
        .upstreamUnreachable, .ignoreWithoutReason, .unusedIgnore,
    ]

    package static func rule(named name: String) -> Rule? {
        rules.first { $0.name.rawValue == name }
    }
}

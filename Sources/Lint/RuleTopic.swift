package import Diagnostics

/// A section of the index of rules. Each rule belongs to exactly one topic.
package enum RuleTopic: CaseIterable, Sendable {
    case file, secrets, providers, parameters, access, sessions, routes, upstreams, identity, bearer, listeners, operations, online

    package var title: String {
        switch self {
        case .file: "The configuration file"
        case .secrets: "Secrets and keys"
        case .providers: "Providers"
        case .parameters: "Scopes and authorization parameters"
        case .access: "Users and access rules"
        case .sessions: "Sessions and cookies"
        case .routes: "Routes"
        case .upstreams: "Upstreams"
        case .identity: "Identity headers and pages"
        case .bearer: "Bearer tokens and cross-origin requests"
        case .listeners: "Listeners, TLS and proxies"
        case .operations: "Limits, timeouts and logs"
        case .online: "Checks that connect (`--online`)"
        }
    }

    package var rules: [RuleName] {
        switch self {
        case .file:
            [
                .yamlSyntax, .trailingComma, .foreignConfiguration, .yamlTag, .yamlMergeKey, .yamlLimits, .yaml11Boolean, .duplicateKey,
                .unknownKey, .unsupportedKey,
                .deprecatedKey, .wrongType, .missingKey, .invalidValue, .unsupportedVersion, .conflictingKeys, .duplicateItem,
                .ignoreWithoutReason, .unusedIgnore,
            ]
        case .secrets:
            [
                .unresolvedReference, .literalSecret, .placeholderValue, .weakSecret, .secretFilePermissions, .secretDefault,
                .missingClientSecret, .unusedClientSecret, .secretAsClientID, .secretParameter, .shortHMACSecret, .unusedPrivateKey,
                .unusedKeyID, .unusablePrivateKey, .missingSessionKey, .duplicateSessionKey, .assertionKey,
            ]
        case .providers:
            [
                .unknownProvider, .duplicateProvider, .invalidProviderID, .noEnabledProvider, .ambiguousDisplayName, .clientIDSpace,
                .invalidIssuer, .insecureURL, .implicitFlow, .missingEndpoint, .endpointHost, .repeatedEndpoint, .openidWithoutOIDC,
                .unusedProviderKey, .trustEmailAnyone, .mutableSubject,
            ]
        case .parameters:
            [
                .duplicateScope, .unknownScope, .scopeMismatch, .missingBaseScope, .scopeSeparator, .reservedParameter,
                .redundantReservation, .translatedParameter, .unknownParameter, .duplicateParameter, .nonStringParameter,
                .parameterValue, .parameterFormat, .conflictingParameters, .promptNone, .languageTag, .overridableRestriction,
            ]
        case .access:
            [
                .noAccessRule, .emptyAccess, .noAlternative, .emptyCondition, .noGroupSource, .unconfiguredProvider, .unanchoredDomain,
                .publicMailDomain, .dotlessDomain, .literalWildcard, .unverifiedEmailRule, .emailClaimRule, .filteredGroup, .invalidUserID,
                .signInLoop,
                .ineffectiveMaxAge,
            ]
        case .sessions:
            [
                .sessionTimeout, .shortSession, .cookieDomain, .hostWithoutSignIn, .sameSiteNone, .processLocalSessions,
                .redundantRedirect, .loopbackRedirect,
            ]
        case .routes:
            [
                .unreachableRoute, .publicEverything, .sensitivePublicPath, .uncoveredSubpaths, .routeShadowsGateway, .regexPath,
                .foreignCapture, .trailingSlash, .hostPort, .invalidRewrite, .invalidRedirect, .redirectLoop, .uneditableHeader,
            ]
        case .upstreams:
            [
                .upstreamLoop, .upstreamPort, .unspecifiedUpstream, .mixedUpstream, .duplicateTarget, .tlsWithoutHTTPS,
                .unpairedCertificate, .ineffectiveEjection, .dividedConnectionLimit, .upgradeProtocol,
            ]
        case .identity:
            [
                .headerCollision, .invalidHeaderName, .underscoreHeader, .invalidTemplate, .unverifiedEmailHeader, .forwardedToken,
                .boundToken, .invalidPageTemplate, .invalidPageLogo, .explainedDenials,
            ]
        case .bearer:
            [.bearerProvider, .unprovenBearer, .unusedAccessTokens, .corsWildcard, .corsSameSite, .redundantOrigin]
        case .listeners:
            [
                .publicURL, .tlsPublicURL, .plainPortHTTPS, .listenConflict, .exposedAdmin, .missingTrustedProxies,
                .untrustedEveryone, .proxyProtocolPeers, .networkHostBits, .certificateUnreadable, .certificateInvalid,
                .certificateKeyMismatch, .certificateExpired, .certificateHost,
            ]
        case .operations:
            [
                .timeoutOrder, .longDrainDelay, .smallHeaderLimit, .smallBodyLimit, .highBodyRate, .traceLogging, .fullQueryLog,
                .sharedLogFile,
            ]
        case .online:
            [
                .discoveryUnreachable, .issuerMismatch, .pkceUnsupported, .codeFlowUnsupported, .responseModeUnsupported,
                .scopeUnsupported, .clientAuthenticationUnsupported, .algorithmUnsupported, .noUsableKey, .insecureEndpoint,
                .clockSkew, .upstreamUnreachable, .sessionStoreUnreachable,
            ]
        }
    }
}

extension RulePages {
    /// The index of the rule pages by topic, as Markdown.
    package static var index: String {
        let sections = RuleTopic.allCases.map { topic in
            let rows = topic.rules.compactMap { RuleRegistry.rule(named: $0.rawValue) }.map { rule in
                let name = rule.name.rawValue
                return "| [`\(name)`](\(name).md) | \(rule.name.severity.rawValue) | \(rule.what) |\n"
            }
            return "\n## \(topic.title)\n\n| rule | severity | reports |\n|---|---|---|\n" + rows.joined()
        }
        return """
            # Rules

            This page lists every rule that `gateway validate` checks, by topic. Each rule has a page with a bad and a good example;
            `gateway explain RULE` prints the same page. An error prevents the gateway from starting; a warning does not.

            """ + sections.joined()
    }
}

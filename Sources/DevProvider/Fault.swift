/// One way in which the provider misbehaves. Every one has a name for the control surface, such as `id-token.expired`.
package enum Fault: Hashable, Sendable {
    /// The endpoint's answer is broken as a whole.
    case answer(Endpoint, Breakage)
    case discovery(DiscoveryFault)
    case keys(KeySetFault)
    case callback(CallbackFault)
    case token(TokenFault)
    case refresh(RefreshFault)
    case idToken(IDTokenFault)
    case signature(SignatureFault)
    case userinfo(UserinfoFault)
    case gitHub(GitHubFault)
    case emulation(EmulationFault)
    case pushed(PushedFault)
    case introspected(IntrospectionFault)
    case accessToken(AccessTokenFault)
    case proof(ProofFault)

    package static let all: [Fault] =
        Endpoint.allCases.filter { $0 != .redirectFollowed }
        .flatMap { endpoint in Breakage.allCases.map { .answer(endpoint, $0) } }
        + DiscoveryFault.allCases.map(Fault.discovery) + KeySetFault.allCases.map(Fault.keys)
        + CallbackFault.allCases.map(Fault.callback) + TokenFault.allCases.map(Fault.token)
        + RefreshFault.allCases.map(Fault.refresh) + IDTokenFault.allCases.map(Fault.idToken)
        + SignatureFault.allCases.map(Fault.signature)
        + UserinfoFault.allCases.map(Fault.userinfo) + GitHubFault.allCases.map(Fault.gitHub)
        + EmulationFault.allCases.map(Fault.emulation)
        + PushedFault.allCases.map(Fault.pushed) + IntrospectionFault.allCases.map(Fault.introspected)
        + AccessTokenFault.allCases.map(Fault.accessToken) + ProofFault.allCases.map(Fault.proof)

    package var name: String {
        switch self {
        case .answer(let endpoint, let breakage): "\(endpoint.rawValue).\(breakage.rawValue)"
        case .discovery(let fault): "metadata.\(fault.rawValue)"
        case .keys(let fault): "keys.\(fault.rawValue)"
        case .callback(let fault): "callback.\(fault.rawValue)"
        case .token(let fault): "token-response.\(fault.rawValue)"
        case .refresh(let fault): "refreshing.\(fault.rawValue)"
        case .idToken(let fault): "id-token.\(fault.rawValue)"
        case .signature(let fault): "id-token.\(fault.rawValue)"
        case .userinfo(let fault): "claims.\(fault.rawValue)"
        case .gitHub(let fault): "github.\(fault.rawValue)"
        case .emulation(let fault): "emulation.\(fault.rawValue)"
        case .pushed(let fault): "pushing.\(fault.rawValue)"
        case .introspected(let fault): "introspected.\(fault.rawValue)"
        case .accessToken(let fault): "access-token.\(fault.rawValue)"
        case .proof(let fault): "proof.\(fault.rawValue)"
        }
    }

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    package init?(name: String) {
        guard let fault = Fault.byName[name] else { return nil }
        self = fault
    }
}

/// What is counted, and what can break as a whole.
package enum Endpoint: String, Sendable, Hashable, CaseIterable {
    case discovery, jwks, authorization, token, refresh, userinfo
    case endSession = "end-session"
    case revocation
    case introspection
    case pushedAuthorization = "pushed-authorization"
    case gitHubAuthorization = "github-authorization"
    case gitHubToken = "github-token"
    case gitHubUser = "github-user"
    case gitHubEmails = "github-emails"
    case gitHubOrganisations = "github-orgs"
    case gitHubTeams = "github-teams"
    case facebookAuthorization = "facebook-authorization"
    case facebookToken = "facebook-token"
    case facebookMe = "facebook-me"
    case facebookDebugToken = "facebook-debug-token"
    case graphGroups = "graph-groups"
    /// A client followed the redirect of `Breakage.redirect`.
    case redirectFollowed = "redirect-followed"
}

/// How an answer as a whole can be useless.
package enum Breakage: String, Sendable, Hashable, CaseIterable {
    case internalError = "500"
    case unavailable = "503"
    /// 200 with a web page.
    case html
    /// 200 with an empty body.
    case empty
    /// Valid but for 10 MiB of padding.
    case huge
    /// The first half of the JSON.
    case truncated
    /// The JSON with its first member twice, a hostile value first.
    case duplicateMembers = "duplicate-members"
    /// An array around the JSON.
    case array
    /// The right JSON as `text/html`.
    case wrongContentType = "wrong-content-type"
    /// 307 to an address of this provider that gives the right answer.
    case redirect
    /// The right answer, late.
    case slow
    /// No answer at all.
    case never
    /// The connection is closed instead.
    case close
}

package enum DiscoveryFault: String, Sendable, Hashable, CaseIterable {
    case otherIssuer = "other-issuer"
    /// The issuer with a slash at the end, or without the one it has.
    case issuerSlash = "issuer-slash"
    case issuerMissing = "issuer-missing"
    case tokenEndpointMissing = "token-endpoint-missing"
    case jwksMissing = "jwks-missing"
    /// `code_challenge_methods_supported` lists `plain` only.
    case plainPKCEOnly = "plain-pkce-only"
    /// `code_challenge_methods_supported` is absent; the endpoints go on checking PKCE.
    case pkceUnadvertised = "pkce-unadvertised"
    case withoutUserinfo = "without-userinfo"
    case withoutEndSession = "without-end-session"
    case withoutRevocation = "without-revocation"
    /// RFC 9207 support is not advertised; `iss` is still sent.
    case issuerParameterUnadvertised = "iss-unadvertised"
    /// Plain http endpoints on another host.
    case insecureEndpoints = "insecure-endpoints"
    /// The list of ID-token algorithms says `none` and `HS256` only.
    case weakAlgorithms = "weak-algorithms"
}

package enum KeySetFault: String, Sendable, Hashable, CaseIterable {
    /// Our key says `use: enc`.
    case encryptionOnly = "encryption-only"
    /// Encryption keys stand beside ours.
    case encryptionKeysToo = "encryption-keys-too"
    /// Keys of unknown types and half-formed ones stand before ours.
    case oddKeysToo = "odd-keys-too"
    /// No key has a `kid`; neither has the ID token's header.
    case withoutKeyIDs = "without-key-ids"
    /// Nineteen others stand before ours.
    case twentyKeys = "twenty-keys"
    /// Our `kid` belongs to an RSA key of 1024 bits.
    case weakRSA = "weak-rsa"
    case emptySet = "empty-set"
    /// Our key is not in the set.
    case missingKey = "missing-key"
    /// Our key says another `alg`.
    case otherAlgorithm = "other-algorithm"
    /// A symmetric key with our `kid`.
    case symmetricKey = "symmetric-key"
}

package enum CallbackFault: String, Sendable, Hashable, CaseIterable {
    case issuerWrong = "iss-wrong"
    case issuerMissing = "iss-missing"
    case issuerSlash = "iss-slash"
    case issuerTwice = "iss-twice"
    case stateMissing = "state-missing"
    case stateWrong = "state-wrong"
    case stateTwice = "state-twice"
    case codeMissing = "code-missing"
    case codeTwice = "code-twice"
    case codeUnknown = "code-unknown"
    /// A code of 4 KiB, which is legitimate.
    case codeLong = "code-long"
    case codeAndError = "code-and-error"
    /// `error=server_error` with markup in the description.
    case hostileError = "hostile-error"
    case temporarilyUnavailable = "temporarily-unavailable"
    /// Unknown parameters beside the right ones, which is legitimate.
    case extraParameters = "extra-parameters"
}

package enum TokenFault: String, Sendable, Hashable, CaseIterable {
    case typeMissing = "type-missing"
    case typeUnknown = "type-unknown"
    /// `bearer`, which is legitimate (RFC 6749 section 7.1).
    case typeLowerCase = "type-lower-case"
    case accessTokenMissing = "access-token-missing"
    case accessTokenNumber = "access-token-number"
    case idTokenMissing = "id-token-missing"
    case idTokenGarbage = "id-token-garbage"
    case expiresInMissing = "expires-in-missing"
    case expiresInString = "expires-in-string"
    case expiresInNegative = "expires-in-negative"
    case expiresInHuge = "expires-in-huge"
    /// 64 arrays in one another.
    case deep
    /// `invalid_grant` with status 200.
    case errorWithStatus200 = "error-with-status-200"
    case invalidGrant = "invalid-grant"
    case invalidClient = "invalid-client"
}

package enum RefreshFault: String, Sendable, Hashable, CaseIterable {
    case invalidGrant = "invalid-grant"
    /// The answer has no new refresh token; the old one stays good (RFC 6749 section 6).
    case keepsToken = "keeps-token"
    case withoutIDToken = "without-id-token"
    /// The refreshed ID token belongs to somebody else.
    case otherSubject = "other-subject"
    case otherAudience = "other-audience"
    case otherAuthTime = "other-auth-time"
    /// The refreshed ID token has a nonce that was never sent.
    case otherNonce = "other-nonce"
}

package enum UserinfoFault: String, Sendable, Hashable, CaseIterable {
    case subjectMismatch = "sub-mismatch"
    case subjectMissing = "sub-missing"
    case unauthorized
    /// `email_verified` is the string `true`.
    case emailVerifiedString = "email-verified-string"
    case emailUnverified = "email-unverified"
    case groupsString = "groups-string"
    /// Names and groups with line ends and control characters.
    case hostileValues = "hostile-values"
}

package enum GitHubFault: String, Sendable, Hashable, CaseIterable {
    /// `bad_verification_code` with status 200, as always.
    case badVerificationCode = "bad-verification-code"
    case incorrectClientCredentials = "incorrect-client-credentials"
    case emailsEmpty = "emails-empty"
    case emailsUnverified = "emails-unverified"
    /// 404, as without the scope `user:email`.
    case emailsNotFound = "emails-not-found"
    case idMissing = "id-missing"
    case idString = "id-string"
    case badCredentials = "bad-credentials"
    /// 403, as when an organisation has not approved the app.
    case organisationsForbidden = "orgs-forbidden"
}

/// What can be wrong with an ID token's claims: the table of OpenID Connect Core 3.1.3.7.
package enum IDTokenFault: String, Sendable, Hashable, CaseIterable {
    // Step 2
    case issuerSuffix = "iss-suffix"
    case issuerSlash = "iss-slash"
    case issuerUpperCase = "iss-upper-case"
    case issuerMissing = "iss-missing"
    case issuerArray = "iss-array"
    // Step 3
    case audienceMissing = "aud-missing"
    case audienceOther = "aud-other"
    case audienceCase = "aud-case"
    case audienceUntrusted = "aud-untrusted"
    case audienceNumber = "aud-number"
    /// `[client_id]`, which is legitimate.
    case audienceArray = "aud-array"
    // Steps 4 and 5
    case authorizedPartyOther = "azp-other"
    /// Two audiences and our `azp`.
    case audienceUntrustedWithParty = "aud-untrusted-azp"
    // Step 9
    case expired = "expired"
    case expiryMissing = "exp-missing"
    case expiryString = "exp-string"
    case expiryHuge = "exp-huge"
    case expiryNegative = "exp-negative"
    // Step 10
    case issuedAtMissing = "iat-missing"
    case issuedAtOld = "iat-old"
    case issuedAtFuture = "iat-future"
    case notBeforeFuture = "nbf-future"
    // Step 11
    case nonceMissing = "nonce-missing"
    case nonceWrong = "nonce-wrong"
    // Step 13
    case authTimeMissing = "auth-time-missing"
    case authTimeOld = "auth-time-old"
    // Others
    case subjectMissing = "sub-missing"
    case subjectEmpty = "sub-empty"
    case subjectNumber = "sub-number"
    case subjectLong = "sub-long"
    case accessTokenHashWrong = "at-hash-wrong"
    case accessTokenHashMissing = "at-hash-missing"
}

/// What can be wrong with an ID token's header and signature: steps 6 and 7 of the table, and the attacks of RFC 8725.
package enum SignatureFault: String, Sendable, Hashable, CaseIterable {
    case flippedSignature = "signature-flipped"
    case emptySignature = "signature-empty"
    case otherKey = "other-key"
    case algorithmNone = "alg-none"
    case algorithmNoneMixedCase = "alg-none-mixed-case"
    case publicKeyAsSecret = "hs256-public-key"
    case clientSecretAsKey = "hs256-client-secret"
    case otherAlgorithm = "alg-other"
    case keyIDUnknown = "kid-unknown"
    case keyIDMissing = "kid-missing"
    case keyIDPath = "kid-path"
    case keyIDHuge = "kid-huge"
    /// `jku`, `x5u` and `jwk` point at a key of the attacker, who signed.
    case embeddedKey = "embedded-key"
    case criticalHeader = "crit"
    case duplicateMembers = "duplicate-members"
    case notJSON = "not-json"
    /// An access token of RFC 9068 in its place.
    case typeAccessToken = "typ-access-token"
    /// A logout token in its place.
    case logoutToken = "logout-token"
}

/// What can be wrong with a pushed authorization request's answer (RFC 9126 section 2.2).
package enum PushedFault: String, Sendable, Hashable, CaseIterable {
    /// `invalid_request` with status 400.
    case invalidRequest = "invalid-request"
    case requestURIMissing = "request-uri-missing"
    case requestURINumber = "request-uri-number"
    case expiryMissing = "expiry-missing"
    case expiryNegative = "expiry-negative"
    /// The reference has expired when it is used.
    case expired
    /// 200 instead of 201, which is tolerated.
    case status200 = "status-200"
}

/// What can be wrong with an introspection answer (RFC 7662 section 2.2).
package enum IntrospectionFault: String, Sendable, Hashable, CaseIterable {
    case inactive
    /// `active` is the string `true`.
    case activeString = "active-string"
    case activeMissing = "active-missing"
    case audienceOther = "aud-other"
    /// No `aud`; `client_id` is ours, which is legitimate.
    case audienceMissing = "aud-missing"
    /// No `aud`, and the token was issued to another client.
    case clientOther = "client-other"
    case issuerOther = "iss-other"
    case subjectMissing = "sub-missing"
    case expired
    /// Bound to a key of its holder.
    case bound
    case scopesMissing = "scopes-missing"
}

/// What can be wrong with a JWT access token (RFC 9068 sections 2 and 4).
package enum AccessTokenFault: String, Sendable, Hashable, CaseIterable {
    /// `typ` is `JWT`, as an ID token's.
    case typeJWT = "typ-jwt"
    case issuerOther = "iss-other"
    case audienceOther = "aud-other"
    case audienceMissing = "aud-missing"
    /// `aud` is the client's ID, as an ID token's.
    case audienceClient = "aud-client"
    case expired
    case expiryMissing = "exp-missing"
    case subjectMissing = "sub-missing"
    case bound
    case scopesMissing = "scopes-missing"
    case otherKey = "other-key"
    case keyIDUnknown = "kid-unknown"
    /// HS256 with the client secret.
    case clientSecretAsKey = "hs256-client-secret"
}

/// What can be wrong about DPoP (RFC 9449) besides the proof itself, which is always checked.
package enum ProofFault: String, Sendable, Hashable, CaseIterable {
    /// Tokens are issued unbound although a proof came.
    case ignored
    /// `use_dpop_nonce` whatever comes.
    case nonceForever = "nonce-forever"
}

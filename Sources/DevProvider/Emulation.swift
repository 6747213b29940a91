/// A provider of the world that the local one can stand for in tests: what it documents to do differently, errors included.
package enum Emulation: String, Sendable, CaseIterable {
    /// developer.yahoo.com/sign-in-with-yahoo: scopes must be exactly those of the console; no PKCE is advertised.
    case yahoo
    /// developers.google.com/identity/openid-connect: `hd` in the ID token, a refresh token only with `access_type=offline`.
    case google
    /// developer.apple.com: form_post when name or email is asked for, the client secret a JWT, the name told once.
    case apple
    /// learn.microsoft.com/entra/identity-platform: an issuer for each tenant, `oid`, groups that do not fit.
    case microsoft
    /// developers.facebook.com: Graph answers and errors, `appsecret_proof`, `debug_token`.
    case facebook

    /// What Yahoo's console grants in tests.
    static let yahooScopes: Set<String> = ["openid", "profile", "email", "mail-r", "sdct-w"]
    /// The directory of the people in tests.
    static let tenantID = "72f988bf-86f1-41af-91ab-2d7cd011db47"
}

/// How an emulated provider's answers differ from the good case.
package enum EmulationFault: String, Sendable, Hashable, CaseIterable {
    /// Any provider: no `sid` in ID tokens.
    case noSessionID = "no-session-id"
    /// Google: the account is of no Workspace domain.
    case googleNoDomain = "google-no-domain"
    case googleOtherDomain = "google-other-domain"
    /// Facebook: the access token was issued to another app.
    case facebookOtherApp = "facebook-other-app"
    case facebookTokenInvalid = "facebook-token-invalid"
    /// Facebook: the access token is another person's.
    case facebookOtherPerson = "facebook-other-person"
    case facebookNoEmail = "facebook-no-email"
    /// Microsoft: `iss` is another tenant's than `tid`.
    case microsoftForeignIssuer = "microsoft-foreign-issuer"
    /// Microsoft: a personal account.
    case microsoftPersonal = "microsoft-personal"
    /// Microsoft: the groups do not fit into the token.
    case microsoftOverage = "microsoft-overage"
    /// Microsoft: Graph refuses to list the groups.
    case graphForbidden = "graph-forbidden"
    /// Microsoft: the next page of groups is elsewhere.
    case graphElsewhere = "graph-elsewhere"
}

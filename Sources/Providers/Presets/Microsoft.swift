// Sources: learn.microsoft.com/entra/identity-platform: v2-protocols-oidc, id-token-claims-reference, access-token-claims-reference
// (groups overage), optional-claims-reference (xms_edov); learn.microsoft.com/graph/api/user-list-transitivememberof.
extension ProviderPreset {
    static let microsoft: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "microsoft.com", "Microsoft", issuer: "{base}/{tenant}/v2.0", requires: [.tenant], admission: .anyoneInTenants,
            parameters: [
                .init("prompt", ["none", "login", "consent", "select_account"], "page that Microsoft must show"),
                .init("domain_hint", "the directory's domain, to skip the page that asks for it"),
            ],
            consoleSteps: [
                "On entra.microsoft.com under App registrations, register an application with {redirectURI} as a redirect URI of type Web.",
                "Add {loggedOutURI} as a second redirect URI of type Web. Even after sign-out, Microsoft redirects to registered addresses only.",
                "Under Certificates & secrets, create a client secret. Alternatively, upload the certificate of a `privateKey` (RSA), and set `keyID` to its SHA-256 thumbprint in base64url.",
                "Under Token configuration, add the optional claims email and xms_edov to the ID token. Without xms_edov, no address counts as verified.",
                "For groups, add the groups claim there, and request the scope GroupMember.Read.All. With this scope, the gateway can read groups that do not fit into a token.",
            ])
        preset.baseURL = "https://login.microsoftonline.com"
        preset.clientAuthentication = .post
        // `sub` differs between applications; `oid` identifies the user within a directory.
        preset.claims.subject = "oid"
        preset.claims.emailVerified = "xms_edov"
        preset.readsLooseBooleans = true
        preset.habits.hasTenantIssuers = true
        // v2-protocols-oidc, "Send a sign-out request": `logout_hint` takes the optional claim `login_hint`.
        preset.habits.logout = .standard(.logoutHint(claim: "login_hint"))
        preset.habits.keyAlgorithms = ["RS256", "PS256"]
        // certificate-credentials: the key is identified by its certificate's SHA-256 thumbprint.
        preset.habits.assertionKeyHeader = "x5t#S256"
        preset.habits.groupEndpoints = [
            .init(
                trigger: .overage, url: "{userinfoOrigin}/v1.0/me/transitiveMemberOf?$select=id&$top=999", list: "value", parts: ["id"],
                only: .init(path: "@odata.type", text: "#microsoft.graph.group"), nextPage: "@odata.nextLink",
                headers: [.init(name: "ConsistencyLevel", value: "eventual")])
        ]
        preset.quirks = [
            "`tenant` is the directory's id or domain, or `common`, `organizations` or `consumers`. `iss` must match the token's own `tid`. To admit only certain directories, add the rule `claims: { tid: […] }`.",
            "A user is identified by the directory (`tid`) and `oid`, which are the same for every application. The address never identifies a user.",
            "An address counts as verified only if the optional claim `xms_edov` says so.",
            "With more than 200 groups, the token contains none. The gateway reads them from Microsoft Graph with the user's access token.",
            "Groups are object ids. Use `groups.rename` to give them names.",
        ]
        return preset
    }()
}

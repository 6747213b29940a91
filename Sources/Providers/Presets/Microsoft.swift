// Sources: learn.microsoft.com/entra/identity-platform: v2-protocols-oidc, id-token-claims-reference, access-token-claims-reference
// (groups overage), optional-claims-reference (xms_edov); learn.microsoft.com/graph/api/user-list-transitivememberof.
extension ProviderPreset {
    static let microsoft: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "microsoft.com", "Microsoft", issuer: "{base}/{tenant}/v2.0", requires: [.tenant], admission: .anyoneInTenants,
            parameters: [
                .init("prompt", ["none", "login", "consent", "select_account"], "which page Microsoft must show"),
                .init("domain_hint", "the directory's domain, to skip the page that asks for it"),
            ],
            consoleSteps: [
                "entra.microsoft.com, App registrations: register an application with {redirectURI} as redirect URI of type Web.",
                "Add {loggedOutURI} as a second redirect URI of type Web: Microsoft returns from its sign-out only to registered ones.",
                "Certificates & secrets: make a client secret; or upload the certificate of a `privateKey` (RSA), with its SHA-256 thumbprint in base64url as `keyID`.",
                "Token configuration: add the optional claims email and xms_edov to the ID token; without xms_edov no address counts as verified.",
                "For groups: add the groups claim there, and ask for the scope GroupMember.Read.All, which lets the gateway read what does not fit into a token.",
            ])
        preset.baseURL = "https://login.microsoftonline.com"
        preset.clientAuthentication = .post
        // `sub` is another one for each application, `oid` within a directory is the person.
        preset.claims.subject = "oid"
        preset.claims.emailVerified = "xms_edov"
        preset.readsLooseBooleans = true
        preset.habits.hasTenantIssuers = true
        // v2-protocols-oidc, "Send a sign-out request": `logout_hint` takes the optional claim `login_hint`.
        preset.habits.logout = .standard(.logoutHint(claim: "login_hint"))
        preset.habits.keyAlgorithms = ["RS256", "PS256"]
        // certificate-credentials: the key is named by its certificate's SHA-256 thumbprint.
        preset.habits.assertionKeyHeader = "x5t#S256"
        preset.habits.groupEndpoints = [
            .init(
                trigger: .overage, url: "{userinfoOrigin}/v1.0/me/transitiveMemberOf?$select=id&$top=999", list: "value", parts: ["id"],
                only: .init(path: "@odata.type", text: "#microsoft.graph.group"), nextPage: "@odata.nextLink",
                headers: [.init(name: "ConsistencyLevel", value: "eventual")])
        ]
        preset.quirks = [
            "`tenant` is the directory's id or domain, or `common`, `organizations`, `consumers`. `iss` must be that of the token's own `tid`; narrow several directories with a rule `claims: { tid: […] }`.",
            "A person is the directory (`tid`) and `oid` in it, the same for every application; an address is never who somebody is.",
            "An address is verified only where the optional claim `xms_edov` says so.",
            "With more than 200 groups the token names none; they are read from Microsoft Graph with the person's access token.",
            "Groups are object ids; `groups.rename` gives them names.",
        ]
        return preset
    }()
}

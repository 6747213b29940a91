// Sources: developer.apple.com/documentation/signinwithapplerestapi (authorize, token, generating client secrets, user identifiers)
// and /documentation/signinwithapple/incorporating-sign-in-with-apple-into-other-platforms (form_post, the `user` field).
extension ProviderPreset {
    static let apple: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "apple.com", "Apple", issuer: "https://appleid.apple.com", requires: [.privateKey], admission: .anyone,
            scopes: ["openid", "name", "email"],
            consoleSteps: [
                "developer.apple.com, Certificates, Identifiers & Profiles, Identifiers: register a Services ID; its identifier is `clientID`.",
                "Configure Sign in with Apple on it: choose the primary App ID, the domain of {redirectURI}, and {redirectURI} as Return URL. It must be https and no IP address or localhost.",
                "Keys: make a key with Sign in with Apple and download it once: the file is `privateKey`, its ID `keyID`. `teamID` is at the top right of the page.",
            ])
        preset.parameters = [.init("locale", "language of the pages")]
        preset.issuerAliases = ["https://account.apple.com"]
        // A name or an address asked for makes form_post mandatory.
        preset.responseMode = .formPost
        preset.clientAuthentication = .post
        preset.needsSecret = false
        preset.readsLooseBooleans = true
        preset.claims = ClaimMapping(subject: "sub", email: "email", emailVerified: "email_verified")
        preset.knownScopes = ["openid", "name", "email"]
        preset.habits.signsClientSecret = true
        preset.habits.keyAlgorithms = ["ES256"]
        preset.habits.sendsUserField = true
        preset.quirks = [
            "The client secret is a JWT that the gateway signs with `privateKey` for each request; nothing has to be renewed.",
            "Apple tells the person's name at the first sign-in only, unsigned: it is shown, never used in rules.",
            "The answer comes as a form POST from Apple's site, so the sign-in's cookie is `SameSite=None; Secure`.",
            "A person may hide their address behind a relay address of Apple's, `…@privaterelay.appleid.com`.",
        ]
        return preset
    }()
}

// Sources: developer.apple.com/documentation/signinwithapplerestapi (authorize, token, generating client secrets, user identifiers)
// and /documentation/signinwithapple/incorporating-sign-in-with-apple-into-other-platforms (form_post, the `user` field).
extension ProviderPreset {
    static let apple: ProviderPreset = {
        var preset = ProviderPreset.openID(
            "apple.com", "Apple", issuer: "https://appleid.apple.com", requires: [.privateKey], admission: .anyone,
            scopes: ["openid", "name", "email"],
            consoleSteps: [
                "On developer.apple.com under Certificates, Identifiers & Profiles, Identifiers, register a Services ID. Its identifier is `clientID`.",
                "Configure Sign in with Apple for it: choose the primary App ID, the domain of {redirectURI}, and {redirectURI} as the Return URL. Apple requires https, and accepts neither IP addresses nor localhost.",
                "Under Keys, create a key with Sign in with Apple. You can download it only once. Set `privateKey` to the file, `keyID` to the key's ID, and `teamID` to the ID at the top right of the page.",
            ])
        preset.parameters = [.init("locale", "language of the pages")]
        preset.issuerAliases = ["https://account.apple.com"]
        // Apple requires form_post when the scopes include a name or an address.
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
            "The client secret is a JWT that the gateway signs with `privateKey` for each request. You never have to renew it.",
            "Apple sends the user's name at the first sign-in only, unsigned. The gateway displays it but does not use it in rules.",
            "Apple returns the code in a cross-site form POST, so the sign-in cookie is `SameSite=None; Secure`.",
            "Users may hide their address behind an Apple relay address, `…@privaterelay.appleid.com`.",
        ]
        return preset
    }()
}

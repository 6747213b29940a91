/// The page of `auth/credential-already-in-use` (409): the identity to link belongs to another account.
package struct CredentialInUsePage: LocalizedPage {
    package var site: PageSite
    /// The provider of the identity.
    package var provider: SignInPage.Provider
    /// The identity's address at that provider; nil if it has none.
    package var email: String?
    /// Where the sign-in to the other account begins; nil for `{pathPrefix}/login/{provider}` and back to the account page.
    package var signIn: LinkTarget?
    package var status: Int { 409 }

    package init(site: PageSite, provider: SignInPage.Provider, email: String? = nil, signIn: LinkTarget? = nil) {
        self.site = site
        self.provider = provider
        self.email = email
        self.signIn = signIn
    }

    package static let code = "auth/credential-already-in-use"

    package func render(in language: Language) -> Page {
        let account = email.map { "\(provider.displayName) (\($0))" } ?? provider.displayName
        let target =
            signIn ?? SignInPage.loginLink(site: site, providerID: provider.id, returnTo: "\(site.pathPrefix)/account") ?? own("/login")
        let content = PageContent(
            title: "Already linked to another account",
            text: [
                Sentence("{provider} is linked to another account of this site. Nothing was changed.", ["provider": account]),
                Sentence("You can sign in to that account now. You then use that one instead of the one you are signed in to."),
            ],
            actions: [
                .init(label: "Sign in to the other account", target: target, isPrimary: true),
                .init(label: "Keep using this account", target: own("/account")),
            ])
        return page(content, template: .credentialInUse, in: language)
    }
}

/// The page at `GET {pathPrefix}/reauthenticate` for accounts that can sign in in several ways, or with a password.
package struct ReauthenticatePage: LocalizedPage {
    package var site: PageSite
    /// The name or address of the user; nil when neither is known.
    package var signedInAs: String?
    /// The providers of the account, the one of the session first.
    package var providers: [SignInPage.Provider]
    /// The account has a password.
    package var password: PasswordSignIn?
    /// The target of the password form; nil for `{pathPrefix}/login/password`.
    package var passwordAction: LinkTarget?
    /// The account has a passkey.
    package var offersPasskey: Bool
    package var returnTo: String?
    package var status: Int { password?.problem?.status ?? 200 }

    package init(
        site: PageSite, signedInAs: String? = nil, providers: [SignInPage.Provider], password: PasswordSignIn? = nil,
        passwordAction: LinkTarget? = nil, offersPasskey: Bool = false, returnTo: String? = nil
    ) {
        self.site = site
        self.signedInAs = signedInAs
        self.providers = providers
        self.password = password
        self.passwordAction = passwordAction
        self.offersPasskey = offersPasskey
        self.returnTo = returnTo
    }

    package func render(in language: Language) -> Page {
        let title = language(Self.title)
        if let page = template(language) { return page }
        let text = HTML.joined(sentences.map { "\n<p>\($0.html(in: language))</p>" })
        let hasChoices = !providers.isEmpty || passkey != nil
        let divider: HTML = !hasChoices || form == nil ? "" : "\n<p class=\"or\"><span>\(language("or"))</span></p>"
        let box: HTML = form.map { "\($0.problemBox(in: language))\n\($0.html(in: language))" } ?? ""
        let main: HTML = """
            <h1>\(title)</h1>\(text)
            \(WayChoices(ways, passkey: passkey).html(in: language))\(divider)\(box)
            <div class="actions"><a class="plain" href="\(own("/account"))">\(language("Cancel"))</a></div>
            """
        return page(title: title, main: main, formActionOrigins: origins, in: language)
    }

    private static let title = "Confirm that it is you"

    private var origins: [String] { [returnTo.flatMap(LinkTarget.origin)].compactMap { $0 } }

    private var sentences: [Sentence] {
        let reason = Sentence("The next step is sensitive. Sign in again to the same account to continue.")
        return (signedInAs.map { [Sentence("You are signed in as {name}.", ["name": $0])] } ?? []) + [reason]
    }

    private var ways: [WayChoices.Way] {
        providers.map { provider in
            WayChoices.Way(provider: provider, target: own("/reauthenticate", [("provider", provider.id)] + returnField(returnTo)))
        }
    }

    private var passkey: PasskeyChoice? {
        offersPasskey ? PasskeyChoice(own("/reauthenticate/passkey/start"), returnTo: returnField(returnTo)) : nil
    }

    private var form: PageForm? {
        password?.form(
            passwordAction ?? own("/login/password"), returnTo: returnField(returnTo), style: providers.isEmpty ? .primary : .secondary)
    }

    private func template(_ language: Language) -> Page? {
        var values: [String: any Sendable] = [
            "text": sentences.map { $0.text(in: language) }, "providers": WayChoices(ways).templateValues(in: language),
            "or": language("or"), "actions": [["label": language("Cancel"), "url": own("/account").text]],
        ]
        values["form"] = form?.templateValues(in: language)
        values["passkey"] = passkey?.form.templateValues(in: language)
        values["problem"] = form?.problem?.sentence.text(in: language)
        return page(
            from: .reauthenticate, title: language(Self.title), formActionOrigins: origins, values: values, in: language)
    }
}

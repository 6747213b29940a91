/// The page of `auth/account-exists-with-different-credential` (409): the identity's address belongs to another account.
package struct ConflictPage: LocalizedPage {
    package var site: PageSite
    /// The provider of the new identity, as its button names it.
    package var newProvider: String
    /// The address that is in use; nil to leave it out.
    package var email: String?
    /// The account's providers. Empty where the new provider did not vouch for the address: the page then says only that it is in use.
    package var providers: [SignInPage.Provider]
    /// The account has a password.
    package var password: PasswordSignIn?
    /// The account is linked to another identity of the new provider: nothing is linked after the sign-in.
    package var hasOtherIdentity: Bool
    /// The first `rd`.
    package var returnTo: String?
    /// How long the new identity waits to be linked.
    package var minutes: Int
    package var requestID: String
    package var status: Int { password?.problem?.status ?? 409 }

    package init(
        site: PageSite, newProvider: String, email: String? = nil, providers: [SignInPage.Provider] = [], password: PasswordSignIn? = nil,
        hasOtherIdentity: Bool = false, returnTo: String? = nil, minutes: Int = 10, requestID: String
    ) {
        self.site = site
        self.newProvider = newProvider
        self.email = email
        self.providers = providers
        self.password = password
        self.hasOtherIdentity = hasOtherIdentity
        self.returnTo = returnTo
        self.minutes = minutes
        self.requestID = requestID
    }

    package func render(in language: Language) -> Page {
        let title = language(Self.title)
        if let page = template(language) { return page }
        let text = HTML.joined(sentences.map { "\n<p>\($0.html(in: language))</p>" })
        let buttons = WayChoices(ways).html(in: language)
        let divider: HTML = providers.isEmpty || form == nil ? "" : "\n<p class=\"or\"><span>\(language("or"))</span></p>"
        let last: HTML = ending.map { "\n<p class=\"small\">\($0.html(in: language))</p>" } ?? ""
        let links = (password?.links(self, returnTo: returnField(returnTo)) ?? []).map {
            "<a href=\"\($0.target)\">\(language($0.label))</a>\n" as HTML
        }
        let below: HTML = links.isEmpty ? "" : "\n<p class=\"links\">\(HTML.joined(links))</p>"
        let box: HTML = form.map { "\($0.problemBox(in: language))\n\($0.html(in: language))\(below)" } ?? ""
        let signIn = own("/login", returnField(returnTo))
        let other: HTML =
            isSilent ? "\n<div class=\"actions\"><a class=\"button\" href=\"\(signIn)\">\(language("Sign in"))</a></div>" : ""
        let main: HTML = """
            <h1>\(title)</h1>\(text)
            \(buttons)\(divider)\(box)\(other)\(last)
            <dl class="facts">
            <dt>\(language("Code"))</dt><dd>\(Self.code)</dd>
            <dt>\(language("Request ID"))</dt><dd>\(requestID)</dd>
            </dl>
            """
        return page(title: title, main: main, formActionOrigins: origins, in: language)
    }

    package static let code = "auth/account-exists-with-different-credential"
    private static let title = "This address already has an account"

    /// The page must not name the account's ways to sign in.
    private var isSilent: Bool { providers.isEmpty && password == nil }
    private var origins: [String] { [returnTo.flatMap(LinkTarget.origin)].compactMap { $0 } }

    private var sentences: [Sentence] {
        let values = ["email": email ?? "", "provider": newProvider]
        if hasOtherIdentity {
            return [
                Sentence("The address belongs to an account that is linked to another {provider} account.", values),
                Sentence("Sign in to that account in one of its ways, or ask the site's administrator."),
            ]
        }
        let exists =
            email == nil
            ? "The address that {provider} sent belongs to an account, and {provider} is not linked to it."
            : "An account with the address {email} exists, and {provider} is not linked to it."
        let next =
            isSilent
            ? "Sign in to that account the way you usually do. You are then asked whether to link {provider} to it."
            : "Sign in to that account in one of its ways. You are then asked whether to link {provider} to it."
        return [Sentence(exists, values), Sentence(next, values)]
    }

    private var ending: Sentence? {
        hasOtherIdentity
            ? nil
            : Sentence(
                "This works in this browser for {minutes} minutes. If you do not sign in, nothing changes.", ["minutes": String(minutes)])
    }

    private var ways: [WayChoices.Way] {
        providers.compactMap { provider in
            SignInPage.loginLink(site: site, providerID: provider.id, returnTo: returnTo).map {
                .init(provider: provider, target: $0)
            }
        }
    }

    private var form: PageForm? {
        password?.form(own("/login/password"), returnTo: returnField(returnTo), style: providers.isEmpty ? .primary : .secondary)
    }

    private func template(_ language: Language) -> Page? {
        var values: [String: any Sendable] = [
            "text": sentences.map { $0.text(in: language) }, "closing": [ending].compactMap { $0?.text(in: language) },
            "or": language("or"),
            "providers": WayChoices(ways).templateValues(in: language), "code": Self.code, "requestID": requestID, "status": status,
        ]
        values["form"] = form?.templateValues(in: language)
        values["problem"] = form?.problem?.sentence.text(in: language)
        if isSilent { values["actions"] = [["label": language("Sign in"), "url": own("/login", returnField(returnTo)).text]] }
        return page(
            from: .conflict, title: language(Self.title), formActionOrigins: origins, values: values, in: language)
    }
}

/// A button for each provider, which leads to a given place.
struct WayChoices {
    struct Way {
        let provider: SignInPage.Provider
        let target: LinkTarget
    }

    let ways: [Way]
    let passkey: PasskeyChoice?

    init(_ ways: [Way], passkey: PasskeyChoice? = nil) {
        self.ways = ways
        self.passkey = passkey
    }

    func html(in language: Language) -> HTML {
        guard !ways.isEmpty || passkey != nil else { return "" }
        let items = ways.map { way -> HTML in
            let icon = ProviderIcon(providerID: way.provider.id, displayName: way.provider.displayName)
            let label = Sentence("Sign in with {provider}", ["provider": way.provider.displayName]).html(in: language)
            return """
                <li><a class="\(icon.isMark ? "choice marked" : "choice")" href="\(way.target)">\(icon.svg)<span>\(label)</span></a></li>

                """
        }
        return "<ul class=\"choices\">\n\(HTML.joined(items))\(passkey?.html(in: language))</ul>"
    }

    func templateValues(in language: Language) -> [[String: any Sendable]] {
        ways.map { way in
            [
                "id": way.provider.id, "name": way.provider.displayName, "url": way.target.text,
                "label": Sentence("Sign in with {provider}", ["provider": way.provider.displayName]).text(in: language),
            ]
        }
    }
}

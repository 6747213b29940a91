/// The page at `{pathPrefix}/login`: one link per provider, and the forms of passwords and anonymous accounts where they are configured.
/// Works without JavaScript.
package struct SignInPage: LocalizedPage {
    package struct Provider: Sendable {
        /// As configured: `github.com/partners`, `oidc.acme`.
        package var id: String
        package var displayName: String
        package init(id: String, displayName: String) {
            self.id = id
            self.displayName = displayName
        }
    }

    /// The reason for the sign-in, where the page explains one. Fixed texts only.
    package enum Notice: String, Sendable, CaseIterable {
        case sessionEnded = "session-ended"
        case requiresRecentLogin = "requires-recent-login"
        case loginExpired = "login-expired"
        case providerUnavailable = "provider-unavailable"
        /// A form was posted without a session.
        case formNotSent = "form-not-sent"
        case passwordChanged = "password-changed"
        case emailVerified = "email-verified"
        case mailCancelled = "mail-cancelled"
        case accountDeleted = "account-deleted"

        /// Shows the page even with one provider, where `/login` would redirect to the provider.
        package var needsPage: Bool { self == .formNotSent || isGood }

        /// Something succeeded.
        var isGood: Bool {
            switch self {
            case .passwordChanged, .emailVerified, .mailCancelled, .accountDeleted: true
            case .sessionEnded, .requiresRecentLogin, .loginExpired, .providerUnavailable, .formNotSent: false
            }
        }

        var text: String {
            switch self {
            case .sessionEnded: "Your session has ended. Sign in to continue where you left off."
            case .requiresRecentLogin: "This page requires a recent sign-in. Please sign in again."
            case .loginExpired: "The sign-in took too long, or it was already used. Please sign in again."
            case .providerUnavailable: "This provider cannot be reached right now. Try again in a moment, or choose another provider."
            case .formNotSent:
                "Your entries were not sent. Sign in first. Then go back to the form with the browser's Back button and send it again."
            case .passwordChanged: "Your password was changed. Sign in with the new one."
            case .emailVerified: "Your e-mail address is confirmed. You can sign in now."
            case .mailCancelled: "The link of the mail does not work any more. Nothing else was changed."
            case .accountDeleted: "Your account was deleted."
            }
        }
    }

    package var site: PageSite
    /// Enabled providers in the order of the configuration.
    package var providers: [Provider]
    /// Where to go afterwards, already checked to stay on this origin; carried in the links' query.
    package var returnTo: String?
    package var notice: Notice?
    /// The provider that this browser signed in with last: it comes first. An id that is not among `providers` changes nothing.
    package var lastUsed: String?
    /// Whether the links let the user choose another account at the provider.
    package var selectsAccount: Bool
    /// nil without the provider `password`.
    package var password: PasswordSignIn?
    /// Whether users may continue without an account.
    package var offersAnonymous: Bool
    /// Whether a passkey may take the place of the password.
    package var offersPasskey: Bool
    package var status: Int { password?.problem?.status ?? 200 }

    /// The field of `/login` that asks the provider to let the user choose an account.
    package static let accountField = (name: "account", value: "select")

    package init(
        site: PageSite, providers: [Provider], returnTo: String? = nil, notice: Notice? = nil, lastUsed: String? = nil,
        selectsAccount: Bool = false, password: PasswordSignIn? = nil, offersAnonymous: Bool = false, offersPasskey: Bool = false
    ) {
        self.site = site
        self.providers = providers
        self.returnTo = returnTo
        self.notice = notice
        self.lastUsed = lastUsed
        self.selectsAccount = selectsAccount
        self.password = password
        self.offersAnonymous = offersAnonymous
        self.offersPasskey = offersPasskey
    }

    package func render(in language: Language) -> Page {
        if let page = template(language) { return page }
        let title = language("Sign in")
        return page(
            title: title, main: "<h1>\(title)</h1>\(noticeBox(language))\n\(choices(language))\(forms(language))",
            formActionOrigins: formActionOrigins, in: language)
    }

    private var postsForms: Bool { password != nil || offersAnonymous || offersPasskey }

    /// What a form posts leads to `returnTo`, which may be another host of the site.
    private var formActionOrigins: [String] { postsForms ? [returnTo.flatMap(LinkTarget.origin)].compactMap { $0 } : [] }

    /// One of the provider's buttons is the primary one.
    private var isLastUsedProvider: Bool { providers.contains { $0.id == lastUsed } }

    private var passwordForm: PageForm? {
        password?.form(own("/login/password"), returnTo: returnField(returnTo), style: isLastUsedProvider ? .secondary : .primary)
    }

    private var passkey: PasskeyChoice? {
        offersPasskey ? PasskeyChoice(own("/login/passkey/start"), returnTo: returnField(returnTo)) : nil
    }

    private var anonymousForm: PageForm? {
        guard offersAnonymous else { return nil }
        return PageForm(
            own("/login/anonymous"), hidden: returnField(returnTo), submit: "Continue without an account", style: .secondary)
    }

    private func forms(_ language: Language) -> HTML {
        var pieces: [HTML] = []
        if let password, let form = passwordForm {
            if !providers.isEmpty || passkey != nil { pieces.append("\n<p class=\"or\"><span>\(language("or"))</span></p>") }
            let links = password.links(self, returnTo: returnField(returnTo)).map {
                "<a href=\"\($0.target)\">\(language($0.label))</a>\n" as HTML
            }
            pieces.append("\(form.problemBox(in: language))\n\(form.html(in: language))")
            if !links.isEmpty { pieces.append("\n<p class=\"links\">\(HTML.joined(links))</p>") }
        }
        if let form = anonymousForm {
            pieces.append("\n<div class=\"aside\">\n\(form.html(in: language))</div>")
        }
        return HTML.joined(pieces)
    }

    /// The last used first, the others in their order.
    private var ordered: [Provider] {
        providers.filter { $0.id == lastUsed } + providers.filter { $0.id != lastUsed }
    }

    private func template(_ language: Language) -> Page? {
        let choices = ordered.compactMap { provider -> [String: any Sendable]? in
            guard let link = link(to: provider) else { return nil }
            return [
                "id": provider.id, "name": provider.displayName, "url": link.text, "isLastUsed": provider.id == lastUsed,
                "label": language("Sign in with {provider}").replacing("{provider}", with: provider.displayName),
            ]
        }
        var values: [String: any Sendable] = [
            "lead": language("to continue to {site}").replacing("{site}", with: site.name), "providers": choices,
            "lastUsed": language("Last used"),
        ]
        values["notice"] = notice.map { language($0.text) }
        values["or"] = language("or")
        values["password"] = passwordForm?.templateValues(in: language)
        values["passkey"] = passkey?.form.templateValues(in: language)
        values["anonymous"] = anonymousForm?.templateValues(in: language)
        values["links"] = (password?.links(self, returnTo: returnField(returnTo)) ?? []).map {
            ["label": language($0.label), "url": $0.target.text]
        }
        return page(
            from: .signIn, title: language("Sign in"), formActionOrigins: formActionOrigins, values: values,
            in: language)
    }

    /// `{pathPrefix}/login/{provider}?rd=…`; a slash in the id is written `~`. nil only for an id that no configuration admits.
    package static func loginLink(
        site: PageSite, providerID: String, returnTo: String?, selectsAccount: Bool = false
    ) -> LinkTarget? {
        let segment = providerID.split(separator: "/", omittingEmptySubsequences: false)
            .map { LinkTarget.percentEncoded(String($0)) }.joined(separator: "~")
        let query = (returnTo.map { [(name: "rd", value: $0)] } ?? []) + (selectsAccount ? [accountField] : [])
        return LinkTarget(path: "\(site.pathPrefix)/login/\(segment)", query: query)
    }

    private func link(to provider: Provider) -> LinkTarget? {
        SignInPage.loginLink(site: site, providerID: provider.id, returnTo: returnTo, selectsAccount: selectsAccount)
    }

    private func noticeBox(_ language: Language) -> HTML {
        guard let notice else { return "" }
        if notice.isGood { return PageNotice.done(Sentence(notice.text)).html(in: language) }
        return "\n<div class=\"notice\" role=\"alert\"><p>\(language(notice.text))</p></div>"
    }

    private func choices(_ language: Language) -> HTML {
        if providers.isEmpty, passkey == nil, postsForms { return "" }
        guard !providers.isEmpty || passkey != nil else {
            return "<p>\(language("No provider is enabled on this site. Please tell the site's administrator."))</p>"
        }
        let items = ordered.compactMap { provider -> HTML? in
            guard let link = link(to: provider) else { return nil }
            let icon = ProviderIcon(providerID: provider.id, displayName: provider.displayName)
            let isLastUsed = provider.id == lastUsed
            let label = language("Sign in with {provider}", ["provider": "<bdi>\(provider.displayName)</bdi>"])
            let badge: HTML = isLastUsed ? "<small>\(language("Last used"))</small>" : ""
            let classes = ["choice", icon.isMark ? "marked" : nil, isLastUsed ? "primary" : nil].compactMap { $0 }.joined(separator: " ")
            return """
                <li><a class="\(classes)" href="\(link)">\(icon.svg)<span>\(label)\(badge)</span></a></li>

                """
        }
        return "<ul class=\"choices\">\n\(HTML.joined(items))\(passkey?.html(in: language))</ul>"
    }
}

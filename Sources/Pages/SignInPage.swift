/// The page at `{pathPrefix}/login`: one link per provider. Works without JavaScript.
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

    /// Why the person is asked to sign in, where there is something to tell. Fixed texts only.
    package enum Notice: String, Sendable, CaseIterable {
        case sessionEnded = "session-ended"
        case requiresRecentLogin = "requires-recent-login"
        case loginExpired = "login-expired"
        case providerUnavailable = "provider-unavailable"
        /// A form was posted without a session.
        case formNotSent = "form-not-sent"

        /// The page is shown for its sake, even where one provider would be gone to straight away.
        package var needsPage: Bool { self == .formNotSent }

        var text: String {
            switch self {
            case .sessionEnded: "Your session has ended. Sign in to go on where you were."
            case .requiresRecentLogin: "This page asks for a recent sign-in. Please sign in once more."
            case .loginExpired: "That sign-in took too long or was already used. Please start again."
            case .providerUnavailable: "That provider cannot be reached right now. Try again in a moment, or choose another one."
            case .formNotSent:
                "What you entered has not been sent. Your browser's Back button brings it back: sign in first, then send it again."
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
    package var status: Int { 200 }

    package init(
        site: PageSite, providers: [Provider], returnTo: String? = nil, notice: Notice? = nil, lastUsed: String? = nil
    ) {
        self.site = site
        self.providers = providers
        self.returnTo = returnTo
        self.notice = notice
        self.lastUsed = lastUsed
    }

    package func render(in language: Language) -> Page {
        if let page = template(language) { return page }
        let main: HTML = """
            <h1>\(language("Sign in"))</h1>
            <p class="lead">\(language("to continue to {site}", ["site": "<bdi>\(site.name)</bdi>"]))</p>\(noticeBox(language))
            \(choices(language))
            """
        return Page(
            status: 200,
            document: PageFrame.document(title: language("Sign in"), siteName: site.name, main: main, language: language),
            language: language)
    }

    /// The last used first, the others in their order.
    private var ordered: [Provider] {
        providers.filter { $0.id == lastUsed } + providers.filter { $0.id != lastUsed }
    }

    private func template(_ language: Language) -> Page? {
        let choices = ordered.compactMap { provider -> [String: any Sendable]? in
            guard let link = SignInPage.loginLink(site: site, providerID: provider.id, returnTo: returnTo) else { return nil }
            return [
                "id": provider.id, "name": provider.displayName, "url": link.text, "isLastUsed": provider.id == lastUsed,
                "label": language("Continue with {provider}").replacing("{provider}", with: provider.displayName),
            ]
        }
        var context: [String: any Sendable] = [
            "language": language.tag, "siteName": site.name, "pathPrefix": site.pathPrefix, "title": language("Sign in"),
            "lead": language("to continue to {site}").replacing("{site}", with: site.name), "providers": choices,
            "lastUsed": language("Last used"),
        ]
        context["notice"] = notice.map { language($0.text) }
        return site.templates?.page(.signIn, status: 200, language: language, context: context)
    }

    /// `{pathPrefix}/login/{provider}?rd=…`; a slash in the id is written `~`. nil only for an id that no configuration admits.
    package static func loginLink(site: PageSite, providerID: String, returnTo: String?) -> LinkTarget? {
        let segment = providerID.split(separator: "/", omittingEmptySubsequences: false)
            .map { LinkTarget.percentEncoded(String($0)) }.joined(separator: "~")
        return LinkTarget(path: "\(site.pathPrefix)/login/\(segment)", query: returnTo.map { [("rd", $0)] } ?? [])
    }

    private func noticeBox(_ language: Language) -> HTML {
        guard let notice else { return "" }
        return "\n<div class=\"notice\" role=\"alert\"><p>\(language(notice.text))</p></div>"
    }

    private func choices(_ language: Language) -> HTML {
        guard !providers.isEmpty else {
            return "<p>\(language("No way to sign in is switched on here at the moment. Please tell the people who run this site."))</p>"
        }
        let items = ordered.compactMap { provider -> HTML? in
            guard let link = SignInPage.loginLink(site: site, providerID: provider.id, returnTo: returnTo) else { return nil }
            let icon = ProviderIcon.svg(providerID: provider.id, displayName: provider.displayName)
            let label = language("Continue with {provider}", ["provider": "<bdi>\(provider.displayName)</bdi>"])
            let badge: HTML = provider.id == lastUsed ? "<small>\(language("Last used"))</small>" : ""
            return """
                <li><a class="choice" href="\(link)">\(icon)<span>\(label)\(badge)</span></a></li>

                """
        }
        return "<ul class=\"choices\">\n\(HTML.joined(items))</ul>"
    }
}

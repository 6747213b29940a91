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

    /// The reason for the sign-in, where the page explains one. Fixed texts only.
    package enum Notice: String, Sendable, CaseIterable {
        case sessionEnded = "session-ended"
        case requiresRecentLogin = "requires-recent-login"
        case loginExpired = "login-expired"
        case providerUnavailable = "provider-unavailable"
        /// A form was posted without a session.
        case formNotSent = "form-not-sent"

        /// Shows the page even with one provider, where `/login` would redirect to the provider.
        package var needsPage: Bool { self == .formNotSent }

        var text: String {
            switch self {
            case .sessionEnded: "Your session has ended. Sign in to continue where you left off."
            case .requiresRecentLogin: "This page requires a recent sign-in. Please sign in again."
            case .loginExpired: "The sign-in took too long, or it was already used. Please sign in again."
            case .providerUnavailable: "This provider cannot be reached right now. Try again in a moment, or choose another provider."
            case .formNotSent:
                "Your entries were not sent. Sign in first. Then go back to the form with the browser's Back button and send it again."
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
    package var status: Int { 200 }

    /// The field of `/login` that asks the provider to let the user choose an account.
    package static let accountField = (name: "account", value: "select")

    package init(
        site: PageSite, providers: [Provider], returnTo: String? = nil, notice: Notice? = nil, lastUsed: String? = nil,
        selectsAccount: Bool = false
    ) {
        self.site = site
        self.providers = providers
        self.returnTo = returnTo
        self.notice = notice
        self.lastUsed = lastUsed
        self.selectsAccount = selectsAccount
    }

    package func render(in language: Language) -> Page {
        if let page = template(language) { return page }
        let title = language("Sign in")
        return page(title: title, main: "<h1>\(title)</h1>\(noticeBox(language))\n\(choices(language))", in: language)
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
        return page(from: .signIn, title: language("Sign in"), values: values, in: language)
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
        return "\n<div class=\"notice\" role=\"alert\"><p>\(language(notice.text))</p></div>"
    }

    private func choices(_ language: Language) -> HTML {
        guard !providers.isEmpty else {
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
        return "<ul class=\"choices\">\n\(HTML.joined(items))</ul>"
    }
}

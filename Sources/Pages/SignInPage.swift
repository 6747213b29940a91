/// The page at `{pathPrefix}/login`: one link per provider. Works without JavaScript.
package struct SignInPage: Sendable {
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
    package enum Notice: Sendable, CaseIterable {
        case sessionEnded, requiresRecentLogin, loginExpired, providerUnavailable

        var text: String {
            switch self {
            case .sessionEnded: "Your session has ended. Sign in to go on where you were."
            case .requiresRecentLogin: "This page asks for a recent sign-in. Please sign in once more."
            case .loginExpired: "That sign-in took too long or was already used. Please start again."
            case .providerUnavailable: "That provider cannot be reached right now. Try again in a moment, or choose another one."
            }
        }
    }

    package var site: PageSite
    /// Enabled providers in the order of the configuration.
    package var providers: [Provider]
    /// Where to go afterwards, already checked to stay on this origin; carried in the links' query.
    package var returnTo: String?
    package var notice: Notice?

    package init(site: PageSite, providers: [Provider], returnTo: String? = nil, notice: Notice? = nil) {
        self.site = site
        self.providers = providers
        self.returnTo = returnTo
        self.notice = notice
    }

    package func render() -> Page {
        let main: HTML = """
            <h1>Sign in</h1>
            <p class="lead">to continue to <bdi>\(site.name)</bdi></p>\(noticeBox)
            \(choices)
            """
        return Page(status: 200, document: PageFrame.document(title: "Sign in", siteName: site.name, main: main))
    }

    /// `{pathPrefix}/login/{provider}?rd=…`; a slash in the id is written `~`. nil only for an id that no configuration admits.
    package static func loginLink(site: PageSite, providerID: String, returnTo: String?) -> LinkTarget? {
        let segment = providerID.split(separator: "/", omittingEmptySubsequences: false)
            .map { LinkTarget.percentEncoded(String($0)) }.joined(separator: "~")
        return LinkTarget(path: "\(site.pathPrefix)/login/\(segment)", query: returnTo.map { [("rd", $0)] } ?? [])
    }

    private var noticeBox: HTML {
        guard let notice else { return "" }
        return "\n<div class=\"notice\" role=\"alert\"><p>\(notice.text)</p></div>"
    }

    private var choices: HTML {
        guard !providers.isEmpty else {
            return "<p>No way to sign in is switched on here at the moment. Please tell the people who run this site.</p>"
        }
        let items = providers.compactMap { provider -> HTML? in
            guard let link = SignInPage.loginLink(site: site, providerID: provider.id, returnTo: returnTo) else { return nil }
            let icon = ProviderIcon.svg(providerID: provider.id, displayName: provider.displayName)
            return """
                <li><a class="choice" href="\(link)">\(icon)<span>Continue with <bdi>\(provider.displayName)</bdi></span></a></li>

                """
        }
        return "<ul class=\"choices\">\n\(HTML.joined(items))</ul>"
    }
}

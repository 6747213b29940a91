/// The page at `GET {pathPrefix}/logout`: asks before signing out, because a GET must not (ASVS 5.0 3.5.3).
package struct SignOutPage: Sendable {
    package var site: PageSite
    /// What the person knows themselves by, from the session; nil when unknown.
    package var signedInAs: String?
    /// Where to go afterwards, already checked; goes into the hidden field `rd`.
    package var returnTo: String?
    /// The origin of the provider's end-session endpoint, where the form's answer redirects to.
    package var endSessionOrigin: String?

    package init(
        site: PageSite, signedInAs: String? = nil, returnTo: String? = nil, endSessionOrigin: String? = nil
    ) {
        self.site = site
        self.signedInAs = signedInAs
        self.returnTo = returnTo
        self.endSessionOrigin = endSessionOrigin
    }

    package func render() -> Page {
        let identity: HTML = signedInAs.map { " as <strong><bdi>\($0)</bdi></strong>" } ?? ""
        let action = LinkTarget("\(site.pathPrefix)/logout") ?? .home
        let target: HTML = returnTo.map { "<input type=\"hidden\" name=\"rd\" value=\"\($0)\">" } ?? ""
        let main: HTML = """
            <h1>Sign out?</h1>
            <p>You are signed in to <bdi>\(site.name)</bdi>\(identity).</p>
            <div class="actions">
            <form method="post" action="\(action)">\(target)\
            <button class="button" type="submit">Sign out</button></form>
            <a class="plain" href="/">Stay signed in</a>
            </div>
            """
        return Page(
            status: 200, document: PageFrame.document(title: "Sign out", siteName: site.name, main: main),
            formActionOrigins: endSessionOrigin.map { [$0] } ?? [])
    }
}

/// The page at `{pathPrefix}/logged-out`.
package struct SignedOutPage: Sendable {
    /// How far the sign-out reached.
    package enum Extent: Sendable, Equatable {
        /// Here, and at the provider where it offers that.
        case complete
        /// Here only: this provider has no sign-out of its own.
        case localOnly(providerName: String)
        /// There was no session.
        case wasNotSignedIn
    }

    package var site: PageSite
    package var extent: Extent

    package init(site: PageSite, extent: Extent) {
        self.site = site
        self.extent = extent
    }

    package func render() -> Page {
        let title = extent == .wasNotSignedIn ? "You are not signed in" : "You are signed out"
        let text: HTML =
            switch extent {
            case .complete: "<p>Your session at <bdi>\(site.name)</bdi> has ended.</p>"
            case .localOnly(let providerName):
                """
                <p>Your session at <bdi>\(site.name)</bdi> has ended.</p>
                <p>You may still be signed in at <bdi>\(providerName)</bdi>. On a computer that others use, sign out there too.</p>
                """
            case .wasNotSignedIn: "<p>There is no session to end at <bdi>\(site.name)</bdi>.</p>"
            }
        let login = LinkTarget("\(site.pathPrefix)/login") ?? .home
        let label = extent == .wasNotSignedIn ? "Sign in" : "Sign in again"
        let main: HTML = """
            <h1>\(title)</h1>
            \(text)
            <div class="actions"><a class="button" href="\(login)">\(label)</a></div>
            """
        return Page(status: 200, document: PageFrame.document(title: title, siteName: site.name, main: main))
    }
}

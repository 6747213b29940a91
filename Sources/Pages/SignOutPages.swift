/// The page at `GET {pathPrefix}/logout`: asks before signing out, because a GET must not (ASVS 5.0 3.5.3).
package struct SignOutPage: LocalizedPage {
    package var site: PageSite
    /// The name or address of the user, from the session; nil when unknown.
    package var signedInAs: String?
    /// Where to go afterwards, already checked; goes into the hidden field `rd`.
    package var returnTo: String?
    /// The origin of the provider's end-session endpoint, where the form's answer redirects to.
    package var endSessionOrigin: String?
    package var status: Int { 200 }

    package init(
        site: PageSite, signedInAs: String? = nil, returnTo: String? = nil, endSessionOrigin: String? = nil
    ) {
        self.site = site
        self.signedInAs = signedInAs
        self.returnTo = returnTo
        self.endSessionOrigin = endSessionOrigin
    }

    package func render(in language: Language) -> Page {
        let action = LinkTarget("\(site.pathPrefix)/logout") ?? .home
        let origins = [endSessionOrigin, returnTo.flatMap(LinkTarget.origin)].compactMap { $0 }
        if let page = template(language, action, origins) { return page }
        let message = language(sentence, ["name": "<strong><bdi>\(signedInAs ?? "")</bdi></strong>"])
        let target: HTML = returnTo.map { "<input type=\"hidden\" name=\"rd\" value=\"\($0)\">" } ?? ""
        let main: HTML = """
            <h1>\(language("Sign out?"))</h1>
            <p>\(message)</p>
            <div class="actions">
            <form method="post" action="\(action)">\(target)\
            <button class="button" type="submit">\(language("Sign out"))</button></form>
            <a class="plain" href="/">\(language("Stay signed in"))</a>
            </div>
            """
        return page(title: language("Sign out"), main: main, formActionOrigins: origins, in: language)
    }

    private var sentence: String {
        signedInAs == nil ? "You are signed in." : "You are signed in as {name}."
    }

    private func template(_ language: Language, _ action: LinkTarget, _ origins: [String]) -> Page? {
        var values: [String: any Sendable] = [
            "message": language(sentence).replacing("{name}", with: signedInAs ?? ""), "action": action.text,
            "signOut": language("Sign out"), "stay": language("Stay signed in"),
        ]
        values["returnTo"] = returnTo
        return page(from: .signOut, title: language("Sign out?"), formActionOrigins: origins, values: values, in: language)
    }
}

/// The page at `{pathPrefix}/logged-out`.
package struct SignedOutPage: LocalizedPage {
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
    package var status: Int { 200 }

    package init(site: PageSite, extent: Extent) {
        self.site = site
        self.extent = extent
    }

    package func render(in language: Language) -> Page {
        let title = language(extent == .wasNotSignedIn ? "You are not signed in" : "You are signed out")
        let login = LinkTarget("\(site.pathPrefix)/login") ?? .home
        let label = language(extent == .wasNotSignedIn ? "Sign in" : "Sign in again")
        if let page = template(language, title, login, label) { return page }
        let warning: HTML =
            providerName.map { "\n<p>\(language(Self.warning, ["provider": "<bdi>\($0)</bdi>"]))</p>" } ?? ""
        let main: HTML = """
            <h1>\(title)</h1>
            <p>\(language(sentence))</p>\(warning)
            <div class="actions"><a class="button" href="\(login)">\(label)</a></div>
            """
        return page(title: title, main: main, in: language)
    }

    private static let warning = "You may still be signed in to {provider}. On a shared computer, sign out there too."

    private var sentence: String {
        extent == .wasNotSignedIn ? "There is no session to end." : "Your session has ended."
    }

    private var providerName: String? {
        if case .localOnly(let name) = extent { name } else { nil }
    }

    private func template(_ language: Language, _ title: String, _ login: LinkTarget, _ label: String) -> Page? {
        var values: [String: any Sendable] = ["message": language(sentence), "loginURL": login.text, "loginLabel": label]
        values["warning"] = providerName.map { language(Self.warning).replacing("{provider}", with: $0) }
        return page(from: .signedOut, title: title, values: values, in: language)
    }
}

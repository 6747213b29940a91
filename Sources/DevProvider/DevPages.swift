import Pages

/// The pages of the local provider.
struct DevPages {
    /// nil: a provider without a name.
    let name: String?
    let currentCode: @Sendable (Person) -> String?

    private var site: String { name.map { "\($0), a demo identity provider" } ?? "Demo identity provider" }

    /// A badge with a user on it.
    private static let mark: HTML = """
        <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" \
        stroke-linecap="round"><rect x="4" y="3" width="16" height="18" rx="3"/><circle cx="12" cy="10" r="2.5"/><path d="M8 17a4.2 4.2 0 0 1 8 0"/></svg>
        """
    private static let ribbon: HTML = """
        <p class="ribbon"><strong>Demo.</strong> These people are made up. One click signs in, no password.</p>
        """

    func message(title: String, text: String, status: Int) -> Page {
        page(status, title, "<h1>\(title)</h1>\n<p>\(text)</p>")
    }

    /// Who signs in? `signedIn`: the user this browser already belongs to.
    func chooser(_ request: AuthorizationRequest, people: [Person], signedIn: Person?, action: String) -> Page {
        let origin = Self.redirectOrigin(request.redirectURI)
        let question: HTML = name.map { "Choose your \($0) account" } ?? "Who are you today?"
        let hidden: HTML = "<input type=\"hidden\" name=\"authorization_request\" value=\"\(request.query)\">"
        let body: HTML
        if let signedIn {
            body = """
                <h1>Welcome back</h1>
                <p class="lead">You are still signed in here. <bdi>\(origin)</bdi> asks who you are.</p>
                \(introduction(signedIn))
                <form method="post" action="\(action)">\(hidden)
                <div class="actions"><button class="button" type="submit" name="decision" value="continue">Continue as \(Self.firstName(signedIn))</button></div>
                <div class="links"><button type="submit" name="decision" value="other">Use somebody else</button>
                <button type="submit" name="decision" value="deny">Deny</button></div>
                </form>
                """
        } else {
            body = """
                \(Self.ribbon)
                <h1>\(question)</h1>
                <p class="lead">to sign in to <bdi>\(origin)</bdi></p>
                <form method="post" action="\(action)">\(hidden)
                <ul class="choices">
                \(HTML.joined(Self.ordered(people, hint: request.loginHint).map(choice)))</ul>
                <div class="links"><button type="submit" name="decision" value="deny">Deny this sign-in</button></div>
                </form>
                """
        }
        return page(200, "Sign in", body, formActionOrigins: [origin])
    }

    /// The authorization response as a form (OAuth 2.0 Form Post Response Mode). Without a script: the user clicks.
    func formPost(to address: String, fields: [(String, String)]) -> Page {
        let inputs = fields.map { field -> HTML in "<input type=\"hidden\" name=\"\(field.0)\" value=\"\(field.1)\">" }
        let action = LinkTarget(address) ?? .home
        let body: HTML = """
            <h1>Almost there</h1>
            <p>This sign-in is handed over as a form. Send it to go on.</p>
            <form method="post" action="\(action)">\(HTML.joined(inputs))
            <div class="actions"><button class="button" type="submit">Go on</button></div></form>
            """
        return page(200, "Go on", body, formActionOrigins: [Self.redirectOrigin(address)])
    }

    func confirmSignOut(person: String, action: String, fields: FormFields, destination: String?) -> Page {
        let inputs = fields.pairs.map { field -> HTML in "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">" }
        let body: HTML = """
            <h1>Sign out of the demo provider?</h1>
            <p>You are signed in as <strong><bdi>\(person)</bdi></strong>.</p>
            <form method="post" action="\(action)">\(HTML.joined(inputs))<input type="hidden" name="confirmed" value="yes">
            <div class="actions"><button class="button" type="submit">Sign out</button></div></form>
            """
        return page(200, "Sign out", body, formActionOrigins: destination.map { [Self.redirectOrigin($0)] } ?? [])
    }

    func overview(issuer: String, people: [Person], signedIn: Person?, signOut: String) -> Page {
        let status: HTML =
            if let signedIn {
                """
                \(introduction(signedIn))
                <form method="post" action="\(signOut)"><div class="actions"><button class="button" type="submit">Sign out here</button></div></form>
                """
            } else {
                "<p>Nobody is signed in at this provider in this browser.</p>"
            }
        let list = people.map { person -> HTML in "<li><bdi>\(person.name)</bdi> <span class=\"badge\">\(person.remark)</span></li>\n" }
        let body: HTML = """
            <h1>\(name ?? "Demo identity provider")</h1>
            <p class="lead">It plays the company directory in <code>gateway demo</code>.</p>
            \(status)
            <h2>Who lives here</h2>
            <ul>
            \(HTML.joined(list))</ul>
            <dl class="facts"><dt>Issuer</dt><dd>\(issuer)</dd></dl>
            """
        return page(200, "Overview", body)
    }

    /// The origin of an absolute URL; empty when it has none.
    static func redirectOrigin(_ address: String) -> String {
        guard let afterScheme = address.range(ofFirst: "://") else { return "" }
        let end = address[afterScheme...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? address.endIndex
        return String(address[..<end])
    }

    private func page(_ status: Int, _ title: String, _ body: HTML, formActionOrigins: [String] = []) -> Page {
        Page(
            status: status,
            document: PageFrame.document(title: title, siteName: site, main: body, mark: Self.mark, styles: [.base, .demo]),
            policy: ContentPolicy(styles: [.base, .demo], formActionOrigins: formActionOrigins))
    }

    private func choice(_ person: Person) -> HTML {
        """
        <li><button class="choice" type="submit" name="person" value="\(person.id)">\(Self.face(person))<span>\
        <bdi>\(person.name)</bdi> <span class="badge">\(person.remark)</span>\
        <small>\(person.email ?? "no e-mail address")</small>\(app(person))</span></button></li>

        """
    }

    private func introduction(_ person: Person) -> HTML {
        """
        <div class="who">\(Self.face(person))<div><p><strong><bdi>\(person.name)</bdi></strong></p>\
        <p class="lead">\(person.email ?? "no e-mail address")\(app(person))</p></div></div>
        """
    }

    /// What the user's authenticator app shows.
    private func app(_ person: Person) -> HTML {
        currentCode(person).map { "<small>Her authenticator app shows <code>\($0)</code>; reload for the next code</small>" } ?? ""
    }

    private static func face(_ person: Person) -> HTML {
        """
        <svg class="face" viewBox="0 0 30 30" aria-hidden="true" focusable="false"><circle cx="15" cy="15" r="15"/>\
        \(ProviderIcon.monogram(person.name))</svg>
        """
    }

    private static func firstName(_ person: Person) -> String { person.name.split(separator: " ").first.map(String.init) ?? person.name }

    /// The hinted person first.
    private static func ordered(_ people: [Person], hint: String?) -> [Person] {
        guard let hint, let index = people.firstIndex(where: { [$0.id, $0.email, $0.username].contains(hint) }) else { return people }
        var list = people
        list.insert(list.remove(at: index), at: 0)
        return list
    }
}

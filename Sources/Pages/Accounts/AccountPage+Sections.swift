extension AccountPage {
    func profileSection(_ language: Language) -> HTML {
        var rows: [HTML] = []
        if let name = profile.name { rows.append("<dt>\(language("Name"))</dt><dd><bdi>\(name)</bdi></dd>\n") }
        if let email = profile.email {
            let state: HTML =
                profile.isEmailVerified
                ? "<small class=\"good\">\(language("confirmed"))</small>" : "<small class=\"warn\">\(language("not confirmed"))</small>"
            rows.append("<dt>\(language("E-mail address"))</dt><dd><bdi>\(email)</bdi> \(state)</dd>\n")
        }
        let list: HTML = rows.isEmpty ? "" : "<dl class=\"profile\">\n\(HTML.joined(rows))</dl>\n"
        let anonymous: HTML =
            profile.isAnonymous
            ? "<p>\(language(Self.anonymousText))</p>\n"
            : ""
        let again: HTML = resendForm.map { "\($0.html(in: language))\n" } ?? ""
        return "\(anonymous)\(list)\(again)<p class=\"small\">\(language("User ID")): <code>\(profile.uid)</code></p>"
    }

    /// Sends the link to an unconfirmed address once more.
    var resendForm: PageForm? {
        guard isRecent, email != nil, let address = profile.email, !profile.isEmailVerified else { return nil }
        return PageForm(
            own("/account/email"), hidden: [("email", address)], submit: "Send the confirmation mail again", style: .secondary)
    }

    // MARK: Ways to sign in

    func waysSection(_ language: Language) -> HTML {
        let rows = linked.map { way -> HTML in
            let added = DateText(unixSeconds: way.linkedAt)
            let since = Sentence("Added on {date}", ["date": added.text(in: language)]).text(in: language)
            let name = name(of: way, language)
            let account: HTML = way.account.map { "<span><bdi>\($0)</bdi></span>" } ?? ""
            return """
                <li>\(ProviderIcon(providerID: way.id, displayName: name).svg)<div class="about"><strong>\(name)</strong>\(account)\
                <small><time datetime="\(added.iso)">\(since)</time></small></div>\(unlinkButton(way, name, language))</li>

                """
        }
        let list: HTML = rows.isEmpty ? "" : "\n<ul class=\"rows\">\n\(HTML.joined(rows))</ul>"
        let last: HTML =
            isLastWay
            ? "\n<p class=\"small\" id=\"last-way\">\(language(Self.lastWayText))</p>"
            : ""
        let buttons = HTML.joined(linkable.map { linkButton($0, language) })
        let add: HTML =
            linkable.isEmpty ? "" : "\n<h3>\(language("Add a way to sign in"))</h3>\n<ul class=\"choices\">\n\(buttons)</ul>"
        return "<section aria-labelledby=\"ways\"><h2 id=\"ways\">\(language("Ways to sign in"))</h2>\(list)\(last)\(add)</section>"
    }

    /// The last way to sign in stays (`auth/last-provider`).
    var isLastWay: Bool { linked.count == 1 }

    func name(of way: LinkedProvider, _ language: Language) -> String {
        way.id == "password" ? language("E-mail and password") : way.displayName
    }

    func unlinkForm(_ way: LinkedProvider) -> PageForm? {
        guard isRecent, !isLastWay else { return nil }
        return PageForm(own("/unlink/\(Self.segment(way.id))"), submit: "Remove", style: .secondary)
    }

    func linkForm(_ provider: LinkableProvider) -> PageForm {
        PageForm(own("/link/\(Self.segment(provider.id))"), submit: "Link {provider}")
    }

    /// A provider's id in a URL.
    static func segment(_ id: String) -> String {
        id.split(separator: "/", omittingEmptySubsequences: false).map { LinkTarget.percentEncoded(String($0)) }.joined(separator: "~")
    }

    private func unlinkButton(_ way: LinkedProvider, _ name: String, _ language: Language) -> HTML {
        guard let form = unlinkForm(way) else { return "" }
        // The name tells a screen reader which of the equal buttons this is.
        let label = Sentence("Remove {provider}", ["provider": name]).text(in: language)
        return """
            <form method="post" action="\(form.action)"><button class="button secondary compact" type="submit" \
            aria-label="\(label)">\(language(form.submit))</button></form>
            """
    }

    private func linkButton(_ provider: LinkableProvider, _ language: Language) -> HTML {
        let icon = ProviderIcon(providerID: provider.id, displayName: provider.displayName)
        let form = linkForm(provider)
        let label = Sentence(form.submit, ["provider": provider.displayName]).html(in: language)
        return """
            <li><form method="post" action="\(form.action)"><button class="\(icon.isMark ? "choice marked" : "choice")" type="submit">\
            \(icon.svg)<span>\(label)</span></button></form></li>

            """
    }

    // MARK: Password and address

    var passwordForm: PageForm? {
        guard let password, isRecent else { return nil }
        let account = profile.email.map {
            FormField("", .hiddenUsername, label: "E-mail address", value: $0, isFixed: true, idPrefix: "account-username")
        }
        let field = FormField(
            "new_password", .newPassword(minimumLength: password.minimumLength), label: "New password", idPrefix: "account")
        return PageForm(
            own("/account/password"), fields: [account, field].compactMap { $0 },
            submit: password.isSet ? "Change password" : "Set a password", style: .secondary, problem: password.problem,
            problemID: "password-problem")
    }

    var emailForm: PageForm? {
        guard let email, isRecent else { return nil }
        let field = FormField("email", .email, label: "New e-mail address", value: email.value, idPrefix: "new")
        return PageForm(
            own("/account/email"), fields: [field], submit: "Change address", style: .secondary, problem: email.problem,
            problemID: "email-problem")
    }

    func passwordSection(_ language: Language) -> HTML {
        guard let form = passwordForm else { return "" }
        let title = password?.isSet == true ? "Change password" : "Set a password"
        let text = "Your other sessions end when the password changes."
        return section(
            "password", title, "\n<p>\(language(text))</p>\(form.problemBox(in: language))\n\(form.html(in: language))", language)
    }

    func emailSection(_ language: Language) -> HTML {
        guard let form = emailForm else { return "" }
        let text = "We send a link to the new address. The address changes when you open it, and your other sessions end."
        return section(
            "email", "Change your e-mail address",
            "\n<p>\(language(text))</p>\(form.problemBox(in: language))\n\(form.html(in: language))", language)
    }

    // MARK: Second factors, sessions, deletion

    func factorsSection(_ language: Language) -> HTML {
        guard let secondFactors else { return "" }
        let rows = secondFactors.map { factor -> HTML in
            let date = DateText(unixSeconds: factor.enrolledAt)
            let since = Sentence("Added on {date}", ["date": date.text(in: language)]).text(in: language)
            return """
                <li><div class="about"><strong><bdi>\(factor.name(in: language))</bdi></strong>\
                <small><time datetime="\(date.iso)">\(since)</time></small></div></li>

                """
        }
        let list: HTML =
            rows.isEmpty
            ? "\n<p>\(language("You have no second factor. With one, a stolen password is not enough to sign in."))</p>"
            : "\n<ul class=\"rows\">\n\(HTML.joined(rows))</ul>"
        let link: HTML = """

            <p><a class="button secondary" href="\(own("/account/second-factors"))">\(language("Manage second factors"))</a></p>
            """
        return section("factors", "Second factors", "\(list)\(link)", language)
    }

    func sessionsSection(_ language: Language) -> HTML {
        guard let sessions, !sessions.isEmpty else { return "" }
        let rows = sessions.map { session -> HTML in
            let date = DateText(unixSeconds: session.lastSeenAt)
            let seen = Sentence("Last used on {date}", ["date": date.text(in: language)]).text(in: language)
            let browser = session.name(in: language)
            let address: HTML = session.address.map { "<span>\($0)</span>" } ?? ""
            let mark: HTML =
                session.isCurrent
                ? "<small class=\"good\">\(language("This session"))</small>"
                : "<small><time datetime=\"\(date.iso)\">\(seen)</time></small>"
            let end: HTML =
                endForm(session).map { form in
                    """
                    <form method="post" action="\(form.action)"><input type="hidden" name="id" value="\(session.id)">\
                    <button class="button secondary compact" type="submit" aria-label="\(language(form.submit)): \(browser)">\
                    \(language(form.submit))</button></form>
                    """
                } ?? ""
            return "<li><div class=\"about\"><strong><bdi>\(browser)</bdi></strong>\(address)\(mark)</div>\(end)</li>\n"
        }
        let all: HTML = sessions.count > 1 ? "\n\(endOthersForm.html(in: language))" : ""
        return section("sessions", "Sessions", "\n<ul class=\"rows\">\n\(HTML.joined(rows))</ul>\(all)", language)
    }

    /// nil for the current session, which a sign-out ends.
    func endForm(_ session: SessionRow) -> PageForm? {
        session.isCurrent
            ? nil : PageForm(own("/sessions/revoke"), hidden: [("id", session.id)], submit: "Sign out", style: .secondary)
    }

    var endOthersForm: PageForm {
        PageForm(own("/sessions/revoke"), hidden: [("others", "true")], submit: "Sign out everywhere else", style: .secondary)
    }

    func deletionSection(_ language: Language) -> HTML {
        section(
            "deletion", "Delete account",
            """

            <p>\(language("A page asks you for confirmation first."))</p>
            <p><a class="button secondary danger-text" href="\(own("/account/delete"))">\(language("Delete account"))</a></p>
            """, language)
    }

    private func section(_ id: String, _ title: String, _ content: HTML, _ language: Language) -> HTML {
        "\n<section aria-labelledby=\"\(id)\"><h2 id=\"\(id)\">\(language(title))</h2>\(content)</section>"
    }
}

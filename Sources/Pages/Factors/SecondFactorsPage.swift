/// The page at `GET {pathPrefix}/account/second-factors`: the second factors of the account, with forms that add and remove them.
package struct SecondFactorsPage: LocalizedPage {
    /// What just happened. Fixed texts, because the word stands in the query.
    package enum Notice: String, Sendable, CaseIterable {
        case added, removed
        /// A rule or the configuration demands a second factor, and the account has none.
        case required

        var isGood: Bool { self != .required }

        var text: String {
            switch self {
            case .added: "The second factor was added."
            case .removed: "The second factor was removed."
            case .required: "This site requires a second factor. Add one to continue."
            }
        }
    }

    /// What the user must do before the account can change.
    package enum Obstacle: Sendable, Equatable, CaseIterable {
        /// `auth/requires-recent-login`: nothing can be added or removed.
        case oldSignIn
        /// `auth/unverified-email`: nothing can be added.
        case unverifiedEmail
        /// The account has no way to sign in, so it cannot have second factors.
        case anonymous
    }

    /// The form for a phone number as it was refused.
    package struct Phone: Sendable {
        package var number: String
        package var displayName: String

        package init(number: String = "", displayName: String = "") {
            self.number = number
            self.displayName = displayName
        }
    }

    package var site: PageSite
    package var factors: [PageFactor]
    /// The kinds of `secondFactor.factors`, in their order.
    package var offered: [PageFactor.Kind]
    /// nil: the account can be changed.
    package var obstacle: Obstacle?
    /// Where to go after an enrolment that the sign-in waits for, already checked.
    package var returnTo: String?
    package var notice: Notice?
    package var phone: Phone
    /// Of the last form. A number that cannot be used is shown at its field, everything else at the top.
    package var problem: FormProblem?
    package var status: Int { problem?.status ?? 200 }

    /// Of other kinds than recovery codes, which are one set for each account.
    package static let mostFactors = 5

    package init(
        site: PageSite, factors: [PageFactor], offered: [PageFactor.Kind], obstacle: Obstacle? = nil, returnTo: String? = nil,
        notice: Notice? = nil, phone: Phone = Phone(), problem: FormProblem? = nil
    ) {
        self.site = site
        self.factors = factors
        self.offered = offered
        self.obstacle = obstacle
        self.returnTo = returnTo
        self.notice = notice
        self.phone = phone
        self.problem = problem
    }

    package func render(in language: Language) -> Page {
        let title = language("Second factors")
        let extras = PageExtras(styles: [.secondFactors])
        if let page = page(
            from: .secondFactors, title: title, extras: extras, values: templateValues(language), in: language)
        {
            return page
        }
        let links = HTML.joined(
            actions.map { "<a class=\"\($0.isPrimary ? "button" : "plain")\" href=\"\($0.target)\">\(language($0.label))</a>\n" })
        let main: HTML = """
            <h1>\(title)</h1>\(noticeBox(language))\(problemBox(language))
            <p>\(language(Self.introduction))</p>\(obstacleBox(language))\(rows(language))\(additions(language))
            <div class="actions">
            \(links)</div>
            """
        return page(title: title, main: main, width: .medium, extras: extras, in: language)
    }

    static let introduction = "With a second factor, a stolen password is not enough to sign in."

    /// Those that count against the limit.
    var counted: [PageFactor] { factors.filter { $0.kind != .recovery } }

    var actions: [PageContent.Action] {
        let account = PageContent.Action(label: "Go to your account", target: own("/account"))
        guard !factors.isEmpty, let target = returnTo.flatMap({ LinkTarget($0) }) else { return [account] }
        return [.init(label: "Continue", target: target, isPrimary: true), account]
    }

    // MARK: Notices

    private func noticeBox(_ language: Language) -> HTML {
        guard let notice else { return "" }
        let sentence = Sentence(notice.text)
        return (notice.isGood ? PageNotice.done(sentence) : .problem(sentence, id: "notice")).html(in: language)
    }

    private func problemBox(_ language: Language) -> HTML {
        guard let problem, problem.field != .phone else { return "" }
        return PageNotice.problem(problem.sentence, id: "problem", hasFocus: true).html(in: language)
    }

    var obstacleAction: PageContent.Action? {
        switch obstacle {
        case .oldSignIn:
            let back = [(name: "rd", value: own("/account/second-factors", returnField(returnTo)).text)]
            return .init(label: "Sign in again", target: own("/reauthenticate", back))
        case .unverifiedEmail, .anonymous: return .init(label: "Go to your account", target: own("/account"))
        case nil: return nil
        }
    }

    private func obstacleBox(_ language: Language) -> HTML {
        guard let obstacle, let action = obstacleAction else { return "" }
        return """

            <div class="ask"><p>\(language(obstacle.text))</p>
            <a class="button secondary" href="\(action.target)">\(language(action.label))</a></div>
            """
    }

    // MARK: Factors of the account

    func removeForm(_ factor: PageFactor) -> PageForm? {
        guard obstacle != .oldSignIn else { return nil }
        return PageForm(
            own("/account/second-factors/remove"), hidden: [("factor", factor.id)] + returnField(returnTo), submit: "Remove",
            style: .secondary)
    }

    /// Recovery codes go with the last other factor.
    var warnsOfRecovery: Bool { counted.count == 1 && factors.contains { $0.kind == .recovery } }

    static let recoveryWarning = "If you remove your last other second factor, the recovery codes are removed, too."

    private func rows(_ language: Language) -> HTML {
        guard !factors.isEmpty else { return "" }
        let rows = factors.map { factor -> HTML in
            let name = factor.name(in: language)
            let added = DateText(unixSeconds: factor.enrolledAt)
            let since = Sentence("Added on {date}", ["date": added.text(in: language)]).text(in: language)
            let details = HTML.joined(factor.details(in: language).map { "<span><bdi>\($0)</bdi></span>" })
            let left: HTML =
                factor.remainingCodes.map {
                    "<span>\(Sentence("Codes left: {count}", ["count": String($0)]).html(in: language))</span>"
                } ?? ""
            return """
                <li>\(factor.kind.icon)<div class="about"><strong><bdi>\(name)</bdi></strong>\(details)\(left)\
                <small><time datetime="\(added.iso)">\(since)</time></small></div>\(removeButton(factor, name, language))</li>

                """
        }
        let warning: HTML = warnsOfRecovery ? "\n<p class=\"small\">\(language(Self.recoveryWarning))</p>" : ""
        return "\n<ul class=\"rows\">\n\(HTML.joined(rows))</ul>\(warning)"
    }

    private func removeButton(_ factor: PageFactor, _ name: String, _ language: Language) -> HTML {
        guard let form = removeForm(factor) else { return "" }
        let fields = HTML.joined(form.hidden.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" })
        // The name tells a screen reader which of the equal buttons this is.
        let label = Sentence("Remove {provider}", ["provider": name]).text(in: language)
        return """
            <form method="post" action="\(form.action)">\(fields)<button class="button secondary compact" type="submit" \
            aria-label="\(label)">\(language(form.submit))</button></form>
            """
    }
}

extension SecondFactorsPage.Obstacle {
    var text: String {
        switch self {
        case .oldSignIn: "To add or remove second factors, sign in again first."
        case .unverifiedEmail: "To add a second factor, confirm your e-mail address first."
        case .anonymous: "You use this site without an account. Add a way to sign in before you add a second factor."
        }
    }
}

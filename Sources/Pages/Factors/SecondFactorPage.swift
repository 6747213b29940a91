/// The page at `GET {pathPrefix}/second-factor?rd=`: asks for a second factor after the first one, and lets the user choose among several.
///
/// The links of the choice are `{pathPrefix}/second-factor?factor=ID&rd=`.
package struct SecondFactorPage: LocalizedPage {
    /// What the chosen factor needs before the user can answer.
    package enum Progress: Sendable, Equatable {
        /// Nothing for a code of an app or a recovery code. A message or a passkey is started with a form to `/second-factor/start`.
        case notStarted
        /// The message was sent.
        case messageSent
        /// `{"publicKey": …}`, the options of `navigator.credentials.get`.
        case passkey(options: String)
    }

    package var site: PageSite
    /// At least one.
    package var factors: [PageFactor]
    /// The id of the chosen factor. nil, and an id that is not among `factors`, choose the first.
    package var chosen: String?
    package var progress: Progress
    /// Where to go afterwards, already checked.
    package var returnTo: String?
    /// `secondFactor.rememberBrowser` in days; nil shows no box to tick.
    package var rememberDays: Int?
    /// The box was ticked in the form that was refused.
    package var isRemembering: Bool
    /// The page is about a session that lacks a second factor, not about a sign-in that waits for one.
    package var isSignedIn: Bool
    package var problem: FormProblem?
    package var status: Int { problem?.status ?? 200 }

    package init(
        site: PageSite, factors: [PageFactor], chosen: String? = nil, progress: Progress = .notStarted, returnTo: String? = nil,
        rememberDays: Int? = nil, isRemembering: Bool = false, isSignedIn: Bool = false, problem: FormProblem? = nil
    ) {
        self.site = site
        self.factors = factors
        self.chosen = chosen
        self.progress = progress
        self.returnTo = returnTo
        self.rememberDays = rememberDays
        self.isRemembering = isRemembering
        self.isSignedIn = isSignedIn
        self.problem = problem
    }

    package func render(in language: Language) -> Page {
        let title = language(Self.title)
        let extras = passkeyForm == nil ? PageExtras(styles: [.secondFactors]) : PasskeyForm.extras
        let origins = [returnTo.flatMap(LinkTarget.origin)].compactMap { $0 }
        if let page = page(
            from: .secondFactor, title: title, formActionOrigins: origins, extras: extras,
            values: templateValues(language), in: language)
        {
            return page
        }
        return page(
            title: title, main: main(language), formActionOrigins: origins, extras: extras, in: language)
    }

    private static let title = "Confirm your sign-in"

    private var factor: PageFactor? { factors.first { $0.id == chosen } ?? factors.first }

    private func main(_ language: Language) -> HTML {
        let text = HTML.joined(sentences.map { "\n<p>\($0.html(in: language))</p>" })
        let name: HTML = factor.map { "\n<p class=\"lead\"><bdi>\($0.name(in: language))</bdi></p>" } ?? ""
        let box = problem.map { PageNotice.problem($0.sentence, id: "problem", hasFocus: $0.field == nil).html(in: language) } ?? ""
        let answer: HTML = form.map { "\n\($0.html(in: language))" } ?? ""
        let passkey: HTML = passkeyForm.map { "\n\($0.html(in: language))" } ?? ""
        let again: HTML = resendForm.map { "\n\($0.html(in: language))" } ?? ""
        let ending = "If you cannot use any of your second factors, ask the site's administrator."
        let back: HTML =
            cancel.map { "\n<div class=\"actions\">\n<a class=\"plain\" href=\"\($0.target)\">\(language($0.label))</a>\n</div>" } ?? ""
        return """
            <h1>\(language(Self.title))</h1>\(name)\(box)\(text)\(answer)\(passkey)\(again)\(choices(language))
            <p class="small">\(language(ending))</p>\(back)
            """
    }

    private var sentences: [Sentence] {
        guard let factor else { return [] }
        let number = ["phone": factor.phone ?? ""]
        return switch factor.kind {
        case .totp: [Sentence("Enter the 6-digit code that your authenticator app shows for {site}.", ["site": site.name])]
        case .webauthn: [Sentence("Use the passkey or security key that you added to your account.")]
        case .phone where progress == .messageSent: [Sentence("Enter the 6-digit code that we sent to {phone}.", number)]
        case .phone: [Sentence("We send a code to {phone}.", number)]
        case .recovery: [Sentence("Enter one of your recovery codes. Each code works once.")]
        }
    }

    // MARK: Forms

    private func hidden(_ factor: PageFactor) -> [(name: String, value: String)] { [("factor", factor.id)] + returnField(returnTo) }

    private var remember: FormCheckbox? {
        rememberDays.map {
            FormCheckbox(
                name: "remember", label: Sentence("Do not ask again on this browser for {days} days", ["days": String($0)]),
                isChecked: isRemembering)
        }
    }

    /// The form of the chosen factor; nil for a passkey whose dialog can open.
    private var form: PageForm? {
        guard let factor else { return nil }
        switch (factor.kind, progress) {
        case (.totp, _), (.phone, .messageSent): return codeForm(factor, .code, label: "6-digit code")
        case (.recovery, _): return codeForm(factor, .recoveryCode, label: "Recovery code")
        case (.phone, _): return PageForm(own("/second-factor/start"), hidden: hidden(factor), submit: "Send the message")
        case (.webauthn, .passkey): return nil
        case (.webauthn, _): return PageForm(own("/second-factor/start"), hidden: hidden(factor), submit: "Use passkey")
        }
    }

    private func codeForm(_ factor: PageFactor, _ kind: FormField.Kind, label: String) -> PageForm {
        var field = FormField("code", kind, label: label)
        field.takesFocus = true
        var form = PageForm(
            own("/second-factor/verify"), hidden: hidden(factor), fields: [field], submit: "Confirm", problem: problem)
        form.checkbox = remember
        return form
    }

    private var passkeyForm: PasskeyForm? {
        guard let factor, factor.kind == .webauthn, case .passkey(let options) = progress else { return nil }
        var form = PageForm(own("/second-factor/verify"), hidden: hidden(factor), submit: "Use passkey")
        form.checkbox = remember
        return PasskeyForm(purpose: .secondFactor, options: options, form: form)
    }

    private var resendForm: PageForm? {
        guard let factor, factor.kind == .phone, progress == .messageSent else { return nil }
        return PageForm(own("/second-factor/start"), hidden: hidden(factor), submit: "Send another message", style: .secondary)
    }

    // MARK: Other factors

    private var others: [PageFactor] { factors.filter { $0.id != factor?.id } }

    private func target(_ factor: PageFactor) -> LinkTarget { own("/second-factor", hidden(factor)) }

    private var cancel: PageContent.Action? {
        isSignedIn ? nil : .init(label: "Back to the sign-in", target: own("/login", returnField(returnTo)))
    }

    private func choices(_ language: Language) -> HTML {
        guard !others.isEmpty else { return "" }
        let items = others.map { other -> HTML in
            let details = other.details(in: language)
            let small: HTML =
                details.isEmpty ? "" : "<small>\(HTML.joined(details.map { "<bdi>\($0)</bdi> " }))</small>"
            return """
                <li><a class="choice" href="\(target(other))">\(other.kind.icon)<span><bdi>\(other.name(in: language))</bdi>\(small)</span></a></li>

                """
        }
        return """

            <p class="or"><span>\(language("or"))</span></p>
            <ul class="choices">
            \(HTML.joined(items))</ul>
            """
    }

    private func templateValues(_ language: Language) -> [String: any Sendable] {
        var values: [String: any Sendable] = [
            "text": sentences.map { $0.text(in: language) },
            "closing": [language("If you cannot use any of your second factors, ask the site's administrator.")],
            "or": language("or"),
            "others": others.map { other in
                other.templateValues(in: language).merging(["url": target(other).text]) { first, _ in first }
            },
            "actions": [cancel].compactMap { $0 }.map { ["label": language($0.label), "url": $0.target.text] },
        ]
        values["factor"] = factor?.templateValues(in: language)
        values["problem"] = problem?.sentence.text(in: language)
        values["form"] = form?.templateValues(in: language)
        values["passkey"] = passkeyForm?.templateValues(in: language)
        values["resend"] = resendForm?.templateValues(in: language)
        return values
    }
}

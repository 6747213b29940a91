/// The page after `POST {pathPrefix}/login/passkey/start` or `/reauthenticate/passkey/start`: opens the browser's dialog.
package struct PasskeySignInPage: LocalizedPage {
    package enum Purpose: Sendable {
        case signIn
        /// The user of a session signs in again.
        case reauthentication

        var path: String {
            switch self {
            case .signIn: "/login/passkey"
            case .reauthentication: "/reauthenticate/passkey"
            }
        }
    }

    package var site: PageSite
    package var purpose: Purpose
    /// `{"publicKey": …}`, the options of `navigator.credentials.get`.
    package var options: String
    package var returnTo: String?
    package var problem: FormProblem?
    package var status: Int { problem?.status ?? 200 }

    package init(site: PageSite, purpose: Purpose, options: String, returnTo: String? = nil, problem: FormProblem? = nil) {
        self.site = site
        self.purpose = purpose
        self.options = options
        self.returnTo = returnTo
        self.problem = problem
    }

    package func render(in language: Language) -> Page {
        let passkey = PasskeyForm(
            purpose: .signIn, options: options,
            form: PageForm(own(purpose.path), hidden: returnField(returnTo), submit: "Use passkey"), opensAtOnce: problem == nil)
        let back: PageContent.Action =
            switch purpose {
            case .signIn: .init(label: "Back to the sign-in", target: own("/login", returnField(returnTo)))
            case .reauthentication: .init(label: "Cancel", target: own("/account"))
            }
        var content = EnrolmentContent(
            PageContent(
                title: "Sign in with a passkey",
                text: [Sentence("Your device asks for your fingerprint, your face or a PIN, or you touch a security key.")],
                actions: [back]),
            template: .passkeySignIn)
        content.problem = problem
        content.after = "\n\(passkey.html(in: language))"
        content.values = ["passkey": passkey.templateValues(in: language)]
        content.extras = PasskeyForm.extras
        content.formActionOrigins = [returnTo.flatMap(LinkTarget.origin)].compactMap { $0 }
        return page(content, in: language)
    }
}

/// The button that begins a sign-in with a passkey, among those of the providers.
struct PasskeyChoice {
    let form: PageForm

    init(_ action: LinkTarget, returnTo: [(name: String, value: String)]) {
        form = PageForm(action, hidden: returnTo, submit: "Sign in with a passkey")
    }

    /// An item of the list of choices.
    func html(in language: Language) -> HTML {
        let fields = HTML.joined(form.hidden.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" })
        return """
            <li><form method="post" action="\(form.action)">\(fields)<button class="choice" type="submit">\
            \(PageFactor.Kind.webauthn.icon)<span>\(language(form.submit))</span></button></form></li>

            """
    }
}

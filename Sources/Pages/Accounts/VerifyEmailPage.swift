/// The page at `GET {pathPrefix}/verify-email?token=…`. Programs that scan mails open links, so only its buttons do something.
package struct VerifyEmailPage: LocalizedPage {
    /// What "it was not me" does.
    package enum Refusal: Sendable { case takesOver, cancels }

    /// How a browser without a session of the account shows that its user has the account.
    package struct SignIn: Sendable {
        /// The page asks for the password.
        package var withPassword: Bool
        /// The page leads to the sign-in page and back.
        package var otherwise: Bool
        /// The browser has a session of another account.
        package var isSignedInElsewhere: Bool

        package init(withPassword: Bool, otherwise: Bool = true, isSignedInElsewhere: Bool = false) {
            self.withPassword = withPassword
            self.otherwise = otherwise
            self.isSignedInElsewhere = isSignedInElsewhere
        }
    }

    /// The account that gets the address, as its user knows it.
    package enum AccountName: Sendable {
        case named(String)
        /// Nobody has signed up yet.
        case anonymous
    }

    package var site: PageSite
    package var token: String
    /// The address to confirm.
    package var email: String
    package var refusal: Refusal
    /// Set in a session of the account.
    package var account: AccountName?
    /// nil in a session of the account.
    package var signIn: SignIn?
    package var problem: FormProblem?
    package var status: Int { problem?.status ?? 200 }

    package init(
        site: PageSite, token: String, email: String, refusal: Refusal, account: AccountName? = nil, signIn: SignIn? = nil,
        problem: FormProblem? = nil
    ) {
        self.site = site
        self.token = token
        self.email = email
        self.refusal = refusal
        self.account = account
        self.signIn = signIn
        self.problem = problem
    }

    package func render(in language: Language) -> Page {
        let content = PageContent(
            title: "Confirm your e-mail address", text: text, form: form, actions: actions,
            refusal: (refusal == .takesOver ? MailRefusalForm.takesOver : .cancels).content(own("/verify-email"), token: token))
        return page(content, template: .verifyEmail, in: language)
    }

    private var text: [Sentence] {
        let values = ["email": email]
        guard let signIn else { return [Sentence("Does the address {email} belong to you?", values)] + owner }
        let elsewhere = signIn.isSignedInElsewhere ? [Sentence("You are signed in to another account in this browser.")] : []
        let question =
            signIn.withPassword
            ? "To confirm the address {email}, enter the password of the account that it is for."
            : "To confirm the address {email}, sign in to the account that it is for."
        return elsewhere + [Sentence(question, values)]
    }

    private var owner: [Sentence] {
        switch account {
        case nil: []
        case .named(let name):
            [Sentence("This confirms it for the account {account}. If that is not your account, do not confirm.", ["account": name])]
        case .anonymous:
            [Sentence("This confirms it for the registration that was begun in this browser. If you did not begin it, do not confirm.")]
        }
    }

    private var form: PageForm? {
        var fields: [FormField] = []
        if let signIn {
            guard signIn.withPassword else { return nil }
            fields = [
                FormField("email", .hiddenUsername, label: "E-mail address", value: email),
                FormField("password", .currentPassword, label: "Password"),
            ]
        }
        return PageForm(own("/verify-email"), hidden: [("token", token)], fields: fields, submit: "Confirm address", problem: problem)
    }

    private var actions: [PageContent.Action] {
        guard let signIn, signIn.otherwise else { return [] }
        let back = [(name: "rd", value: own("/verify-email", [("token", token)]).text)]
        let target = own("/login", signIn.isSignedInElsewhere ? back + [SignInPage.accountField] : back)
        return [
            .init(label: signIn.withPassword ? "Sign in another way" : "Sign in", target: target, isPrimary: !signIn.withPassword)
        ]
    }
}

/// The second form on the page of a mail's link: "it was not me".
enum MailRefusalForm {
    case takesOver, cancels

    func content(_ action: LinkTarget, token: String) -> PageContent.Refusal {
        PageContent.Refusal(
            text: Sentence(text),
            form: PageForm(action, hidden: [("token", token), ("refuse", "true")], submit: submit, style: .secondary))
    }

    private var text: String {
        switch self {
        case .takesOver:
            "If someone else created the account with your address, you can take it over. Its password, its other ways to sign in and its sessions are removed, and you choose a new password."
        case .cancels: "If you did not ask for this mail, you can make its link invalid. Nothing else changes."
        }
    }

    private var submit: String {
        switch self {
        case .takesOver: "I did not create this account"
        case .cancels: "I did not ask for this"
        }
    }
}

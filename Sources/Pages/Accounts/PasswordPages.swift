/// The page at `GET {pathPrefix}/password/reset`: sends a mail with a link to a new password.
package struct PasswordResetPage: LocalizedPage {
    package var site: PageSite
    /// Filled in.
    package var email: String
    package var returnTo: String?
    package var problem: FormProblem?
    package var status: Int { problem?.status ?? 200 }

    package init(site: PageSite, email: String = "", returnTo: String? = nil, problem: FormProblem? = nil) {
        self.site = site
        self.email = email
        self.returnTo = returnTo
        self.problem = problem
    }

    package func render(in language: Language) -> Page {
        let form = PageForm(
            own("/password/reset"), hidden: returnField(returnTo),
            fields: [FormField("email", .email, label: "E-mail address", value: email)], submit: "Send the mail", problem: problem)
        let content = PageContent(
            title: "Reset your password",
            text: [Sentence("Enter the e-mail address of your account. We send you a link to choose a new password.")], form: form,
            actions: [.init(label: "Back to the sign-in", target: own("/login", returnField(returnTo)))])
        return page(content, template: .passwordReset, in: language)
    }
}

/// The page at `GET {pathPrefix}/password/new?token=…`. Opening it does not use up the token; posting the form does.
package struct NewPasswordPage: LocalizedPage {
    package var site: PageSite
    package var token: String
    /// The account's address, for password managers; nil if it is not known before the token is used.
    package var email: String?
    package var minimumLength: Int
    /// The page has a button that makes the link invalid.
    package var offersRefusal: Bool
    package var problem: FormProblem?
    package var status: Int { problem?.status ?? 200 }

    package init(
        site: PageSite, token: String, email: String? = nil, minimumLength: Int, offersRefusal: Bool = false, problem: FormProblem? = nil
    ) {
        self.site = site
        self.token = token
        self.email = email
        self.minimumLength = minimumLength
        self.offersRefusal = offersRefusal
        self.problem = problem
    }

    package func render(in language: Language) -> Page {
        let account = email.map { FormField("email", .username, label: "E-mail address", value: $0, isFixed: true) }
        let form = PageForm(
            own("/password/new"), hidden: [("token", token)],
            fields: [account, FormField("new_password", .newPassword(minimumLength: minimumLength), label: "New password")].compactMap {
                $0
            },
            submit: "Change password", problem: problem)
        let content = PageContent(
            title: "Choose a new password", form: form,
            closing: [Sentence("The change ends your sessions on all devices.")],
            refusal: offersRefusal ? MailRefusalForm.cancels.content(own("/password/new"), token: token) : nil)
        return page(content, template: .newPassword, in: language)
    }
}

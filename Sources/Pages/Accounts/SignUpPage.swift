/// The page at `GET {pathPrefix}/sign-up`: creates an account with e-mail address and password.
package struct SignUpPage: LocalizedPage {
    package var site: PageSite
    /// Filled in.
    package var email: String
    package var minimumLength: Int
    package var returnTo: String?
    package var problem: FormProblem?
    package var status: Int { problem?.status ?? 200 }

    package init(site: PageSite, email: String = "", minimumLength: Int, returnTo: String? = nil, problem: FormProblem? = nil) {
        self.site = site
        self.email = email
        self.minimumLength = minimumLength
        self.returnTo = returnTo
        self.problem = problem
    }

    package func render(in language: Language) -> Page {
        let form = PageForm(
            own("/sign-up"), hidden: returnField(returnTo),
            fields: [
                FormField("email", .username, label: "E-mail address", value: email),
                FormField("password", .newPassword(minimumLength: minimumLength), label: "Password"),
            ],
            submit: "Create an account", problem: problem)
        let content = PageContent(
            title: "Create an account", form: form,
            closing: [Sentence("You will get a mail with a link that confirms your address.")],
            actions: [.init(label: "Sign in instead", target: own("/login", returnField(returnTo)))])
        return page(content, template: .signUp, in: language)
    }
}

/// The page after a form that sends a mail. It is the same whether or not the address has an account.
package struct CheckMailPage: LocalizedPage {
    package enum Reason: Sendable, Equatable, CaseIterable { case signUp, passwordReset, emailChange }

    package var site: PageSite
    package var reason: Reason
    package var returnTo: String?
    package var status: Int { 200 }

    package init(site: PageSite, reason: Reason, returnTo: String? = nil) {
        self.site = site
        self.reason = reason
        self.returnTo = returnTo
    }

    package func render(in language: Language) -> Page {
        let again = Sentence("No mail after a few minutes? Look in the spam folder, and check the address for typing errors.")
        let content = PageContent(
            title: "Check your mail", text: [Sentence(reason.text), again],
            actions: [
                reason == .emailChange
                    ? .init(label: "Go to your account", target: own("/account"))
                    : .init(label: "Back to the sign-in", target: own("/login", returnField(returnTo)))
            ])
        return page(content, template: .checkMail, in: language)
    }
}

extension CheckMailPage.Reason {
    var text: String {
        switch self {
        case .signUp: "We sent you a mail. Open the link in it to continue."
        case .passwordReset: "If the address belongs to an account, we sent a mail to it. Open the link in it to choose a new password."
        case .emailChange: "We sent a mail to the new address. The address of your account changes when you open the link in it."
        }
    }
}

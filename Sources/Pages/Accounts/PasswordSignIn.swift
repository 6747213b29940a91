/// The form for the sign-in with e-mail address and password.
package struct PasswordSignIn: Sendable {
    /// Filled in.
    package var email: String
    /// The address belongs to the account and is not changed by the user.
    package var isEmailFixed: Bool
    /// The page leads to `GET {pathPrefix}/sign-up`.
    package var offersSignUp: Bool
    /// The page leads to `GET {pathPrefix}/password/reset`.
    package var offersReset: Bool
    package var problem: FormProblem?

    package init(
        email: String = "", isEmailFixed: Bool = false, offersSignUp: Bool = false, offersReset: Bool = false, problem: FormProblem? = nil
    ) {
        self.email = email
        self.isEmailFixed = isEmailFixed
        self.offersSignUp = offersSignUp
        self.offersReset = offersReset
        self.problem = problem
    }

    func form(_ action: LinkTarget, returnTo: [(name: String, value: String)], style: PageForm.Style) -> PageForm {
        PageForm(
            action, hidden: returnTo,
            fields: [
                FormField("email", .username, label: "E-mail address", value: email, isFixed: isEmailFixed),
                FormField("password", .currentPassword, label: "Password"),
            ],
            submit: "Sign in with password", style: style, problem: problem)
    }

    /// The links below the form.
    func links(_ page: some LocalizedPage, returnTo: [(name: String, value: String)]) -> [PageContent.Action] {
        var links: [PageContent.Action] = []
        if offersReset { links.append(.init(label: "Forgot your password?", target: page.own("/password/reset", returnTo))) }
        if offersSignUp { links.append(.init(label: "Create an account", target: page.own("/sign-up", returnTo))) }
        return links
    }
}

/// The page at `GET {pathPrefix}/account/pending`, which asks whether to link the identity that met a conflict.
///
/// "No" comes first: a user who did not begin this must not link a stranger's identity by habit.
package struct LinkQuestionPage: LocalizedPage {
    package var site: PageSite
    /// The provider of the identity, as its button names it.
    package var provider: String
    /// The identity's name at that provider; nil if it has none.
    package var username: String?
    /// Its address; nil if it has none.
    package var email: String?
    /// Whether the provider vouches for the address.
    package var isEmailVerified: Bool
    /// Where the answer leads.
    package var returnTo: String?
    package var status: Int { 200 }

    package init(
        site: PageSite, provider: String, username: String? = nil, email: String? = nil, isEmailVerified: Bool = false,
        returnTo: String? = nil
    ) {
        self.site = site
        self.provider = provider
        self.username = username
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.returnTo = returnTo
    }

    package func render(in language: Language) -> Page {
        let title = Sentence("Link {provider} to your account?", values).text(in: language)
        let templateValues: [String: any Sendable] = [
            "text": text.map { $0.text(in: language) }, "no": no.templateValues(in: language), "yes": yes.templateValues(in: language),
        ]
        if let page = page(
            from: .linkQuestion, title: title, formActionOrigins: origins, values: templateValues, in: language)
        {
            return page
        }
        let paragraphs = HTML.joined(text.map { "\n<p>\($0.html(in: language))</p>" })
        let main: HTML = """
            \(HTML.heading(title))\(paragraphs)
            \(no.html(in: language))
            \(yes.html(in: language))
            """
        return page(title: title, main: main, formActionOrigins: origins, in: language)
    }

    private var values: [String: String] { ["provider": provider, "name": username ?? "", "email": email ?? ""] }
    private var origins: [String] { [returnTo.flatMap(LinkTarget.origin)].compactMap { $0 } }

    private var text: [Sentence] {
        let met =
            username == nil
            ? "A sign-in with {provider} in this browser met your account, because both have the same e-mail address."
            : "A sign-in with {provider} as {name} in this browser met your account, because both have the same e-mail address."
        let warning: Sentence? =
            isEmailVerified || email == nil
            ? nil
            : Sentence("{provider} has not confirmed that the address {email} belongs to that user.", values)
        return [
            Sentence(met, values), warning,
            Sentence("If you link it, the user of that {provider} account can sign in to your account.", values),
            Sentence("Choose No if you did not sign in with {provider} yourself.", values),
        ].compactMap { $0 }
    }

    private var no: PageForm { form(accept: "false", "No, do not link", .primary) }
    private var yes: PageForm { form(accept: "true", "Yes, link", .secondary) }

    private func form(accept: String, _ label: String, _ style: PageForm.Style) -> PageForm {
        PageForm(own("/account/pending"), hidden: [("accept", accept)], submit: label, style: style)
    }
}

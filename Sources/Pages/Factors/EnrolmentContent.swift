/// The parts of an enrolment's page: those of `PageContent`, and markup before and after its form.
struct EnrolmentContent: Sendable {
    let content: PageContent
    let template: PageTemplates.Name
    /// Before the form.
    var before: HTML = ""
    /// After the form.
    var after: HTML = ""
    /// Where there is no form that has it.
    var problem: FormProblem?
    /// The values that a template has besides those of the content.
    var values: [String: any Sendable] = [:]
    var extras = PageExtras(styles: [.secondFactors])
    var width = PageFrame.Width.card
    var formActionOrigins: [String] = []

    init(_ content: PageContent, template: PageTemplates.Name) {
        self.content = content
        self.template = template
    }

    func main(in language: Language) -> HTML {
        let refused = content.form?.problem ?? problem
        let box = refused.map { PageNotice.problem($0.sentence, id: "problem", hasFocus: $0.field == nil).html(in: language) } ?? ""
        let text = HTML.joined(content.text.map { "\n<p>\($0.html(in: language))</p>" })
        let form: HTML = content.form.map { "\n\($0.html(in: language))" } ?? ""
        let links = HTML.joined(
            content.actions.map {
                "<a class=\"\($0.isPrimary ? "button" : "plain")\" href=\"\($0.target)\">\(language($0.label))</a>\n"
            })
        return """
            <h1>\(language(content.title))</h1>\(box)\(text)\(before)\(form)\(after)
            <div class="actions">
            \(links)</div>
            """
    }
}

extension LocalizedPage {
    func page(_ enrolment: EnrolmentContent, in language: Language) -> Page {
        let title = language(enrolment.content.title)
        var values = enrolment.content.templateValues(in: language).merging(enrolment.values) { _, second in second }
        if let problem = enrolment.problem { values["problem"] = problem.sentence.text(in: language) }
        if let page = page(
            from: enrolment.template, title: title, formActionOrigins: enrolment.formActionOrigins,
            extras: enrolment.extras, values: values, in: language)
        {
            return page
        }
        return page(
            title: title, main: enrolment.main(in: language), width: enrolment.width, formActionOrigins: enrolment.formActionOrigins,
            extras: enrolment.extras, in: language)
    }

    /// Back to the list, without the new factor.
    func cancelEnrolment(_ returnTo: String?) -> PageContent.Action {
        .init(label: "Cancel", target: own("/account/second-factors", returnField(returnTo)))
    }
}

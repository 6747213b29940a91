/// The parts of a page that consists of text, one form and links. Both the built-in page and an operator's template show it.
struct PageContent: Sendable {
    struct Action: Sendable {
        /// English.
        let label: String
        let target: LinkTarget
        var isPrimary = false
    }

    /// "It was not me": what the button does, and the button.
    struct Refusal: Sendable {
        let text: Sentence
        let form: PageForm
    }

    /// English.
    let title: String
    var text: [Sentence] = []
    var form: PageForm?
    /// Text after the form.
    var closing: [Sentence] = []
    var actions: [Action] = []
    /// At the end.
    var refusal: Refusal?

    func main(in language: Language) -> HTML {
        let actionLinks = HTML.joined(
            actions.map { "<a class=\"\($0.isPrimary ? "button" : "plain")\" href=\"\($0.target)\">\(language($0.label))</a>\n" })
        let row: HTML = actions.isEmpty ? "" : "\n<div class=\"actions\">\n\(actionLinks)</div>"
        let refusalHTML: HTML =
            refusal.map {
                "\n<section>\(paragraphs([$0.text], " class=\"small\"", language))\n\($0.form.html(in: language))\n</section>"
            } ?? ""
        let formHTML: HTML = form.map { "\n\($0.html(in: language))" } ?? ""
        return """
            \(HTML.heading(language(title)))\(form?.problemBox(in: language))\(paragraphs(text, "", language))\(formHTML)\
            \(paragraphs(closing, " class=\"small\"", language))\(row)\(refusalHTML)
            """
    }

    func templateValues(in language: Language) -> [String: any Sendable] {
        var values: [String: any Sendable] = [
            "text": text.map { $0.text(in: language) }, "closing": closing.map { $0.text(in: language) },
            "actions": actions.map { ["label": language($0.label), "url": $0.target.text] },
        ]
        values["form"] = form?.templateValues(in: language)
        values["problem"] = form?.problem?.sentence.text(in: language)
        if let refusal {
            let section: [String: any Sendable] = [
                "text": refusal.text.text(in: language), "form": refusal.form.templateValues(in: language),
            ]
            values["refusal"] = section
        }
        return values
    }

    private func paragraphs(_ sentences: [Sentence], _ attribute: HTML, _ language: Language) -> HTML {
        HTML.joined(sentences.map { "\n<p\(attribute)>\($0.html(in: language))</p>" })
    }
}

extension LocalizedPage {
    /// The page with `content`: from the operator's template if there is one.
    func page(
        _ content: PageContent, template: PageTemplates.Name, formActionOrigins: [String] = [], in language: Language
    ) -> Page {
        let title = language(content.title)
        if let page = page(
            from: template, title: title, formActionOrigins: formActionOrigins,
            values: content.templateValues(in: language), in: language)
        {
            return page
        }
        return page(
            title: title, main: content.main(in: language), formActionOrigins: formActionOrigins, in: language)
    }

    /// A path below `pathPrefix`. `query` values are percent-encoded.
    func own(_ path: String, _ query: [(name: String, value: String)] = []) -> LinkTarget {
        LinkTarget(path: site.pathPrefix + path, query: query) ?? .home
    }

    /// The field `rd`, if there is somewhere to return to.
    func returnField(_ returnTo: String?) -> [(name: String, value: String)] { returnTo.map { [("rd", $0)] } ?? [] }
}

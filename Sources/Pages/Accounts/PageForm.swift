/// A form that posts to an endpoint of the gateway.
struct PageForm: Sendable {
    enum Style: String, Sendable { case primary, secondary, danger }

    let action: LinkTarget
    var hidden: [(name: String, value: String)] = []
    var fields: [FormField] = []
    /// The button's text, in English.
    let submit: String
    var style = Style.primary
    var problem: FormProblem?
    /// The id of the element that shows the problem, which the caller places.
    var problemID = "problem"
    /// Before the button.
    var checkbox: FormCheckbox?
    /// Further attributes of the element, each after a space.
    var attributes: HTML = ""

    init(
        _ action: LinkTarget, hidden: [(name: String, value: String)] = [], fields: [FormField] = [], submit: String,
        style: Style = .primary,
        problem: FormProblem? = nil, problemID: String = "problem"
    ) {
        self.action = action
        self.hidden = hidden
        self.fields = fields
        self.submit = submit
        self.style = style
        self.problem = problem
        self.problemID = problemID
    }

    func html(in language: Language) -> HTML {
        let secrets = HTML.joined(hidden.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" })
        let inputs = HTML.joined(fields.map { $0.html(problem: problem, problemID: problemID, in: language) })
        return """
            <form class="form" method="post" action="\(action)"\(attributes)>\(secrets)
            \(inputs)\(checkbox?.html(in: language))<button class="\(buttonClass)" type="submit">\(language(submit))</button></form>
            """
    }

    /// The reason why the form was not accepted, for the place above it; empty without one.
    func problemBox(in language: Language) -> HTML {
        problem.map { PageNotice.problem($0.sentence, id: problemID, hasFocus: $0.field == nil).html(in: language) } ?? ""
    }

    func templateValues(in language: Language) -> [String: any Sendable] {
        var values: [String: any Sendable] = [
            "action": action.text, "submit": language(submit), "isDangerous": style == .danger,
            "hidden": hidden.map { ["name": $0.name, "value": $0.value] },
            "fields": fields.map { $0.templateValues(problem: problem, in: language) },
        ]
        values["problem"] = problem?.sentence.text(in: language)
        values["checkbox"] = checkbox?.templateValues(in: language)
        return values
    }

    private var buttonClass: String { style == .primary ? "button" : "button \(style.rawValue)" }
}

/// A box to tick. It sends `true`, or nothing.
struct FormCheckbox: Sendable {
    let name: String
    let label: Sentence
    var isChecked = false

    func html(in language: Language) -> HTML {
        """
        <div class="check"><input id="\(name)" name="\(name)" type="checkbox" value="true" autocomplete="off"\(isChecked ? " checked" : "")>\
        <label for="\(name)">\(label.html(in: language))</label></div>

        """
    }

    func templateValues(in language: Language) -> [String: any Sendable] {
        ["name": name, "value": "true", "label": label.text(in: language), "isChecked": isChecked]
    }
}

/// A box that tells what just happened.
enum PageNotice: Sendable {
    /// Without a field that has the focus, the box takes it, so that it is visible and read.
    case problem(Sentence, id: String, hasFocus: Bool = false)
    case done(Sentence)

    func html(in language: Language) -> HTML {
        switch self {
        case .problem(let sentence, let id, let hasFocus):
            """

            <div class="notice" role="alert" id="\(id)"\(hasFocus ? " tabindex=\"-1\" autofocus" as HTML : "")>\
            <p>\(sentence.html(in: language))</p></div>
            """
        case .done(let sentence):
            "\n<div class=\"notice done\" role=\"status\"><p>\(sentence.html(in: language))</p></div>"
        }
    }
}

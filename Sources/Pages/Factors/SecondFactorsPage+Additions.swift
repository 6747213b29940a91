extension SecondFactorsPage {
    /// A kind that the account can add, with its form.
    struct Addition {
        let kind: PageFactor.Kind
        let text: [Sentence]
        /// nil: another factor must come first.
        let form: PageForm?
    }

    /// Empty where something stands in the way.
    var additions: [Addition] {
        guard obstacle == nil else { return [] }
        return offered.compactMap { kind in
            if kind != .recovery && isFull { return nil }
            return addition(kind)
        }
    }

    var isFull: Bool { counted.count >= Self.mostFactors }

    private func addition(_ kind: PageFactor.Kind) -> Addition {
        switch kind {
        case .totp:
            let text = "An app on your phone or computer shows a new code every 30 seconds."
            return Addition(
                kind: kind, text: [Sentence(text)],
                form: startForm(kind, fields: [nameField(kind)], submit: "Set up an authenticator app"))
        case .webauthn:
            let text = "Your device asks for your fingerprint, your face or a PIN, or you touch a security key."
            return Addition(
                kind: kind, text: [Sentence(text)], form: startForm(kind, fields: [nameField(kind)], submit: "Add a passkey"))
        case .phone:
            let number = FormField("phone", .phone, label: "Phone number", value: phone.number, idPrefix: kind.rawValue)
            var form = startForm(kind, fields: [number, nameField(kind, phone.displayName)], submit: "Send the message")
            form.problem = problem.flatMap { $0.field == .phone ? $0 : nil }
            form.problemID = "phone-problem"
            return Addition(kind: kind, text: [Sentence("We send a code to your phone when you sign in.")], form: form)
        case .recovery: return recovery
        }
    }

    private var recovery: Addition {
        let text = Sentence("Ten codes that work once each, for when you cannot use your other second factors.")
        guard !counted.isEmpty else {
            return Addition(kind: .recovery, text: [text, Sentence("You can create them after you add another second factor.")], form: nil)
        }
        let exists = factors.contains { $0.kind == .recovery }
        return Addition(
            kind: .recovery, text: [text, exists ? Sentence("New codes replace the ones that you have.") : nil].compactMap { $0 },
            form: startForm(.recovery, fields: [], submit: exists ? "Create new recovery codes" : "Create recovery codes"))
    }

    private func nameField(_ kind: PageFactor.Kind, _ value: String = "") -> FormField {
        FormField("display_name", .displayName, label: "Name (optional)", value: value, idPrefix: kind.rawValue)
    }

    private func startForm(_ kind: PageFactor.Kind, fields: [FormField], submit: String) -> PageForm {
        PageForm(
            own("/account/second-factors/start"), hidden: [("type", kind.rawValue)] + returnField(returnTo), fields: fields,
            submit: submit, style: .secondary)
    }

    func additions(_ language: Language) -> HTML {
        let additions = additions
        let full: HTML =
            obstacle == nil && isFull ? "\n<p>\(FormProblem.tooManySecondFactors.sentence.html(in: language))</p>" : ""
        guard !additions.isEmpty else {
            return full.isEmpty ? "" : section("\(full)", language)
        }
        let parts = additions.map { addition -> HTML in
            let id = "add-\(addition.kind.rawValue)"
            let text = HTML.joined(addition.text.map { "\n<p>\($0.html(in: language))</p>" })
            let form: HTML = addition.form.map { "\($0.problemBox(in: language))\n\($0.html(in: language))" } ?? ""
            return """

                <div class="addition" role="group" aria-labelledby="\(id)">
                <h3 id="\(id)">\(addition.kind.icon)\(language(addition.kind.title))</h3>\(text)\(form)
                </div>
                """
        }
        return section(HTML.joined([full] + parts), language)
    }

    private func section(_ content: HTML, _ language: Language) -> HTML {
        """

        <section aria-labelledby="add"><h2 id="add">\(language("Add a second factor"))</h2>\(content)</section>
        """
    }

    func templateValues(_ language: Language) -> [String: any Sendable] {
        var values: [String: any Sendable] = [
            "text": [language(Self.introduction)],
            "factors": factors.map { factor -> [String: any Sendable] in
                var row = factor.templateValues(in: language)
                row["remove"] = removeForm(factor)?.templateValues(in: language)
                return row
            },
            "additions": additions.map { addition -> [String: any Sendable] in
                var row: [String: any Sendable] = [
                    "type": addition.kind.rawValue, "name": language(addition.kind.title),
                    "text": addition.text.map { $0.text(in: language) },
                ]
                row["form"] = addition.form?.templateValues(in: language)
                return row
            },
            "addLabel": language("Add a second factor"),
            "actions": actions.map { ["label": language($0.label), "url": $0.target.text] },
        ]
        values["notice"] = notice.map { language($0.text) }
        values["isGood"] = notice?.isGood
        if let problem, problem.field != .phone { values["problem"] = problem.sentence.text(in: language) }
        if let obstacle, let action = obstacleAction {
            values["confirm"] = ["text": language(obstacle.text), "url": action.target.text, "label": language(action.label)]
        }
        if isFull { values["limit"] = FormProblem.tooManySecondFactors.sentence.text(in: language) }
        if warnsOfRecovery { values["recoveryWarning"] = language(Self.recoveryWarning) }
        return values
    }
}

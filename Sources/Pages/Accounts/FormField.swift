/// A labelled input of a form.
struct FormField: Sendable {
    enum Kind: Sendable {
        /// The address that a password belongs to. Password managers look for `username`.
        case username
        /// The same, only for password managers: neither shown nor sent.
        case hiddenUsername
        /// An address without a password beside it.
        case email
        case currentPassword
        case newPassword(minimumLength: Int)
        /// A code of six digits, from an app or a message.
        case code
        case recoveryCode
        case phone
        /// The user's name for something. Not required.
        case displayName
    }

    let name: String
    let kind: Kind
    /// English.
    let label: String
    var value = ""
    /// Shown, but not changed by the user.
    var isFixed = false
    /// Distinguishes the fields of several forms on one page.
    var idPrefix = ""
    /// The field has the focus, where no refused field has it.
    var takesFocus = false

    init(_ name: String, _ kind: Kind, label: String, value: String = "", isFixed: Bool = false, idPrefix: String = "") {
        self.name = name
        self.kind = kind
        self.label = label
        self.value = value
        self.isFixed = isFixed
        self.idPrefix = idPrefix
    }

    /// - Parameter problemID: the id of the element that explains why the value was refused; nil if it was not.
    func html(problem: FormProblem?, problemID: String, in language: Language) -> HTML {
        if case .hiddenUsername = kind {
            return "<input type=\"text\" value=\"\(value)\" autocomplete=\"username\" readonly hidden>\n"
        }
        let isInvalid = problem?.field.map { $0 == field } ?? false
        let hintText = hint?.html(in: language)
        let described = [isInvalid ? problemID : nil, hintText == nil ? nil : "\(id)-hint"].compactMap { $0 }.joined(separator: " ")
        let description: HTML = described.isEmpty ? "" : " aria-describedby=\"\(described)\""
        // The focus goes to the refused value, so that a screen reader reads the label and the problem.
        let invalid: HTML = isInvalid ? " aria-invalid=\"true\" autofocus" : takesFocus && problem == nil ? " autofocus" : ""
        let hintElement: HTML = hintText.map { "<p class=\"hint\" id=\"\(id)-hint\">\($0)</p>" } ?? ""
        let filled: HTML = value.isEmpty || isPassword ? "" : " value=\"\(value)\""
        let fixed: HTML = isFixed ? " readonly" : ""
        let required: HTML = isRequired ? " required" : ""
        return """
            <div class="field"><label for="\(id)">\(language(label))</label>
            <input id="\(id)" name="\(name)" type="\(type)"\(filled) autocomplete="\(autocomplete)"\(typing)\
            \(required)\(fixed)\(description)\(invalid)>\(hintElement)</div>

            """
    }

    func templateValues(problem: FormProblem?, in language: Language) -> [String: any Sendable] {
        var values: [String: any Sendable] = [
            "id": id, "name": name, "type": type, "label": language(label), "autocomplete": autocomplete,
            "isHidden": isHidden, "isInvalid": problem?.field.map { $0 == field } ?? false, "isFixed": isFixed,
        ]
        if !isPassword { values["value"] = value }
        values["hint"] = hint?.text(in: language)
        values["isOptional"] = !isRequired
        values["isNumeric"] = isNumeric
        if case .newPassword(let length) = kind { values["minimumLength"] = length }
        return values
    }

    private var id: String { idPrefix.isEmpty ? name : "\(idPrefix)-\(name)" }

    private var isHidden: Bool { if case .hiddenUsername = kind { true } else { false } }

    /// Phones show a keyboard of digits.
    private var isNumeric: Bool { if case .code = kind { true } else { false } }

    private var isPassword: Bool {
        switch kind {
        case .currentPassword, .newPassword: true
        case .username, .hiddenUsername, .email, .code, .recoveryCode, .phone, .displayName: false
        }
    }

    private var isRequired: Bool { if case .displayName = kind { false } else { true } }

    private var type: String {
        switch kind {
        case .currentPassword, .newPassword: "password"
        case .username, .hiddenUsername, .email: "email"
        case .phone: "tel"
        case .code, .recoveryCode, .displayName: "text"
        }
    }

    /// The keyboard, and what it must not change.
    private var typing: HTML {
        switch kind {
        case .username, .hiddenUsername, .email: " inputmode=\"email\" autocapitalize=\"none\" spellcheck=\"false\""
        case .currentPassword: ""
        case .newPassword(let length): " minlength=\"\(length)\""
        case .code: " inputmode=\"numeric\" spellcheck=\"false\""
        case .recoveryCode: " autocapitalize=\"characters\" spellcheck=\"false\""
        case .phone: " inputmode=\"tel\""
        case .displayName: " maxlength=\"100\""
        }
    }

    private var field: FormProblem.Field? {
        switch kind {
        case .username, .hiddenUsername, .email: .email
        case .currentPassword: .currentPassword
        case .newPassword: .newPassword
        case .code, .recoveryCode: .code
        case .phone: .phone
        case .displayName: nil
        }
    }

    private var autocomplete: String {
        switch kind {
        case .username, .hiddenUsername: "username"
        case .email: "email"
        case .currentPassword: "current-password"
        case .newPassword: "new-password"
        case .code: "one-time-code"
        case .recoveryCode, .displayName: "off"
        case .phone: "tel"
        }
    }

    private var hint: Sentence? {
        switch kind {
        case .newPassword(let length):
            Sentence(
                "At least {count} characters. A few words that do not belong together are easy to remember.", ["count": String(length)])
        case .phone: Sentence("With the country code, such as +12025550123.")
        case .username, .hiddenUsername, .email, .currentPassword, .code, .recoveryCode, .displayName: nil
        }
    }
}

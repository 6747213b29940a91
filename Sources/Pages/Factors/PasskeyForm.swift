/// A form that posts what the browser's passkey dialog returned. It is hidden until the page's script shows it.
struct PasskeyForm: Sendable {
    /// The operation of `navigator.credentials`.
    enum Ceremony: String, Sendable { case create, get }

    enum Purpose: Sendable {
        case enrolment, secondFactor
        /// Instead of the password.
        case signIn
    }

    let purpose: Purpose
    /// `{"publicKey": …}` of WebAuthn Level 3 section 5.1.
    let options: String
    /// Has the fields of the endpoint but `credential`.
    let form: PageForm
    /// The dialog opens with the page: the user has just asked for it.
    var opensAtOnce = false

    private var ceremony: Ceremony { purpose == .enrolment ? .create : .get }

    /// The page's extras.
    static let extras = PageExtras(styles: [.secondFactors], script: .passkeys)

    var failed: Sentence {
        switch purpose {
        case .enrolment: Sentence("No passkey was added. Try again, or add another kind of second factor.")
        case .secondFactor: Sentence("The passkey was not used. Try again, or use another second factor.")
        case .signIn: Sentence("The passkey was not used. Try again, or sign in another way.")
        }
    }

    var unavailable: Sentence {
        switch purpose {
        case .enrolment:
            Sentence(
                "Passkeys need JavaScript and a browser that supports them. Add another kind of second factor, or use another browser.")
        case .secondFactor:
            Sentence("Passkeys need JavaScript and a browser that supports them. Use another second factor, or use another browser.")
        case .signIn:
            Sentence("Passkeys need JavaScript and a browser that supports them. Sign in another way, or use another browser.")
        }
    }

    /// nil where an authenticator cannot be known already.
    var known: Sentence? {
        purpose == .enrolment ? Sentence("This passkey is already a second factor of your account.") : nil
    }

    func html(in language: Language) -> HTML {
        """
        <div class="notice" role="alert" id="passkey-failed" tabindex="-1" hidden><p>\(failed.html(in: language))</p></div>
        \(known.map { Self.knownBox($0, language) })<p class="small" id="passkey-unavailable">\(unavailable.html(in: language))</p>
        \(complete.html(in: language))
        """
    }

    func templateValues(in language: Language) -> [String: any Sendable] {
        var values: [String: any Sendable] = [
            "ceremony": ceremony.rawValue, "options": options, "opensAtOnce": opensAtOnce, "form": complete.templateValues(in: language),
            "failed": failed.text(in: language), "unavailable": unavailable.text(in: language),
        ]
        values["known"] = known?.text(in: language)
        return values
    }

    private var complete: PageForm {
        var form = form
        form.hidden.append(("credential", ""))
        let opens: HTML = opensAtOnce ? " data-opens" : ""
        form.attributes = " id=\"passkey\" data-passkey=\"\(ceremony.rawValue)\" data-options=\"\(options)\"\(opens) hidden"
        return form
    }

    private static func knownBox(_ sentence: Sentence, _ language: Language) -> HTML {
        """
        <div class="notice" role="alert" id="passkey-known" tabindex="-1" hidden><p>\(sentence.html(in: language))</p></div>

        """
    }
}

/// The page after `POST {pathPrefix}/account/second-factors/start` for an authenticator app: shows the secret and asks for its first code.
package struct EnrolTOTPPage: LocalizedPage {
    package var site: PageSite
    package var enrollment: String
    /// Base32.
    package var secret: String
    /// `otpauth://totp/…`. Anything else is not shown.
    package var uri: String
    /// An SVG document; nil where none can be made. The page shows it as an image, where browsers run no scripts.
    package var qrCode: String?
    package var returnTo: String?
    package var problem: FormProblem?
    package var status: Int { problem?.status ?? 200 }

    package init(
        site: PageSite, enrollment: String, secret: String, uri: String, qrCode: String? = nil, returnTo: String? = nil,
        problem: FormProblem? = nil
    ) {
        self.site = site
        self.enrollment = enrollment
        self.secret = secret
        self.uri = uri
        self.qrCode = qrCode
        self.returnTo = returnTo
        self.problem = problem
    }

    package func render(in language: Language) -> Page {
        // Without the focus: a keyboard would hide the QR code on a phone.
        let field = FormField("code", .code, label: "6-digit code")
        let form = PageForm(
            own("/account/second-factors/verify"), hidden: [("enrollment", enrollment)] + returnField(returnTo), fields: [field],
            submit: "Add the app", problem: problem)
        var content = EnrolmentContent(
            PageContent(title: "Set up an authenticator app", form: form, actions: [cancelEnrolment(returnTo)]), template: .enrolTOTP)
        content.before = picture(language)
        content.values = ["secret": secret, "secretLabel": language(secretLabel), "secretGroups": groups]
        content.values["qrCode"] = imageURL
        content.values["qrCodeLabel"] = language(Self.imageLabel)
        content.values["scanLabel"] = language(Self.scanLabel)
        content.values["codeLabel"] = language(Self.codeLabel)
        if let link = AuthenticatorLink(uri) {
            content.values["app"] = ["url": link.text, "label": language("Open in an authenticator app")]
        }
        return page(content, in: language)
    }

    private static let scanLabel = "Scan this QR code with an authenticator app."
    private static let codeLabel = "Then enter the code that the app shows."
    private static let imageLabel = "QR code with the secret"

    private var secretLabel: String {
        qrCode == nil ? "Enter this secret in an authenticator app:" : "Or enter this secret in the app:"
    }

    private var imageURL: String? { qrCode.map { "data:image/svg+xml,\(LinkTarget.percentEncoded($0))" } }

    /// Groups of four: easier to copy by hand.
    private var groups: [String] {
        var rest = secret[...]
        var groups: [String] = []
        while !rest.isEmpty {
            groups.append(String(rest.prefix(4)))
            rest = rest.dropFirst(4)
        }
        return groups
    }

    private func picture(_ language: Language) -> HTML {
        let image: HTML =
            imageURL.map {
                """

                <p>\(language(Self.scanLabel))</p>
                <p class="qr"><img src="\($0)" width="208" height="208" alt="\(language(Self.imageLabel))"></p>
                """
            } ?? ""
        let link: HTML =
            AuthenticatorLink(uri).map {
                "\n<p><a class=\"plain\" href=\"\($0.text)\">\(language("Open in an authenticator app"))</a></p>"
            } ?? ""
        // Spans instead of spaces: a copied secret has none.
        let secret = HTML.joined(groups.map { "<span>\($0)</span>" })
        return """
            \(image)
            <p>\(language(secretLabel))</p>
            <p class="secret"><code translate="no">\(secret)</code></p>\(link)
            <p>\(language(Self.codeLabel))</p>
            """
    }
}

/// A link that an authenticator app opens.
struct AuthenticatorLink: Sendable {
    let text: String

    /// nil for another scheme, and for characters that do not stand in a URL.
    init?(_ text: String) {
        guard text.hasPrefix("otpauth://totp/"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "<") })
        else { return nil }
        self.text = text
    }
}

/// The page after `POST {pathPrefix}/account/second-factors/start` for a phone number: asks for the code of the message.
package struct EnrolPhonePage: LocalizedPage {
    package var site: PageSite
    package var enrollment: String
    /// Masked.
    package var phone: String
    package var returnTo: String?
    package var problem: FormProblem?
    package var status: Int { problem?.status ?? 200 }

    package init(
        site: PageSite, enrollment: String, phone: String, returnTo: String? = nil, problem: FormProblem? = nil
    ) {
        self.site = site
        self.enrollment = enrollment
        self.phone = phone
        self.returnTo = returnTo
        self.problem = problem
    }

    package func render(in language: Language) -> Page {
        var field = FormField("code", .code, label: "6-digit code")
        field.takesFocus = true
        let form = PageForm(
            own("/account/second-factors/verify"), hidden: [("enrollment", enrollment)] + returnField(returnTo), fields: [field],
            submit: "Confirm", problem: problem)
        // The sealed enrolment has the number and the name.
        let resend = PageForm(
            own("/account/second-factors/start"), hidden: [("type", "phone"), ("enrollment", enrollment)] + returnField(returnTo),
            submit: "Send another message", style: .secondary)
        var content = EnrolmentContent(
            PageContent(
                title: "Confirm your phone number", text: [Sentence("Enter the 6-digit code that we sent to {phone}.", ["phone": phone])],
                form: form, actions: [cancelEnrolment(returnTo)]),
            template: .enrolPhone)
        content.after = "\n\(resend.html(in: language))"
        content.values = ["resend": resend.templateValues(in: language)]
        return page(content, in: language)
    }
}

/// The page after `POST {pathPrefix}/account/second-factors/start` for a passkey: opens the browser's dialog.
package struct EnrolPasskeyPage: LocalizedPage {
    package var site: PageSite
    package var enrollment: String
    /// `{"publicKey": …}`, the options of `navigator.credentials.create`.
    package var options: String
    package var returnTo: String?
    package var problem: FormProblem?
    package var status: Int { problem?.status ?? 200 }

    package init(site: PageSite, enrollment: String, options: String, returnTo: String? = nil, problem: FormProblem? = nil) {
        self.site = site
        self.enrollment = enrollment
        self.options = options
        self.returnTo = returnTo
        self.problem = problem
    }

    package func render(in language: Language) -> Page {
        let passkey = PasskeyForm(
            purpose: .enrolment, options: options,
            form: PageForm(
                own("/account/second-factors/verify"), hidden: [("enrollment", enrollment)] + returnField(returnTo),
                submit: "Create passkey"))
        let text = "Your browser asks you to create a passkey or to use a security key."
        var content = EnrolmentContent(
            PageContent(title: "Add a passkey", text: [Sentence(text)], actions: [cancelEnrolment(returnTo)]), template: .enrolPasskey)
        content.problem = problem
        content.after = "\n\(passkey.html(in: language))"
        content.values = ["passkey": passkey.templateValues(in: language)]
        content.extras = PasskeyForm.extras
        return page(content, in: language)
    }
}

/// The page that shows a new set of recovery codes, once.
package struct RecoveryCodesPage: LocalizedPage {
    package var site: PageSite
    package var codes: [String]
    /// The account had codes before; they no longer work.
    package var hasReplaced: Bool
    package var returnTo: String?
    package var status: Int { 200 }

    package init(site: PageSite, codes: [String], hasReplaced: Bool = false, returnTo: String? = nil) {
        self.site = site
        self.codes = codes
        self.hasReplaced = hasReplaced
        self.returnTo = returnTo
    }

    package func render(in language: Language) -> Page {
        let replaced = hasReplaced ? Sentence("The codes that you had before no longer work.") : nil
        let rows = HTML.joined(codes.map { "<li><code>\($0)</code></li>\n" })
        var content = EnrolmentContent(
            PageContent(
                title: "Your recovery codes",
                text: [
                    Sentence("Each code works once, when you cannot use your other second factors."),
                    Sentence("Print this page, or store the codes in a password manager. They are not shown again."), replaced,
                ].compactMap { $0 },
                actions: [
                    .init(
                        label: "I have stored them", target: own("/account/second-factors", returnField(returnTo)), isPrimary: true)
                ]), template: .recoveryCodes)
        content.after = "\n<ul class=\"codes\" translate=\"no\">\n\(rows)</ul>"
        content.values = ["codes": codes]
        content.width = .medium
        return page(content, in: language)
    }
}

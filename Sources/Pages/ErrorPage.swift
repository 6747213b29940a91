/// The page of an error. It says what happened and what to do, and never repeats the request.
package struct ErrorPage: LocalizedPage {
    package struct Action: Sendable {
        package var label: String
        package var target: LinkTarget
        package init(label: String, target: LinkTarget) {
            self.label = label
            self.target = target
        }
    }

    package var site: PageSite
    package var status: Int
    /// A published code such as `auth/invalid-state`.
    package var code: String
    package var requestID: String
    /// The provider that this is about, as its button names it; nil where it is about none.
    package var provider: String?
    /// The signed-in account that was refused; nil where nobody is signed in.
    package var account: String?
    /// nil shows no button.
    package var action: Action?
    package var text: ErrorText

    /// - Parameters:
    ///   - status: nil takes the code's own.
    ///   - retry: target of the button, for codes that a second attempt can cure; nil leaves "Try again" out.
    ///   - text: nil takes the catalogue's.
    package init(
        site: PageSite, code: String, status: Int? = nil, requestID: String, provider: String? = nil, account: String? = nil,
        retry: LinkTarget? = nil,
        text: ErrorText? = nil
    ) {
        let known = text ?? ErrorText.of(code: code, status: status)
        self.site = site
        self.code = code
        self.status = status ?? known.status
        self.requestID = requestID
        self.provider = provider
        self.account = account
        self.text = known
        action =
            switch known.remedy {
            case .signInAgain: (LinkTarget("\(site.pathPrefix)/login")).map { Action(label: "Sign in again", target: retry ?? $0) }
            case .otherAccount: (LinkTarget("\(site.pathPrefix)/logout")).map { Action(label: "Use another account", target: retry ?? $0) }
            case .account: (LinkTarget("\(site.pathPrefix)/account")).map { Action(label: "Go to your account", target: retry ?? $0) }
            case .tryAgain: retry.map { Action(label: "Try again", target: $0) }
            case .home: Action(label: "Go to the start page", target: .home)
            case .none: nil
            }
    }

    package func render(in language: Language) -> Page {
        let title = language(text.title)
        let foot = language("If you ask for help, include the code and the request ID above.")
        if let page = template(language, foot) { return page }
        let button: HTML =
            action.map { "\n<div class=\"actions\"><a class=\"button\" href=\"\($0.target)\">\(language($0.label))</a></div>" } ?? ""
        let about: HTML = provider.map { "<dt>\(language("Provider"))</dt><dd><bdi>\($0)</bdi></dd>\n" } ?? ""
        let user: HTML = account.map { "<dt>\(language("Signed in as"))</dt><dd><bdi>\($0)</bdi></dd>\n" } ?? ""
        let clock: HTML = text.clock.map { "\n<p>\(language($0.text, ["seconds": "\(String($0.seconds))"]))</p>" } ?? ""
        let details: HTML =
            text.details.isEmpty
            ? "" : "\n<ul>\(HTML.joined(text.details.map { "<li>\($0)</li>" }))</ul>"
        let main: HTML = """
            \(HTML.heading(title))
            <p>\(language(text.happened))</p>\(clock)
            <p>\(language(text.next))</p>\(details)\(button)
            <dl class="facts">
            \(user)\(about)<dt>\(language("Code"))</dt><dd>\(code)</dd>
            <dt>\(language("Status"))</dt><dd>\(status)</dd>
            <dt>\(language("Request ID"))</dt><dd>\(requestID)</dd>
            </dl>
            """
        return page(title: title, main: main, foot: "<p>\(foot)</p>", in: language)
    }

    private func template(_ language: Language, _ foot: String) -> Page? {
        var values: [String: any Sendable] = [
            "happened": language(text.happened), "next": language(text.next), "code": code, "status": status, "requestID": requestID,
            "help": foot,
        ]
        values["provider"] = provider
        values["account"] = account
        values["clock"] = text.clock.map { language($0.text).replacing("{seconds}", with: String($0.seconds)) }
        values["action"] = action.map { ["label": language($0.label), "url": $0.target.text] }
        return page(from: .error, title: language(text.title), values: values, in: language)
    }
}

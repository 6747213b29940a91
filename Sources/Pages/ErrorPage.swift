/// The page a person sees when something went wrong. Says what happened and what to do; never repeats the request.
package struct ErrorPage: Sendable {
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
    /// The name of the provider that the sign-in went to; nil outside of sign-ins.
    package var provider: String?
    /// nil shows no button.
    package var action: Action?
    package var text: ErrorText

    /// - Parameters:
    ///   - status: nil takes the code's own.
    ///   - retry: where "Try again" leads, for codes that a second attempt can cure; nil leaves that button out.
    ///   - text: nil takes the catalogue's.
    package init(
        site: PageSite, code: String, status: Int? = nil, requestID: String, retry: LinkTarget? = nil, text: ErrorText? = nil,
        provider: String? = nil
    ) {
        let known = text ?? ErrorText.of(code: code, status: status)
        self.site = site
        self.code = code
        self.status = status ?? known.status
        self.requestID = requestID
        self.text = known
        self.provider = provider
        action =
            switch known.remedy {
            case .signInAgain: (LinkTarget("\(site.pathPrefix)/login")).map { Action(label: "Sign in again", target: retry ?? $0) }
            case .otherAccount: (LinkTarget("\(site.pathPrefix)/logout")).map { Action(label: "Use another account", target: $0) }
            case .tryAgain: retry.map { Action(label: "Try again", target: $0) }
            case .home: Action(label: "Go to the start page", target: .home)
            case .none: nil
            }
    }

    package func render() -> Page {
        let button: HTML =
            action.map { "\n<div class=\"actions\"><a class=\"button\" href=\"\($0.target)\">\($0.label)</a></div>" } ?? ""
        let providerFact: HTML = provider.map { "\n<dt>Provider</dt><dd><bdi>\($0)</bdi></dd>" } ?? ""
        let main: HTML = """
            <h1>\(text.title)</h1>
            <p>\(text.happened)</p>
            <p>\(text.next)</p>\(button)
            <dl class="facts">\(providerFact)
            <dt>Code</dt><dd>\(code)</dd>
            <dt>Status</dt><dd>\(status)</dd>
            <dt>Request</dt><dd>\(requestID)</dd>
            </dl>
            """
        let foot: HTML = "<p>If you ask for help, please pass on the code and the request number above.</p>"
        return Page(status: status, document: PageFrame.document(title: text.title, siteName: site.name, main: main, foot: foot))
    }
}

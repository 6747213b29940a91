/// A page of the gateway that is rendered in the language of one user.
package protocol LocalizedPage: Sendable {
    var site: PageSite { get }
    var status: Int { get }
    func render(in language: Language) -> Page
}

extension LocalizedPage {
    package func render() -> Page { render(in: .english) }

    /// The built-in page around `main`, with the operator's look.
    func page(
        title: String, main: HTML, foot: HTML = "", width: PageFrame.Width = .card, formActionOrigins: [String] = [],
        leadsAnywhere: Bool = false, extras: PageExtras = PageExtras(), in language: Language
    ) -> Page {
        let styles = site.brand.styles + extras.styles
        var policy = ContentPolicy(styles: styles, formActionOrigins: formActionOrigins)
        policy.imageOrigin = site.brand.logo?.origin
        policy.adopt(main, of: site, leadsAnywhere: leadsAnywhere)
        policy.scriptHash = extras.script?.hash
        return Page(
            status: status,
            document: PageFrame.document(
                title: title, siteName: site.name, main: main, foot: HTML.joined([foot, site.brand.links(in: language)]),
                mark: site.brand.logo?.html, width: width, referrer: policy.referrerPolicy, styles: styles, script: extras.script,
                language: language),
            language: language, policy: policy)
    }

    /// The page from the operator's template; nil when there is none.
    func page(
        from template: PageTemplates.Name, title: String, formActionOrigins: [String] = [], leadsAnywhere: Bool = false,
        extras: PageExtras = PageExtras(), values: [String: any Sendable], in language: Language
    ) -> Page? {
        let common: [String: any Sendable] = [
            "language": language.tag, "siteName": site.name, "pathPrefix": site.pathPrefix, "title": title,
        ]
        let context = common.merging(site.brand.templateValues) { first, _ in first }.merging(values) { _, second in second }
        guard let document = site.templates?.document(template, context: context) else { return nil }
        var policy = ContentPolicy(styles: [], formActionOrigins: formActionOrigins)
        policy.imageOrigin = site.brand.logo?.origin
        policy.adopt(document, of: site, leadsAnywhere: leadsAnywhere)
        policy.scriptHash = extras.script?.hash
        return site.templates?.page(document, status: status, language: language, policy: policy)
    }
}

/// A complete answer with a page of our own.
package struct Page: Sendable, CustomStringConvertible {
    package let status: Int
    /// UTF-8 HTML.
    package let body: [UInt8]
    package let policy: ContentPolicy
    package let language: Language

    package init(status: Int, document: HTML, language: Language = .english, policy: ContentPolicy = ContentPolicy()) {
        self.status = status
        self.language = language
        self.policy = policy
        body = document.bytes
    }

    /// Without the content, which can name a user or hold a form's token.
    package var description: String { "page with status \(status), \(body.count) bytes" }

    /// Everything but `Content-Length`.
    package func headers(hsts: String?) -> [(name: String, value: String)] {
        PageSecurityHeaders.page(policy, hsts: hsts) + [("Content-Language", language.tag)]
    }
}

/// What a page may load, and where its forms may lead.
package struct ContentPolicy: Sendable, Equatable {
    /// Hashes of the inline style sheets, `sha256-…`.
    package var styleHashes: [String]
    /// Origins a form of the page may end up at through a redirect, besides our own: browsers apply `form-action` to the
    /// redirects of a form post too. Values that are not a plain `scheme://host[:port]` are left out.
    package var formActionOrigins: [String] = []
    /// The page is an operator's template, which may show images, fonts and style sheets of this origin.
    package var loadsOwnFiles = false
    /// The origin of the operator's logo, where the browser loads it from another one.
    package var imageOrigin: String?
    /// A form of the page may end up at any origin through redirects. Never on a page that takes a password.
    package var formsLeadAnywhere = false
    /// The page has a form. The endpoints of forms compare `Origin`, and under `no-referrer`, browsers send `Origin: null` even to the page's
    /// own site (Fetch Standard, "append a request Origin header"). With `same-origin`, they send it there, and nothing to other sites.
    package private(set) var hasForm = false

    /// The hash of the page's one inline script, `sha256-…`. Without it, the page runs none.
    package var scriptHash: String?

    /// The value of `Referrer-Policy`.
    package var referrerPolicy: String { hasForm ? "same-origin" : "no-referrer" }

    /// Follows from the markup of the page.
    fileprivate mutating func adopt(_ markup: HTML, of site: PageSite, leadsAnywhere: Bool) {
        hasForm = markup.containsTag("form")
        guard hasForm else { return }
        formsLeadAnywhere = leadsAnywhere
        formActionOrigins += site.formTargets.filter { !formActionOrigins.contains($0) }
    }

    package init(styles: [StyleSheet] = [.base], formActionOrigins: [String] = []) {
        styleHashes = styles.map(\.hash)
        self.formActionOrigins = formActionOrigins
    }
}

/// The site that the pages belong to. All of it comes from the configuration.
package struct PageSite: Sendable {
    /// The name that users know: `pages.siteName`, else the host of `server.publicURL`.
    package var name: String
    /// Starts with `/`, does not end with one.
    package var pathPrefix: String
    package var brand: PageBrand
    /// The operator's own pages.
    package var templates: PageTemplates?
    /// Origins besides its own that its forms may lead to through redirects, as far as the configuration names them.
    package var formTargets: [String]

    package init(
        name: String, pathPrefix: String, brand: PageBrand = PageBrand(), templates: PageTemplates? = nil, formTargets: [String] = []
    ) {
        self.name = name
        self.pathPrefix = pathPrefix
        self.brand = brand
        self.templates = templates
        self.formTargets = formTargets
    }
}

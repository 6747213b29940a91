/// A page of ours that is rendered for one reader.
package protocol LocalizedPage: Sendable {
    var site: PageSite { get }
    var status: Int { get }
    func render(in language: Language) -> Page
}

extension LocalizedPage {
    package func render() -> Page { render(in: .english) }
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

    /// Without the content, which can name a person or hold a form's token.
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
    /// redirects of a form post too. Whatever is not a plain `scheme://host[:port]` is left out.
    package var formActionOrigins: [String] = []
    /// The page is an operator's template, which may show images, fonts and style sheets of this origin.
    package var loadsOwnFiles = false

    package init(styles: [StyleSheet] = [.base], formActionOrigins: [String] = []) {
        styleHashes = styles.map(\.hash)
        self.formActionOrigins = formActionOrigins
    }
}

/// What the pages know of the place they stand in front of. All of it comes from the configuration.
package struct PageSite: Sendable {
    /// What a person calls the place: `pages.siteName`, else the host of `server.publicURL`.
    package var name: String
    /// Starts with `/`, does not end with one.
    package var pathPrefix: String
    /// The operator's own pages.
    package var templates: PageTemplates?

    package init(name: String, pathPrefix: String, templates: PageTemplates? = nil) {
        self.name = name
        self.pathPrefix = pathPrefix
        self.templates = templates
    }
}

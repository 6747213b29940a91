/// A complete answer with a page of our own.
package struct Page: Sendable, CustomStringConvertible {
    package let status: Int
    /// UTF-8 HTML.
    package let body: [UInt8]
    /// See `PageSecurityHeaders.page`.
    package let formActionOrigins: [String]
    package let styles: [StyleSheet]

    package init(status: Int, document: HTML, formActionOrigins: [String] = [], styles: [StyleSheet] = [.base]) {
        self.status = status
        body = document.bytes
        self.formActionOrigins = formActionOrigins
        self.styles = styles
    }

    /// Without the content, which can name a person or hold a form's token.
    package var description: String { "page with status \(status), \(body.count) bytes" }

    /// Everything but `Content-Length`.
    package func headers(hsts: String?) -> [(name: String, value: String)] {
        PageSecurityHeaders.page(formActionOrigins: formActionOrigins, styles: styles, hsts: hsts)
    }
}

/// What the pages know of the place they stand in front of. All of it comes from the configuration.
package struct PageSite: Sendable {
    /// What a person calls the place: the host of `server.publicURL`.
    package var name: String
    /// Starts with `/`, does not end with one.
    package var pathPrefix: String

    package init(name: String, pathPrefix: String) {
        self.name = name
        self.pathPrefix = pathPrefix
    }
}

/// The operator's look of the pages, besides templates.
package struct PageBrand: Sendable {
    package var logo: PageLogo?
    /// A style sheet with the shades of `pages.accentColor`.
    package var accent: StyleSheet?
    package var support: LinkTarget?
    package var privacy: LinkTarget?

    package init(logo: PageLogo? = nil, accent: StyleSheet? = nil, support: LinkTarget? = nil, privacy: LinkTarget? = nil) {
        self.logo = logo
        self.accent = accent
        self.support = support
        self.privacy = privacy
    }

    /// The sheets of a built-in page, in the order of the document.
    var styles: [StyleSheet] { [.base] + [accent].compactMap { $0 } }

    /// The links at the end of every page; empty without one.
    func links(in language: Language) -> HTML {
        let links = [(support, "Help"), (privacy, "Privacy")].compactMap { target, label in
            target.map { "<a href=\"\($0)\">\(language(label))</a>" as HTML }
        }
        return links.isEmpty ? "" : "<p class=\"foot-links\">\(HTML.joined(links))</p>"
    }

    /// Values that every template may use.
    var templateValues: [String: any Sendable] {
        var values: [String: any Sendable] = [:]
        values["logoURL"] = logo?.source
        values["supportURL"] = support?.text
        values["privacyURL"] = privacy?.text
        return values
    }
}

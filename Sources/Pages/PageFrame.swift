/// The document around every page: head, banner, main, footer.
package enum PageFrame {
    package enum Width: String, Sendable { case card, medium, wide }

    /// A whole document. `title` also names the tab; `main` starts with the page's only `h1`; `mark` is the picture beside the
    /// site's name, nil for the gateway's own.
    package static func document(
        title: String, siteName: String, main: HTML, foot: HTML = "", mark: HTML? = nil, width: Width = .card,
        referrer: String = "no-referrer", styles: [StyleSheet] = [.base], script: PageScript? = nil,
        language: Language = .english
    ) -> HTML {
        let sheets = HTML.joined(styles.map { "<style>\(HTML.style($0))</style>\n" })
        let bodyTag: HTML = width == .card ? "<body>" : "<body class=\"\(width.rawValue)\">"
        let footer: HTML = foot.isEmpty ? "" : "<footer class=\"foot\">\(foot)</footer>\n"
        // At the end, so that the script finds the elements of the page.
        let program: HTML = script.map { "<script>\(HTML.script($0))</script>\n" } ?? ""
        return """
            <!doctype html>
            <html lang="\(language.tag)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="\(referrer)">
            <meta name="robots" content="noindex, nofollow">
            <title>\(title) · \(siteName)</title>
            <link rel="icon" href="\(icon)">
            \(sheets)</head>
            \(bodyTag)
            <header class="site">\(mark ?? gate)<span><bdi>\(siteName)</bdi></span></header>
            <main>
            \(main)
            </main>
            \(footer)\(program)</body>
            </html>

            """
    }

    /// The gate: an arch with its bars.
    private static let gate: HTML = """
        <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" \
        stroke-linecap="round"><path d="M4 21V11a8 8 0 0 1 16 0v10"/><path d="M9.4 21V9.5M14.6 21V9.5M4 15h16"/></svg>
        """

    private static let icon: HTML = """
        data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%230b8a80' \
        stroke-width='2.4' stroke-linecap='round'%3E%3Cpath d='M4 21V11a8 8 0 0 1 16 0v10M9.4 21V9.5M14.6 21V9.5M4 15h16'/%3E%3C/svg%3E
        """
}

extension HTML {
    /// The page's heading. It breaks between words only: browsers that balance its lines would otherwise end one with the `e-` of `e-mail`.
    static func heading(_ text: String) -> HTML { "<h1>\(text.replacing("-", with: "\u{2011}"))</h1>" }
}

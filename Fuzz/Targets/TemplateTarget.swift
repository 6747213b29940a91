import Pages

/// A page template: accepted or rejected with a line, and a value reaches the page only escaped.
enum TemplateTarget {
    private static let value = "<b>&\"'`"
    private static let values: [String: any Sendable] = [
        "title": value, "status": 404, "yes": true, "no": false, "none": [String](),
        "providers": [["id": "a", "name": value], ["id": "b"]], "action": ["label": value] as [String: any Sendable],
    ]

    static func check(_ bytes: [UInt8]) throws(Broken) {
        let source = text(bytes)
        let template: MustacheTemplate
        do {
            template = try MustacheTemplate(source)
        } catch {
            let lines = source.utf8.count { $0 == 0x0A } + 1
            return try hold((1...lines).contains(error.line), "a problem is on line \(error.line) of \(lines)")
        }
        let page = MustacheRenderer.render(template, values)
        // A value without its characters that matter to HTML is no value of the page.
        try hold(source.contains("<b>") || !page.contains("<b>"), "a value reaches the page as markup")
        try hold(MustacheRenderer.render(template, values) == page, "rendered again, the page is another one")
    }
}

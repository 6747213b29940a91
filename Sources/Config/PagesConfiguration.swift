/// The appearance of the gateway's own pages.
package struct PagesConfiguration: Sendable {
    /// Nil for the host of `publicURL`.
    package var siteName: String?
    /// Mustache sources by the key of the page: `signIn`, `signOut`, `signedOut`, `error`.
    package var templates: [String: String] = [:]
    /// Mustache sources by the name of the partial.
    package var partials: [String: String] = [:]
    /// True if the 403 page names the conditions that failed.
    package var explainDenials = false
}

extension PagesConfiguration {
    init(_ object: ObjectValue) {
        siteName = object["siteName"]?.text
        explainDenials = object["explainDenials"]?.boolean ?? false
        guard let templates = object["templates"]?.object else { return }
        for member in templates.members where member.name != "partials" { self.templates[member.name] = member.item.text }
        for entry in templates["partials"]?.map ?? [] { partials[entry.name] = entry.item.text }
    }
}

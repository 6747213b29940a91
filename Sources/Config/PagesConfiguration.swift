/// The appearance of the gateway's own pages.
package struct PagesConfiguration: Sendable {
    package enum Logo: Sendable, Equatable {
        /// An https URL.
        case url(String)
        /// The contents of the file that the configuration names; empty until the configuration is loaded to be served.
        case file(path: String, contents: [UInt8])
    }

    /// Nil for the host of `publicURL`.
    package var siteName: String?
    package var logo: Logo?
    /// Six hexadecimal digits, with or without `#`; nil: the built-in color.
    package var accentColor: String?
    /// URLs, or paths of the site, behind the links of every page.
    package var supportLink: String?
    package var privacyLink: String?
    /// Mustache sources by the key of the page: `signIn`, `signOut`, `error` and so on; `mail` for mails.
    package var templates: [String: String] = [:]
    /// Mustache sources by the name of the partial.
    package var partials: [String: String] = [:]
    /// True if the 403 page names the conditions that failed.
    package var explainDenials = false
}

extension PagesConfiguration {
    init(_ object: ObjectValue) {
        siteName = object["siteName"]?.text
        logo = object["logo"]?.text.map { Self.isURL($0) ? .url($0) : .file(path: $0, contents: []) }
        accentColor = object["accentColor"]?.text
        supportLink = object["links"]?.object?["support"]?.text
        privacyLink = object["links"]?.object?["privacy"]?.text
        explainDenials = object["explainDenials"]?.boolean ?? false
        guard let templates = object["templates"]?.object else { return }
        for member in templates.members where member.name != "partials" { self.templates[member.name] = member.item.text }
        for entry in templates["partials"]?.map ?? [] { partials[entry.name] = entry.item.text }
    }

    /// A value that a browser loads; every other value is the path of a file.
    static func isURL(_ text: String) -> Bool { text.contains("://") || text.hasPrefix("//") || text.hasPrefix("data:") }
}

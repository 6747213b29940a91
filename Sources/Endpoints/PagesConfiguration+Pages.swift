import Config
import Pages
import Primitives
import TokenCrypto

extension PageBrand {
    init(_ pages: PagesConfiguration) throws(PageLogo.Problem) {
        let logo: PageLogo? =
            switch pages.logo {
            case nil: nil
            case .url(let url): PageLogo(url: url)
            case .file(_, let contents): try PageLogo(contents: contents) { Base64.encode($0) }
            }
        self.init(
            logo: logo, accent: StyleSheet(pages), support: pages.supportLink.flatMap(LinkTarget.init(contact:)),
            privacy: pages.privacyLink.flatMap(LinkTarget.init(contact:)))
    }
}

extension PageTemplates {
    init(_ pages: PagesConfiguration) throws(Problem) {
        try self.init(
            pages: pages.templates, partials: pages.partials, styles: [.base] + [StyleSheet(pages)].compactMap { $0 }, sha256: sha256)
    }
}

extension StyleSheet {
    /// The shades of `pages.accentColor`; nil where the built-in color stays.
    init?(_ pages: PagesConfiguration) {
        guard let accent = pages.accentColor.flatMap(AccentColor.init) else { return nil }
        self.init(accent, sha256: sha256)
    }
}

/// Standard Base64 of the SHA-256 of a text's UTF-8, as a content policy names a style sheet.
private func sha256(_ text: String) -> String { Base64.encode(SHA2.sha256(Array(text.utf8))) }

/// The picture beside a provider's name: the provider's own mark where its guidelines allow that, else a drawing of ours.
/// Decorative: hidden from screen readers.
package struct ProviderIcon: Sendable {
    package let svg: HTML
    /// The picture is the provider's own mark, so its button keeps to the colors of the guidelines.
    package let isMark: Bool

    package init(providerID: String, displayName: String) {
        let preset = providerID.split(separator: "/", maxSplits: 1).first.map(String.init) ?? providerID
        let mark = ProviderMark.drawing(preset: preset)
        let drawing: HTML =
            mark ?? """
                <rect class="tile" x=".5" y=".5" width="29" height="29" rx="8"/>\(Self.glyph(preset) ?? Self.monogram(displayName))
                """
        isMark = mark != nil
        svg = "<svg width=\"30\" height=\"30\" viewBox=\"0 0 30 30\" aria-hidden=\"true\" focusable=\"false\">\(drawing)</svg>"
    }

    /// The first letter or digit in upper case; a key where the name has none.
    package static func monogram(_ name: String) -> HTML {
        guard let letter = name.first(where: { $0.isLetter || $0.isNumber }) else { return key }
        return "<text class=\"letter\" x=\"15\" y=\"20\">\(String(letter).uppercased())</text>"
    }

    private static func glyph(_ preset: String) -> HTML? {
        switch preset {
        case "gitlab.com": return merge
        case "bitbucket.org", "gitea": return branch
        case "discord.com", "slack.com", "line.me", "kakao.com": return bubble
        case "yahoo.com": return envelope
        case "spotify.com": return note
        case "twitch.tv": return play
        case "digitalocean.com", "nextcloud", "salesforce.com": return cloud
        case "password": return key
        case "login.gov": return columns
        case "okta", "auth0", "keycloak", "cognito", "zitadel", "authentik", "hydra": return shield
        default: return nil
        }
    }

    private static let branch: HTML = """
        <g class="glyph"><circle cx="10.5" cy="9" r="2"/><circle cx="10.5" cy="21" r="2"/><circle cx="19.5" cy="11.5" r="2"/>\
        <path d="M10.5 11v8M19.5 13.5c0 3.5-6 2.5-9 5"/></g>
        """
    private static let merge: HTML = """
        <g class="glyph"><circle cx="10.5" cy="9" r="2"/><circle cx="10.5" cy="21" r="2"/><circle cx="20" cy="16" r="2"/>\
        <path d="M10.5 11v8M10.5 11c0 3.5 3 5 7.5 5"/></g>
        """
    private static let bubble: HTML = "<path class=\"glyph\" d=\"M8 9.5h14v9h-7.5L11 22v-3.5H8z\"/>"
    private static let envelope: HTML = "<path class=\"glyph\" d=\"M7.5 10h15v10.5h-15zM7.5 10.5l7.5 6 7.5-6\"/>"
    private static let note: HTML = "<g class=\"glyph\"><circle cx=\"11.5\" cy=\"20\" r=\"2.5\"/><path d=\"M14 20V8.5l6 2.5\"/></g>"
    private static let play: HTML = "<path class=\"glyph\" d=\"M11.5 8.5l9.5 6.5-9.5 6.5z\"/>"
    private static let cloud: HTML = "<path class=\"glyph\" d=\"M11 20.5a3.5 3.5 0 0 1-.3-7 5 5 0 0 1 9.3 1.3 2.9 2.9 0 0 1 0 5.7z\"/>"
    private static let columns: HTML =
        "<path class=\"glyph\" d=\"M7.5 12L15 7.5l7.5 4.5zM10 12.5v7.5M15 12.5v7.5M20 12.5v7.5M7.5 21.5h15\"/>"
    private static let shield: HTML = "<path class=\"glyph\" d=\"M15 7.5l6.5 2.5v4.5c0 4-2.6 6.7-6.5 8.2-3.9-1.5-6.5-4.2-6.5-8.2V10z\"/>"
    private static let key: HTML = "<g class=\"glyph\"><circle cx=\"11.5\" cy=\"15\" r=\"3\"/><path d=\"M14.5 15h8v3M19 15v2.2\"/></g>"
}

/// A mail about an account: a link to open, or a notice about a change.
package struct AccountMail: Sendable {
    package enum Kind: Sendable, Equatable {
        /// To a new account: confirms the address.
        case verifyAddress(token: String)
        case resetPassword(token: String)
        /// To the new address: the account takes it when the link is opened.
        case confirmNewAddress(token: String)
        /// To the old address, after the change.
        case addressChanged(newAddress: String)
        case passwordChanged
        /// The provider as its button names it.
        case providerLinked(provider: String)
        /// The second factor as the pages name it (`PageFactor.name`), as for the one below.
        case secondFactorAdded(name: String)
        case secondFactorRemoved(name: String)
        /// To an address that has an account, when someone signed up with it. The page says the same as for a new address.
        case signUpAttempt
    }

    package var site: PageSite
    package var kind: Kind
    /// The recipient.
    package var address: String
    /// How long a token works.
    package var minutes: Int
    /// The color of the button; nil for the built-in one.
    package var accent: AccentColor?
    /// The origin of every link.
    let origin: String

    /// - Parameters:
    ///   - publicURL: `server.publicURL`; every link of the mail begins with it. nil is returned unless it is an http(s) origin.
    ///   - lifetimeSeconds: how long the token works.
    package init?(
        site: PageSite, publicURL: String, kind: Kind, address: String, lifetimeSeconds: Int = 3_600, accent: AccentColor? = nil
    ) {
        let parts = publicURL.split(separator: "/", omittingEmptySubsequences: false)
        guard let target = LinkTarget(publicURL), !publicURL.hasPrefix("/"), parts.count == 3 || parts.count == 4 && parts[3].isEmpty,
            !target.text.contains(where: { "?#@".contains($0) })
        else { return nil }
        origin = parts[0...2].joined(separator: "/")
        self.site = site
        self.kind = kind
        self.address = address
        self.accent = accent
        minutes = max((lifetimeSeconds + 59) / 60, 1)
    }

    package func render(in language: Language) -> RenderedMail {
        let words = words
        let subject = MailText.line(words.subject.text(in: language), limit: 150)
        let text = words.text.map { MailText.line($0.text(in: language)) }
        let closing = (words.closing + [foot]).map { MailText.line($0.text(in: language)) }
        let button = language(words.button)
        let body = (text + ["\(button):\n\(link)"] + closing).joined(separator: "\n\n")
        let content = MailDocument(
            subject: subject, siteName: MailText.line(site.name), text: text, button: button, link: link, closing: closing, accent: accent,
            language: language)
        return RenderedMail(
            subject: subject, text: body + "\n", html: template(content, language) ?? content.html.source, language: language.tag)
    }

    private var foot: Sentence {
        Sentence("This mail was sent to {email} because of an action at {site}.", ["email": address, "site": site.name])
    }

    /// The link, all of whose parts are the gateway's own.
    package var link: String {
        func target(_ path: String, token: String? = nil) -> String {
            let query = token.map { [(name: "token", value: $0)] } ?? []
            return origin + (LinkTarget(path: site.pathPrefix + path, query: query) ?? .home).text
        }
        return switch kind {
        case .verifyAddress(let token), .confirmNewAddress(let token): target("/verify-email", token: token)
        case .resetPassword(let token): target("/password/new", token: token)
        case .addressChanged, .providerLinked: target("/account")
        case .secondFactorAdded, .secondFactorRemoved: target("/account/second-factors")
        case .passwordChanged: target("/password/reset")
        case .signUpAttempt: target("/login")
        }
    }

    /// The HTML part from the operator's template; nil when there is none.
    private func template(_ content: MailDocument, _ language: Language) -> String? {
        let values: [String: any Sendable] = [
            "language": language.tag, "siteName": site.name, "pathPrefix": site.pathPrefix, "title": content.subject,
            "text": content.text, "closing": content.closing, "address": address, "kind": kind.name, "is": [kind.name: true],
            "action": ["label": content.button, "url": content.link],
        ]
        return site.templates?.text(.mail, context: brandValues.merging(values) { _, second in second })
    }

    /// The operator's look, with whole URLs. Mail programs do not show a logo in a `data:` URL.
    private var brandValues: [String: any Sendable] {
        site.brand.templateValues.compactMapValues { value in
            guard let text = value as? String, !text.hasPrefix("data:") else { return nil }
            return text.hasPrefix("/") ? origin + text : text
        }
    }
}

extension AccountMail.Kind {
    /// The name that templates and the log know.
    package var name: String {
        switch self {
        case .verifyAddress: "verifyAddress"
        case .resetPassword: "resetPassword"
        case .confirmNewAddress: "confirmNewAddress"
        case .addressChanged: "addressChanged"
        case .passwordChanged: "passwordChanged"
        case .providerLinked: "providerLinked"
        case .secondFactorAdded: "secondFactorAdded"
        case .secondFactorRemoved: "secondFactorRemoved"
        case .signUpAttempt: "signUpAttempt"
        }
    }
}

/// A mail that is ready to be sent, without its addresses.
package struct RenderedMail: Sendable, Equatable {
    /// One line without control characters. It needs encoding (RFC 2047) where it is not ASCII.
    package let subject: String
    /// The part `text/plain; charset=utf-8`. Lines end with LF and may be longer than 998 bytes, so the part needs a transfer encoding.
    package let text: String
    /// The part `text/html; charset=utf-8`.
    package let html: String
    /// BCP 47, for `Content-Language`.
    package let language: String
}

enum MailText {
    /// The text as one line: line ends become spaces. Other control characters, and those that reorder text (UAX 9), become U+FFFD.
    static func line(_ text: String, limit: Int = 2_000) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar {
            case "\r", "\n", "\t", "\u{85}", "\u{2028}", "\u{2029}": scalars.append(" ")
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": scalars.append("\u{FFFD}")
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}

/// A second factor as the pages show it: no secret, and of a phone number the last digits only.
package struct PageFactor: Sendable, Equatable {
    /// The kinds, by their names in `secondFactor.factors`.
    package enum Kind: String, Sendable, CaseIterable {
        case totp, webauthn, phone, recovery
    }

    package var id: String
    package var kind: Kind
    /// The user's own name for it; nil shows the kind.
    package var displayName: String?
    /// Masked, such as `+•••••••1234`; nil for other kinds.
    package var phone: String?
    /// Unix seconds.
    package var enrolledAt: Int64
    /// Recovery codes that were not used yet; nil for other kinds.
    package var remainingCodes: Int?

    package init(
        id: String, kind: Kind, displayName: String? = nil, phone: String? = nil, enrolledAt: Int64, remainingCodes: Int? = nil
    ) {
        self.id = id
        self.kind = kind
        self.displayName = displayName
        self.phone = phone
        self.enrolledAt = enrolledAt
        self.remainingCodes = remainingCodes
    }

    /// The user's name for the factor, else its kind: for buttons, rows and mails.
    package func name(in language: Language) -> String { displayName ?? language(kind.title) }

    /// What the name does not say: the kind, and the masked number.
    func details(in language: Language) -> [String] {
        [displayName == nil ? nil : language(kind.title), phone].compactMap { $0 }
    }

    func templateValues(in language: Language) -> [String: any Sendable] {
        let added = DateText(unixSeconds: enrolledAt)
        var values: [String: any Sendable] = [
            "id": id, "type": kind.rawValue, "name": name(in: language), "kind": language(kind.title),
            "added": added.text(in: language),
        ]
        values["phone"] = phone
        values["remainingCodes"] = remainingCodes
        return values
    }
}

extension PageFactor.Kind {
    /// English.
    var title: String {
        switch self {
        case .totp: "Authenticator app"
        case .webauthn: "Passkey or security key"
        case .phone: "Text message"
        case .recovery: "Recovery codes"
        }
    }

    /// Decorative, in the size of the providers' icons.
    var icon: HTML {
        let glyph: HTML =
            switch self {
            case .totp: "<circle cx=\"15\" cy=\"15\" r=\"7\"/><path d=\"M15 11v4l2.8 2\"/>"
            case .webauthn: "<circle cx=\"11.5\" cy=\"15\" r=\"3\"/><path d=\"M14.5 15h8v3M19 15v2.2\"/>"
            case .phone: "<path d=\"M8 9.5h14v9h-7.5L11 22v-3.5H8z\"/>"
            case .recovery: "<path d=\"M9.5 8h11v14h-11zM12.5 12h5M12.5 15h5M12.5 18h5\"/>"
            }
        return """
            <svg width="30" height="30" viewBox="0 0 30 30" aria-hidden="true" focusable="false">\
            <rect class="tile" x=".5" y=".5" width="29" height="29" rx="8"/><g class="glyph">\(glyph)</g></svg>
            """
    }
}

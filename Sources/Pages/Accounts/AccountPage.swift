/// The page at `GET {pathPrefix}/account`: the profile, the ways to sign in, and what the user may change.
package struct AccountPage: LocalizedPage {
    /// What just happened. Fixed texts, because the word stands in the query.
    package enum Notice: String, Sendable, CaseIterable {
        case linked, unlinked
        case passwordChanged = "password-changed"
        case emailVerified = "email-verified"
        case emailChanged = "email-changed"
        case sessionsEnded = "sessions-ended"
        case signedInAgain = "signed-in-again"
        case merged
        /// The one failure: another tab or another device was faster.
        case linkFailed = "link-failed"

        var isGood: Bool { self != .linkFailed }
    }

    package var site: PageSite
    package var profile: Profile
    package var linked: [LinkedProvider]
    /// Configured providers that the account could be linked to.
    package var linkable: [LinkableProvider]
    /// nil without the provider `password`, or if the account has no address.
    package var password: Password?
    /// nil where addresses cannot be changed.
    package var email: EmailChange?
    /// nil leaves the section out.
    package var secondFactors: [SecondFactor]?
    /// nil leaves the section out.
    package var sessions: [SessionRow]?
    /// Whether the sign-in is recent enough for changes. If it is not, a link to the re-authentication stands in place of the forms.
    package var isRecent: Bool
    package var notice: Notice?
    package var status: Int { password?.problem?.status ?? email?.problem?.status ?? 200 }

    package init(
        site: PageSite, profile: Profile, linked: [LinkedProvider], linkable: [LinkableProvider] = [], password: Password? = nil,
        email: EmailChange? = nil, secondFactors: [SecondFactor]? = nil, sessions: [SessionRow]? = nil, isRecent: Bool,
        notice: Notice? = nil
    ) {
        self.site = site
        self.profile = profile
        self.linked = linked
        self.linkable = linkable
        self.password = password
        self.email = email
        self.secondFactors = secondFactors
        self.sessions = sessions
        self.isRecent = isRecent
        self.notice = notice
    }

    package func render(in language: Language) -> Page {
        let title = language("Your account")
        if let page = page(
            from: .account, title: title, formActionOrigins: formActionOrigins, leadsAnywhere: leadsAnywhere,
            values: templateValues(language),
            in: language)
        {
            return page
        }
        let main: HTML = """
            <h1>\(title)</h1>\(noticeBox(language))\(confirmation(language))
            \(profileSection(language))
            \(waysSection(language))\(passwordSection(language))\(emailSection(language))\(factorsSection(language))\
            \(sessionsSection(language))\(deletionSection(language))
            """
        return page(
            title: title, main: main, width: .medium, formActionOrigins: formActionOrigins, leadsAnywhere: leadsAnywhere,
            in: language)
    }

    /// The answer to `POST {pathPrefix}/link/…` leads to the provider.
    var formActionOrigins: [String] { linkable.compactMap(\.authorizationOrigin) }

    /// A provider may ask another one, or its address may not be known yet. The page with the password keeps to the origins above.
    private var leadsAnywhere: Bool { passwordForm == nil }

    /// `{pathPrefix}/reauthenticate`, and back to this page.
    var confirmTarget: LinkTarget { own("/reauthenticate", [("rd", "\(site.pathPrefix)/account")]) }

    static let confirmText = "To change your ways to sign in, your password or your address, sign in again first."

    static let anonymousText =
        "You use this site without an account. Add a way to sign in, so that you can come back from another browser."
    static let lastWayText = "This is your only way to sign in. Add another one before you remove it."

    private func noticeBox(_ language: Language) -> HTML {
        guard let notice else { return "" }
        let sentence = Sentence(notice.text)
        return (notice.isGood ? PageNotice.done(sentence) : .problem(sentence, id: "notice")).html(in: language)
    }

    private func confirmation(_ language: Language) -> HTML {
        guard !isRecent else { return "" }
        return """

            <div class="ask"><p>\(language(Self.confirmText))</p>
            <a class="button secondary" href="\(confirmTarget)">\(language("Sign in again"))</a></div>
            """
    }
}

extension AccountPage {
    package struct Profile: Sendable {
        package var uid: String
        package var name: String?
        package var email: String?
        package var isEmailVerified: Bool
        /// The account has no credentials yet.
        package var isAnonymous: Bool

        package init(uid: String, name: String? = nil, email: String? = nil, isEmailVerified: Bool = false, isAnonymous: Bool = false) {
            self.uid = uid
            self.name = name
            self.email = email
            self.isEmailVerified = isEmailVerified
            self.isAnonymous = isAnonymous
        }
    }

    /// A way to sign in. Its id may be `password`.
    package struct LinkedProvider: Sendable {
        package var id: String
        package var displayName: String
        /// The address, or the name, that the provider knows the user by.
        package var account: String?
        /// Unix seconds.
        package var linkedAt: Int64

        package init(id: String, displayName: String, account: String? = nil, linkedAt: Int64) {
            self.id = id
            self.displayName = displayName
            self.account = account
            self.linkedAt = linkedAt
        }
    }

    package struct LinkableProvider: Sendable {
        package var id: String
        package var displayName: String
        /// The origin of the authorization endpoint. Browsers apply `form-action` to the redirect that follows the form.
        package var authorizationOrigin: String?

        package init(id: String, displayName: String, authorizationOrigin: String?) {
            self.id = id
            self.displayName = displayName
            self.authorizationOrigin = authorizationOrigin
        }
    }

    package struct Password: Sendable {
        /// Whether there is one; otherwise the form sets the first.
        package var isSet: Bool
        package var minimumLength: Int
        package var problem: FormProblem?

        package init(isSet: Bool, minimumLength: Int, problem: FormProblem? = nil) {
            self.isSet = isSet
            self.minimumLength = minimumLength
            self.problem = problem
        }
    }

    package struct EmailChange: Sendable {
        /// As the user entered it.
        package var value: String
        package var problem: FormProblem?

        package init(value: String = "", problem: FormProblem? = nil) {
            self.value = value
            self.problem = problem
        }
    }

    package struct SecondFactor: Sendable {
        /// The user's name for it, or an empty text where there is a kind.
        package var displayName: String
        /// Shown where there is no name.
        package var kind: PageFactor.Kind?
        /// Unix seconds.
        package var enrolledAt: Int64

        package init(displayName: String, kind: PageFactor.Kind? = nil, enrolledAt: Int64) {
            self.displayName = displayName
            self.kind = kind
            self.enrolledAt = enrolledAt
        }

        package init(_ factor: PageFactor) {
            self.init(displayName: factor.displayName ?? "", kind: factor.kind, enrolledAt: factor.enrolledAt)
        }

        func name(in language: Language) -> String {
            if displayName.isEmpty, let kind { language(kind.title) } else { displayName }
        }
    }

    package struct SessionRow: Sendable {
        package var id: String
        package var isCurrent: Bool
        /// `BrowserName`'s; nil: unknown.
        package var browser: String?
        package var address: String?
        /// Unix seconds.
        package var lastSeenAt: Int64

        package init(id: String, isCurrent: Bool, browser: String?, address: String? = nil, lastSeenAt: Int64) {
            self.id = id
            self.isCurrent = isCurrent
            self.browser = browser
            self.address = address
            self.lastSeenAt = lastSeenAt
        }

        func name(in language: Language) -> String { browser ?? language("Unknown browser") }
    }
}

extension AccountPage.Notice {
    var text: String {
        switch self {
        case .linked: "The way to sign in was added."
        case .unlinked: "The way to sign in was removed. Sessions that were made with it have ended."
        case .passwordChanged: "Your password was changed. Your other sessions have ended."
        case .emailVerified: "Your e-mail address is confirmed."
        case .emailChanged: "Your e-mail address was changed. Your other sessions have ended."
        case .sessionsEnded: "The sessions have ended."
        case .signedInAgain: "You signed in again. You can make changes now."
        case .merged: "You are signed in to the other account now."
        case .linkFailed: "The way to sign in could not be added. Nothing was changed."
        }
    }
}

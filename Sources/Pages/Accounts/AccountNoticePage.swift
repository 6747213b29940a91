/// The page that says that a change of the account is done, where the user has no session or no account page to return to.
package struct AccountNoticePage: LocalizedPage {
    package enum Notice: Sendable, Equatable, CaseIterable {
        case emailVerified, emailChanged, passwordChanged, accountDeleted
    }

    package var site: PageSite
    package var notice: Notice
    /// Whether this browser has a session: it leads to the account page instead of the sign-in page.
    package var isSignedIn: Bool
    package var returnTo: String?
    package var status: Int { 200 }

    package init(site: PageSite, notice: Notice, isSignedIn: Bool = false, returnTo: String? = nil) {
        self.site = site
        self.notice = notice
        self.isSignedIn = isSignedIn
        self.returnTo = returnTo
    }

    package func render(in language: Language) -> Page {
        let action: PageContent.Action
        if notice == .accountDeleted {
            action = .init(label: "Go to the start page", target: .home, isPrimary: true)
        } else if isSignedIn {
            action = .init(label: "Go to your account", target: own("/account"), isPrimary: true)
        } else {
            action = .init(label: "Sign in", target: own("/login", returnField(returnTo)), isPrimary: true)
        }
        return page(
            PageContent(title: notice.title, text: [Sentence(notice.text)], actions: [action]), template: .accountNotice, in: language)
    }
}

extension AccountNoticePage.Notice {
    var title: String {
        switch self {
        case .emailVerified: "Your e-mail address is confirmed"
        case .emailChanged: "Your e-mail address was changed"
        case .passwordChanged: "Your password was changed"
        case .accountDeleted: "Your account was deleted"
        }
    }

    var text: String {
        switch self {
        case .emailVerified: "You can use it to sign in, and we can reach you there."
        case .emailChanged: "From now on, mails go to the new address. Your other sessions have ended."
        case .passwordChanged: "Your other sessions have ended. Sign in there with the new password."
        case .accountDeleted: "Its ways to sign in and its sessions were deleted, too. The app may still hold data of its own about you."
        }
    }
}

/// The page at `GET {pathPrefix}/account/delete`, which asks before the account is deleted.
package struct DeleteAccountPage: LocalizedPage {
    package var site: PageSite
    /// The name or address of the user; nil when neither is known.
    package var signedInAs: String?
    package var status: Int { 200 }

    package init(site: PageSite, signedInAs: String? = nil) {
        self.site = site
        self.signedInAs = signedInAs
    }

    package func render(in language: Language) -> Page {
        let account = signedInAs.map { Sentence("You are signed in as {name}.", ["name": $0]) }
        let content = PageContent(
            title: "Delete your account?",
            text: [account].compactMap { $0 } + [
                Sentence("The account, its ways to sign in and all its sessions are deleted at once. This cannot be undone."),
                Sentence("The app may still hold data of its own about you."),
            ],
            form: PageForm(own("/account/delete"), submit: "Delete the account for good", style: .danger),
            actions: [.init(label: "Keep the account", target: own("/account"))])
        return page(content, template: .deleteAccount, in: language)
    }
}

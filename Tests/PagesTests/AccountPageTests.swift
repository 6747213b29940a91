import Primitives
import Testing

@testable import Pages

private let site = PageSite(name: "app.example.com", pathPrefix: "/_gateway")

private func text(_ page: any LocalizedPage, _ language: Language = .english) -> String {
    String(decoding: page.render(in: language).body, as: UTF8.self)
}

@Suite struct AccountPageTests {
    private static let linked: [AccountPage.LinkedProvider] = [
        .init(id: "google.com", displayName: "Google", account: "al@example.com", linkedAt: 1_795_000_000),
        .init(id: "github.com/partners", displayName: "Partners", linkedAt: 1_795_000_000),
    ]

    private static func page(
        linked: [AccountPage.LinkedProvider] = linked, isRecent: Bool = true, notice: AccountPage.Notice? = nil
    ) -> AccountPage {
        AccountPage(
            site: site, profile: .init(uid: "u-1", name: "Al", email: "al@example.com", isEmailVerified: true), linked: linked,
            linkable: [.init(id: "oidc.acme/eu", displayName: "Acme", authorizationOrigin: "https://id.acme.example")],
            password: .init(isSet: false, minimumLength: 12), email: .init(), isRecent: isRecent, notice: notice)
    }

    @Test func `ways to sign in are linked and removed with forms, and a slash in an id is a tilde`() throws {
        let html = text(Self.page())
        #expect(html.contains("<form method=\"post\" action=\"/_gateway/unlink/google.com\">"))
        #expect(html.contains("<form method=\"post\" action=\"/_gateway/unlink/github.com~partners\">"))
        #expect(html.contains("aria-label=\"Remove Partners\""))
        #expect(html.contains("<form method=\"post\" action=\"/_gateway/link/oidc.acme~eu\">"))
        #expect(html.contains("<time datetime=\"2026-11-18\">Added on 18 Nov 2026</time>"))
        #expect(html.contains("<code>u-1</code>") && html.contains("confirmed</small>"))
        let policy = try #require(Self.page().render().headers(hsts: nil).first { $0.name == "Content-Security-Policy" }?.value)
        #expect(policy.contains("form-action 'self' https://id.acme.example;") && !policy.contains("script-src"))
    }

    @Test func `the last way to sign in has no button and says why`() {
        let html = text(Self.page(linked: [Self.linked[0]]))
        #expect(!html.contains("/unlink/"))
        #expect(html.contains("This is your only way to sign in. Add another one before you remove it."))
        #expect(!text(Self.page()).contains("This is your only way to sign in."))
    }

    @Test func `without a recent sign-in, nothing sensitive can be sent`() {
        let html = text(Self.page(isRecent: false))
        for action in ["/unlink/", "/account/password", "/account/email"] { #expect(!html.contains("action=\"/_gateway\(action)")) }
        #expect(html.contains("href=\"/_gateway/reauthenticate?rd=%2F_gateway%2Faccount\""))
        #expect(html.contains("action=\"/_gateway/link/"))
        #expect(!text(Self.page()).contains("/reauthenticate"))
    }

    @Test func `second factors and sessions stand on the page only with their data`() {
        let plain = text(Self.page())
        #expect(!plain.contains("Second factors") && !plain.contains("Sessions"))
        let full = text(fullAccountPage(site: site, value: "s-1"))
        #expect(full.contains("href=\"/_gateway/account/second-factors\""))
        #expect(full.contains("action=\"/_gateway/sessions/revoke\"><input type=\"hidden\" name=\"id\" value=\"s-1\">"))
        #expect(full.contains("<input type=\"hidden\" name=\"others\" value=\"true\">"))
        #expect(full.split(separator: "name=\"id\" value=\"s-1\"").count == 2, "the current session has a button")
    }

    @Test func `the status is that of the refused form, and each form has its own reason`() {
        let page = fullAccountPage(site: site, value: "al@example.com")
        #expect(page.status == 400)
        let html = text(page)
        #expect(html.contains("id=\"password-problem\"") && html.contains("id=\"email-problem\""))
        #expect(html.contains("aria-describedby=\"password-problem account-new_password-hint\""))
        #expect(html.contains("aria-describedby=\"email-problem\""))
        #expect(Self.page().status == 200)
    }

    @Test func `an unconfirmed address can get its mail again`() {
        let html = text(fullAccountPage(site: site, value: "al@example.com"))
        #expect(html.contains("not confirmed"))
        #expect(html.contains("action=\"/_gateway/account/email\"><input type=\"hidden\" name=\"email\" value=\"al@example.com\">"))
        #expect(!text(Self.page()).contains("not confirmed"))
    }

    @Test func `success is a status, failure an alert`() {
        #expect(text(Self.page(notice: .linked)).contains("class=\"notice done\" role=\"status\""))
        #expect(text(Self.page(notice: .linkFailed)).contains("role=\"alert\""))
    }

    @Test func `deleting asks first, with a form`() {
        let html = text(DeleteAccountPage(site: site, signedInAs: "al@example.com"))
        #expect(html.contains("method=\"post\" action=\"/_gateway/account/delete\""))
        #expect(html.contains("class=\"button danger\"") && html.contains("href=\"/_gateway/account\">Keep the account"))
    }

    @Test func `a conflict names the account's providers only where it is given them`() {
        let known = ConflictPage(
            site: site, newProvider: "GitHub", email: "al@example.com", providers: [.init(id: "google.com", displayName: "Google")],
            password: PasswordSignIn(email: "al@example.com"), returnTo: "/x", requestID: "r-1")
        #expect(known.status == 409)
        let html = text(known)
        #expect(html.contains("href=\"/_gateway/login/google.com?rd=%2Fx\""))
        #expect(html.contains("action=\"/_gateway/login/password\"><input type=\"hidden\" name=\"rd\" value=\"/x\">"))
        #expect(html.contains("asked whether to link <bdi>GitHub</bdi> to it") && html.contains("for 10 minutes"))
        #expect(html.contains("auth/account-exists-with-different-credential") && html.contains("r-1"))
        let silent = text(ConflictPage(site: site, newProvider: "GitHub", email: "al@example.com", returnTo: "/x", requestID: "r"))
        #expect(!silent.contains("login/password") && !silent.contains("class=\"choice\""))
        #expect(silent.contains("href=\"/_gateway/login?rd=%2Fx\"") && silent.contains("the way you usually do"))
        let other = text(ConflictPage(site: site, newProvider: "Google", hasOtherIdentity: true, requestID: "r"))
        #expect(!other.contains("is then linked") && !other.contains("10 minutes") && other.contains("another <bdi>Google</bdi> account"))
    }

    @Test func `an identity of another account leads to that account`() {
        let page = CredentialInUsePage(
            site: site, provider: .init(id: "github.com/partners", displayName: "Partners"), email: "b@example.com")
        #expect(page.status == 409)
        #expect(text(page).contains("href=\"/_gateway/login/github.com~partners?rd=%2F_gateway%2Faccount\""))
        #expect(text(page).contains("<bdi>Partners (b@example.com)</bdi>"))
        let elsewhere = CredentialInUsePage(site: site, provider: .init(id: "a", displayName: "A"), signIn: LinkTarget("/_gateway/merge"))
        #expect(text(elsewhere).contains("href=\"/_gateway/merge\""))
    }

    @Test func `re-authentication asks a provider of the account or its password`() {
        let page = ReauthenticatePage(
            site: site, signedInAs: "al@example.com", providers: [.init(id: "github.com/partners", displayName: "Partners")],
            password: PasswordSignIn(email: "al@example.com", isEmailFixed: true, problem: .wrongCredentials), returnTo: "/x")
        let html = text(page)
        #expect(page.status == 401)
        #expect(html.contains("href=\"/_gateway/reauthenticate?provider=github.com%2Fpartners&amp;rd=%2Fx\""))
        #expect(html.contains("value=\"al@example.com\" autocomplete=\"username\"") && html.contains(" readonly"))
        #expect(html.contains("aria-describedby=\"problem\" aria-invalid=\"true\" autofocus"))
    }

    @Test(arguments: [
        (0, "1970-01-01"), (951_782_399, "2000-02-28"), (951_782_400, "2000-02-29"), (951_868_800, "2000-03-01"),
        (1_795_000_000, "2026-11-18"), (4_107_542_400, "2100-03-01"), (253_402_300_799, "9999-12-31"), (-5, "1970-01-01"),
        (.max, "9999-12-31"),
    ])
    func `a day is that of the Gregorian calendar`(seconds: Int64, day: String) {
        #expect(DateText(unixSeconds: seconds).iso == day)
    }

    @Test func `a day is written as the language writes it`() {
        let date = DateText(unixSeconds: 1_772_582_400)
        #expect(
            Language.all.map { date.text(in: $0) } == [
                "4 Mar 2026", "4.3.2026", "04/03/2026", "04/03/2026", "04/03/2026", "04/03/2026", "2026年3月4日", "2026年3月4日",
            ])
    }
}

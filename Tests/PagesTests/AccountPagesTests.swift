import Primitives
import Testing
import TokenCrypto

@testable import Pages

private let site = PageSite(name: "app.example.com", pathPrefix: "/_gateway")

private func text(_ page: any LocalizedPage, _ language: Language = .english) -> String {
    String(decoding: page.render(in: language).body, as: UTF8.self)
}

private func count(_ needle: String, in text: String) -> Int { text.split(separator: needle, omittingEmptySubsequences: false).count - 1 }

/// The values of an attribute, in the order of the page.
private func values(of attribute: String, in html: String) -> [String] {
    html.split(separator: " \(attribute)=\"", omittingEmptySubsequences: false).dropFirst().map { String($0.prefix { $0 != "\"" }) }
}

/// The texts between the tags that a reader sees.
private func texts(_ html: String) -> Set<String> {
    let body = html.split(separator: "<body", maxSplits: 1).last ?? ""
    let pieces = body.split(separator: "<").filter { !$0.hasPrefix("script>") }.compactMap {
        $0.split(separator: ">", maxSplits: 1).dropFirst().first
    }
    return Set(pieces.map { piece in String(piece).replacing("\n", with: "") }.filter { piece in piece.contains { $0.isLetter } })
}

@Suite struct AccountPagesTests {
    private static let samples = accountPages(site: site, value: "7") + secondFactorPages(site: site, value: "7")

    @Test(arguments: Language.all.filter { $0 != .english })
    func `no text of a page is left in English`(language: Language) {
        // `Sessions` and `Code` are words of several languages.
        let shared: Set<String> = [
            "app.example.com", "Sessions", "Code", "Status", "Name", "auth/account-exists-with-different-credential",
        ]
        for page in Self.samples {
            #expect(texts(text(page)).intersection(texts(text(page, language))).subtracting(shared) == [], "\(page)")
        }
    }

    @Test func `ids are unique, and every label and description refers to one`() {
        for page in Self.samples {
            let html = text(page)
            let ids = values(of: "id", in: html)
            #expect(Set(ids).count == ids.count, "\(ids)")
            for attribute in ["for", "aria-describedby", "aria-labelledby"] {
                for reference in values(of: attribute, in: html).flatMap({ $0.split(separator: " ").map(String.init) }) {
                    #expect(ids.contains(reference), "\(attribute)=\(reference)")
                }
            }
            #expect(count(" autofocus", in: html) <= 2)
        }
    }

    @Test func `every visible input has a label, and every form posts to the gateway`() {
        for page in Self.samples {
            let html = text(page)
            let inputs = html.split(separator: "<input").dropFirst().map { $0.prefix { $0 != ">" } }
            for input in inputs where !input.contains("type=\"hidden\"") && !input.contains(" hidden") {
                #expect(input.contains(" id=\"") && input.contains(" autocomplete=\""), "\(input)")
            }
            let visible = inputs.count { !$0.contains("hidden") }
            #expect(count("<label for=", in: html) == visible)
            for form in html.split(separator: "<form").dropFirst() {
                #expect(form.contains(" method=\"post\" action=\"/_gateway/"))
                #expect(form.contains("type=\"submit\""))
            }
        }
    }

    @Test("pages with a form send their origin to this site alone, and other pages send nothing (issue 39, item 4)")
    func referrers() throws {
        let others: [any LocalizedPage] = [
            SignInPage(site: site, providers: [.init(id: "github.com", displayName: "GitHub")]),
            SignedOutPage(site: site, extent: .complete), SignOutPage(site: site),
        ]
        for page in Self.samples + others {
            let rendered = page.render()
            let html = String(decoding: rendered.body, as: UTF8.self)
            let policy = try #require(rendered.headers(hsts: nil).first { $0.name == "Referrer-Policy" }?.value)
            #expect(policy == (html.contains("<form ") ? "same-origin" : "no-referrer"))
            #expect(html.contains("<meta name=\"referrer\" content=\"\(policy)\">"))
        }
        #expect(others.map(\.hasForm) == [false, false, true])
    }

    @Test(
        "a form in a template counts however its tag is written",
        arguments: [("<FORM>", true), ("<form\nid=x>", true), ("<formula>", false)])
    func templateForms(markup: String, isForm: Bool) throws {
        let templates = try PageTemplates(pages: ["signOut": "{{title}}" + markup], partials: [:], styles: [.base]) { _ in "" }
        let page = SignOutPage(site: PageSite(name: "Acme", pathPrefix: "/_gateway", templates: templates))
        #expect(page.hasForm == isForm)
    }

    @Test("no page that takes a password lets a form lead to any origin (issue 39, item 4)")
    func formTargets() throws {
        var known = site
        known.formTargets = ["https://id.example"]
        let password = PasswordSignIn()
        let pages: [any LocalizedPage] = [
            SignInPage(site: known, providers: [], returnTo: "https://b.example/x", password: password),
            ReauthenticatePage(site: known, providers: [], password: password, returnTo: "https://b.example/x"),
            ConflictPage(site: known, newProvider: "One", password: password, returnTo: "https://b.example/x", requestID: "1"),
        ]
        for page in pages {
            #expect(text(page).contains("type=\"password\""))
            #expect(page.contentSecurityPolicy.contains("form-action 'self' https://b.example https://id.example;"))
        }
        for page in Self.samples where text(page).contains("type=\"password\"") {
            #expect(!page.contentSecurityPolicy.contains(" https:;") && !page.contentSecurityPolicy.contains(" http:;"))
        }
    }

    @Test func `the sign-in page has the password form below the providers`() throws {
        let page = SignInPage(
            site: site, providers: [.init(id: "github.com", displayName: "GitHub")], returnTo: "/x?a=1&b=2",
            password: PasswordSignIn(email: "al@example.com", offersSignUp: true, offersReset: true), offersAnonymous: true)
        let html = text(page)
        #expect(page.status == 200)
        let form = """
            <form class="form" method="post" action="/_gateway/login/password"><input type="hidden" name="rd" value="/x?a=1&amp;b=2">
            <div class="field"><label for="email">E-mail address</label>
            <input id="email" name="email" type="email" value="al@example.com" autocomplete="username" inputmode="email" \
            autocapitalize="none" spellcheck="false" required></div>
            <div class="field"><label for="password">Password</label>
            <input id="password" name="password" type="password" autocomplete="current-password" required></div>
            <button class="button" type="submit">Sign in with password</button></form>
            """
        let password = try #require(html.firstRange(of: form))
        let button = try #require(html.firstRange(of: "/login/github.com?"))
        let anonymous = try #require(html.firstRange(of: "action=\"/_gateway/login/anonymous\""))
        #expect(button.lowerBound < password.lowerBound && password.lowerBound < anonymous.lowerBound)
        #expect(html.contains("href=\"/_gateway/sign-up?rd=%2Fx%3Fa%3D1%26b%3D2\""))
        #expect(html.contains("href=\"/_gateway/password/reset?rd=%2Fx%3Fa%3D1%26b%3D2\""))
    }

    @Test func `a sign-in page without providers but with a form does not say that there is none`() {
        let html = text(SignInPage(site: site, providers: [], password: PasswordSignIn()))
        #expect(!html.contains("No provider is enabled"))
        #expect(
            !html.contains("class=\"or\"") && !html.contains("/sign-up") && !html.contains("/password/reset") && !html.contains("anonymous")
        )
        #expect(text(SignInPage(site: site, providers: [])).contains("No provider is enabled"))
    }

    @Test(arguments: formProblems)
    func `a refused form has the status of its code, and the field points to the reason`(problem: FormProblem) {
        let page = SignUpPage(site: site, email: "a@example.com", minimumLength: 12, problem: problem)
        let html = text(page)
        #expect(page.status == problem.status)
        if problem.code != "auth/invalid-request" { #expect(ErrorText.of(code: problem.code).status == problem.status) }
        #expect(count("role=\"alert\" id=\"problem\"", in: html) == 1)
        #expect(html.contains(HTML.escape(problem.sentence.text(in: .english))))
        let isField = problem.field == .newPassword || problem.field == .email
        #expect(count("aria-invalid=\"true\" autofocus", in: html) == (isField ? 1 : 0))
        #expect(count("aria-describedby=\"problem", in: html) == (isField ? 1 : 0))
        #expect(html.contains("tabindex=\"-1\" autofocus") == (problem.field == nil))
    }

    @Test(arguments: [
        (1, "Try again in a minute."), (60, "Try again in a minute."), (61, "in 2 minutes"), (120, "in 2 minutes"), (900, "in 15 minutes"),
    ])
    func `the time to wait is rounded up`(seconds: Int, shown: String) {
        #expect(text(PasswordResetPage(site: site, problem: .tooManyAttempts(retryAfterSeconds: seconds))).contains(shown))
    }

    @Test func `a password is never sent back`() {
        for page in Self.samples {
            for input in text(page).split(separator: "<input").dropFirst().map({ $0.prefix { $0 != ">" } })
            where input.contains("type=\"password\"") {
                #expect(!input.contains("value="))
            }
        }
    }

    @Test func `a heading breaks between words only`() {
        let page = text(VerifyEmailPage(site: site, token: "t", email: "al@example.com", refusal: .cancels))
        #expect(page.contains("<h1>Confirm your e\u{2011}mail address</h1>"))
        #expect(page.contains("<title>Confirm your e-mail address ·"))
    }

    @Test func `in a session, the page of a mail's link names the account that gets the address`() {
        func page(_ account: VerifyEmailPage.AccountName?) -> String {
            text(VerifyEmailPage(site: site, token: "t", email: "al@example.com", refusal: .cancels, account: account))
        }
        #expect(page(.named("eve@evil.example")).contains("for the account <bdi>eve@evil.example</bdi>."))
        #expect(page(.anonymous).contains("for the registration that was begun in this browser."))
        #expect(!page(nil).contains("This confirms it for"))
    }

    @Test func `opening the link of a mail uses up nothing: the token goes into a form`() {
        let verify = text(VerifyEmailPage(site: site, token: "a\"b", email: "al@example.com", refusal: .cancels))
        #expect(verify.contains("action=\"/_gateway/verify-email\"><input type=\"hidden\" name=\"token\" value=\"a&quot;b\">"))
        #expect(verify.contains("<bdi>al@example.com</bdi>"))
        let reset = text(NewPasswordPage(site: site, token: "t", email: "al@example.com", minimumLength: 14))
        #expect(reset.contains("action=\"/_gateway/password/new\"><input type=\"hidden\" name=\"token\" value=\"t\">"))
        #expect(reset.contains("name=\"new_password\" type=\"password\" autocomplete=\"new-password\" minlength=\"14\" required"))
        #expect(reset.contains("aria-describedby=\"new_password-hint\""))
    }

    @Test func `outside of the account's session, the page of a mail asks for the password or leads to the sign-in and back`() {
        func page(_ signIn: VerifyEmailPage.SignIn?) -> String {
            text(VerifyEmailPage(site: site, token: "t-1", email: "al@example.com", refusal: .takesOver, signIn: signIn))
        }
        let back = "rd=%2F_gateway%2Fverify-email%3Ftoken%3Dt-1"
        let own = page(nil)
        #expect(!own.contains("type=\"password\"") && !own.contains("/_gateway/login") && own.contains(">Confirm address</button>"))
        let password = page(.init(withPassword: true))
        #expect(password.contains("name=\"password\" type=\"password\" autocomplete=\"current-password\""))
        #expect(password.contains("<a class=\"plain\" href=\"/_gateway/login?\(back)\">Sign in another way</a>"))
        let without = page(.init(withPassword: false))
        #expect(
            !without.contains("Confirm address") && without.contains("<a class=\"button\" href=\"/_gateway/login?\(back)\">Sign in</a>"))
        #expect(page(.init(withPassword: false, isSignedInElsewhere: true)).contains("\(back)&amp;account=select"))
        #expect(!page(.init(withPassword: true, otherwise: false)).contains("/_gateway/login"))
    }

    @Test func `"it was not me" is a form of its own`() {
        for (refusal, button) in [
            (VerifyEmailPage.Refusal.takesOver, "I did not create this account"), (.cancels, "I did not ask for this"),
        ] {
            let page = text(VerifyEmailPage(site: site, token: "t-1", email: "al@example.com", refusal: refusal))
            #expect(page.contains("<input type=\"hidden\" name=\"refuse\" value=\"true\">") && page.contains(">\(button)</button>"))
        }
        #expect(text(NewPasswordPage(site: site, token: "t", minimumLength: 12, offersRefusal: true)).contains("name=\"refuse\""))
        #expect(!text(NewPasswordPage(site: site, token: "t", minimumLength: 12)).contains("name=\"refuse\""))
    }
}

extension LocalizedPage {
    fileprivate var hasForm: Bool { render().policy.referrerPolicy == "same-origin" }
    fileprivate var contentSecurityPolicy: String { PageSecurityHeaders.contentSecurityPolicy(render().policy) }
}

import Primitives
import Testing
import TokenCrypto

@testable import Pages

private let site = PageSite(name: "app.example.com", pathPrefix: "/_gateway")

private func text(_ page: any LocalizedPage, _ language: Language = .english) -> String {
    String(decoding: page.render(in: language).body, as: UTF8.self)
}

private func count(_ needle: String, in text: String) -> Int { text.split(separator: needle, omittingEmptySubsequences: false).count - 1 }

private func policy(_ page: any LocalizedPage) -> String { PageSecurityHeaders.contentSecurityPolicy(page.render().policy) }

private let app = PageFactor(id: "f-1", kind: .totp, displayName: "Work <phone>", enrolledAt: 1_795_000_000)
private let key = PageFactor(id: "f-2", kind: .webauthn, enrolledAt: 1_795_000_000)
private let phone = PageFactor(id: "f-3", kind: .phone, phone: "+•••••••1234", enrolledAt: 1_795_000_000)
private let recovery = PageFactor(id: "f-4", kind: .recovery, enrolledAt: 1_795_000_000, remainingCodes: 8)
private let all = [app, key, phone, recovery]
private let options = "{\"publicKey\":{\"challenge\":\"AA-_\",\"rpId\":\"</script>'&\"}}"

@Suite struct SecondFactorPagesTests {
    // MARK: The script

    @Test func `the hashes are those of the script and of the style sheet`() {
        #expect(PageScript.passkeys.hash == "sha256-\(Base64.encode(SHA2.sha256(Array(PageScript.passkeys.source.utf8))))")
        #expect(StyleSheet.secondFactors.hash == "sha256-\(Base64.encode(SHA2.sha256(Array(StyleSheet.secondFactors.css.utf8))))")
        #expect(!PageScript.passkeys.source.isEmpty && !StyleSheet.secondFactors.css.isEmpty)
    }

    @Test func `a script that could end its element is emptied`() {
        #expect(PageScript(source: "a</script>", hash: "").source == "")
        #expect(PageScript(source: "a<!--", hash: "").source == "")
    }

    @Test func `the pages with a passkey dialog run exactly one script, and no other page runs any`() {
        let asks = SecondFactorPage(site: site, factors: all, chosen: "f-2", progress: .passkey(options: options))
        let enrols = EnrolPasskeyPage(site: site, enrollment: "e-1", options: options)
        let signsIn = PasskeySignInPage(site: site, purpose: .signIn, options: options)
        for page in [asks, enrols, signsIn] as [any LocalizedPage] {
            let html = text(page)
            #expect(count("<script>\(PageScript.passkeys.source)</script>", in: html) == 1)
            #expect(count("<script", in: html) == 1)
            #expect(policy(page).hasPrefix("default-src 'none'; script-src '\(PageScript.passkeys.hash)'; style-src "))
        }
        let others: [any LocalizedPage] = [
            SignInPage(site: site, providers: [], password: PasswordSignIn(), offersPasskey: true),
            ReauthenticatePage(site: site, providers: [], password: PasswordSignIn(), offersPasskey: true),
            SecondFactorPage(site: site, factors: all), SecondFactorPage(site: site, factors: all, chosen: "f-2"),
            SecondFactorPage(site: site, factors: all, chosen: "f-1", progress: .passkey(options: options)),
            SecondFactorsPage(site: site, factors: all, offered: PageFactor.Kind.allCases),
            EnrolTOTPPage(site: site, enrollment: "e", secret: "AAAA", uri: "otpauth://totp/a", qrCode: "<svg/>"),
            EnrolPhonePage(site: site, enrollment: "e", phone: "+12025550123"), RecoveryCodesPage(site: site, codes: ["A"]),
        ]
        for page in others {
            #expect(!text(page).contains("<script") && !policy(page).contains("script-src"))
        }
    }

    @Test func `the options of a passkey stand in an attribute, and the form is hidden until the script shows it`() {
        let html = text(
            SecondFactorPage(site: site, factors: [key], progress: .passkey(options: options), returnTo: "/x", rememberDays: 30))
        let form = """
            <form class="form" method="post" action="/_gateway/second-factor/verify" id="passkey" data-passkey="get" \
            data-options="{&quot;publicKey&quot;:{&quot;challenge&quot;:&quot;AA-_&quot;,&quot;rpId&quot;:&quot;&lt;/script&gt;&#39;&amp;&quot;}}" \
            hidden><input type="hidden" name="factor" value="f-2"><input type="hidden" name="rd" value="/x">\
            <input type="hidden" name="credential" value="">
            """
        #expect(html.contains(form))
        #expect(html.contains("id=\"passkey-failed\" tabindex=\"-1\" hidden>") && html.contains("id=\"passkey-unavailable\">"))
        #expect(html.contains("Passkeys need JavaScript") && html.contains("name=\"remember\""))
        #expect(!html.contains("id=\"passkey-known\""))
        let create = text(EnrolPasskeyPage(site: site, enrollment: "e-1", options: options))
        #expect(create.contains("data-passkey=\"create\"") && create.contains("id=\"passkey-known\" tabindex=\"-1\" hidden>"))
        #expect(create.contains("action=\"/_gateway/account/second-factors/verify\""))
        #expect(
            create.contains(
                "<input type=\"hidden\" name=\"enrollment\" value=\"e-1\"><input type=\"hidden\" name=\"credential\" value=\"\">"))
        // Every element that the script looks up is on the page or may be missing.
        for id in ["passkey", "passkey-failed", "passkey-unavailable"] {
            #expect(PageScript.passkeys.source.contains("\"\(id)\"") && html.contains("id=\"\(id)\""))
        }
    }

    @Test func `without its start, a passkey has a form that works without JavaScript`() {
        let html = text(SecondFactorPage(site: site, factors: all, chosen: "f-2"))
        #expect(html.contains("action=\"/_gateway/second-factor/start\"><input type=\"hidden\" name=\"factor\" value=\"f-2\">"))
        #expect(html.contains("Use passkey</button>"))
    }

    // MARK: Instead of the password

    @Test func `a passkey stands among the ways to sign in, and its form works without JavaScript`() {
        let providers = [SignInPage.Provider(id: "github.com", displayName: "GitHub")]
        let form = { (path: String) in
            "<li><form method=\"post\" action=\"/_gateway\(path)\"><input type=\"hidden\" name=\"rd\" value=\"/x?a=1&amp;b=2\">"
                + "<button class=\"choice\" type=\"submit\"><svg"
        }
        for list in [providers, []] {
            let signIn = text(
                SignInPage(site: site, providers: list, returnTo: "/x?a=1&b=2", password: PasswordSignIn(), offersPasskey: true))
            #expect(count(form("/login/passkey/start"), in: signIn) == 1 && count("<p class=\"or\">", in: signIn) == 1)
            let again = text(
                ReauthenticatePage(site: site, providers: list, password: PasswordSignIn(), offersPasskey: true, returnTo: "/x?a=1&b=2"))
            #expect(count(form("/reauthenticate/passkey/start"), in: again) == 1 && count("<p class=\"or\">", in: again) == 1)
        }
        let without = text(SignInPage(site: site, providers: providers, password: PasswordSignIn()))
        #expect(!without.contains("passkey"))
    }

    @Test func `the dialog opens with the page, unless there is something to read first`() {
        let page = PasskeySignInPage(site: site, purpose: .signIn, options: options, returnTo: "/x")
        let html = text(page)
        #expect(html.contains("action=\"/_gateway/login/passkey\" id=\"passkey\" data-passkey=\"get\""))
        #expect(html.contains(" data-opens hidden>") && PageScript.passkeys.source.contains("\"opens\" in form.dataset"))
        #expect(html.contains("href=\"/_gateway/login?rd=%2Fx\"") && page.status == 200)
        let again = PasskeySignInPage(
            site: site, purpose: .reauthentication, options: options, problem: .tooManyAttempts(retryAfterSeconds: 60))
        #expect(again.status == 429 && !text(again).contains("data-opens"))
        #expect(text(again).contains("action=\"/_gateway/reauthenticate/passkey\"") && text(again).contains("href=\"/_gateway/account\""))
        // The pages of second factors show more than the button.
        #expect(
            !text(SecondFactorPage(site: site, factors: all, chosen: "f-2", progress: .passkey(options: options))).contains("data-opens"))
    }

    // MARK: Asking

    @Test func `the page asks for the code of the first factor and links the others`() {
        let page = SecondFactorPage(site: site, factors: all, returnTo: "/x?a=1&b=2", rememberDays: 30)
        let html = text(page)
        #expect(page.status == 200)
        #expect(
            html.contains(
                "action=\"/_gateway/second-factor/verify\"><input type=\"hidden\" name=\"factor\" value=\"f-1\">"
                    + "<input type=\"hidden\" name=\"rd\" value=\"/x?a=1&amp;b=2\">"))
        #expect(
            html.contains(
                "<input id=\"code\" name=\"code\" type=\"text\" autocomplete=\"one-time-code\" inputmode=\"numeric\" spellcheck=\"false\""
                    + " required autofocus>"))
        #expect(html.contains("<bdi>Work &lt;phone&gt;</bdi>"))
        #expect(html.contains("href=\"/_gateway/second-factor?factor=f-3&amp;rd=%2Fx%3Fa%3D1%26b%3D2\""))
        #expect(html.contains("<small><bdi>+•••••••1234</bdi> </small>"))
        #expect(count("class=\"choice\"", in: html) == 3 && !html.contains("factor=f-1&amp;"))
        #expect(html.contains("<input id=\"remember\" name=\"remember\" type=\"checkbox\" value=\"true\" autocomplete=\"off\">"))
        #expect(html.contains("Do not ask again on this browser for 30 days"))
        #expect(html.contains("href=\"/_gateway/login?rd=%2Fx%3Fa%3D1%26b%3D2\""))
    }

    @Test func `the box is there only where browsers are remembered, and stays ticked`() {
        #expect(!text(SecondFactorPage(site: site, factors: [app])).contains("remember"))
        let ticked = SecondFactorPage(site: site, factors: [app], rememberDays: 30, isRemembering: true, problem: .wrongCode)
        #expect(text(ticked).contains("autocomplete=\"off\" checked>"))
    }

    @Test func `an unknown factor chooses the first, and one factor has no choice`() {
        let html = text(SecondFactorPage(site: site, factors: [app], chosen: "other"))
        #expect(html.contains("name=\"factor\" value=\"f-1\"") && !html.contains("class=\"or\""))
    }

    @Test func `a message is sent by a button, and the code is asked for afterwards`() {
        let before = text(SecondFactorPage(site: site, factors: all, chosen: "f-3"))
        #expect(before.contains("action=\"/_gateway/second-factor/start\"") && !before.contains("name=\"code\""))
        #expect(before.contains("We send a code to <bdi>+•••••••1234</bdi>."))
        let after = text(SecondFactorPage(site: site, factors: all, chosen: "f-3", progress: .messageSent))
        #expect(after.contains("name=\"code\"") && after.contains("action=\"/_gateway/second-factor/start\""))
        #expect(after.contains("Send another message</button>"))
    }

    @Test func `a recovery code is text, not a number`() {
        let html = text(SecondFactorPage(site: site, factors: all, chosen: "f-4"))
        #expect(
            html.contains("name=\"code\" type=\"text\" autocomplete=\"off\" autocapitalize=\"characters\" spellcheck=\"false\" required"))
        #expect(!html.contains("inputmode=\"numeric\""))
    }

    @Test(arguments: [
        (FormProblem.wrongCode, 400, "The code is wrong, or it was already used."), (.expiredCode, 400, "The code has expired."),
        (.tooManyAttempts(retryAfterSeconds: 900), 429, "in 15 minutes"), (.tooManyMessages(retryAfterSeconds: 300), 429, "in 5 minutes"),
    ])
    func `a refused code has its status and its reason`(problem: FormProblem, status: Int, shown: String) {
        let page = SecondFactorPage(site: site, factors: all, problem: problem)
        let html = text(page)
        #expect(page.status == status && html.contains(shown))
        #expect(count(" autofocus", in: html) == 1)
        #expect(html.contains("aria-describedby=\"problem\" aria-invalid=\"true\"") == (problem.field == .code))
    }

    @Test func `a session that lacks a factor is not sent back to the sign-in`() {
        #expect(!text(SecondFactorPage(site: site, factors: all, isSignedIn: true)).contains("/_gateway/login"))
    }

    @Test func `the forms may lead to another host of the site`() {
        #expect(
            policy(SecondFactorPage(site: site, factors: all, returnTo: "https://b.example/x")).contains(
                "form-action 'self' https://b.example;"))
    }

    // MARK: The list

    @Test func `the list has the factors with dates and forms that remove them`() {
        let html = text(SecondFactorsPage(site: site, factors: all, offered: PageFactor.Kind.allCases))
        #expect(
            html.contains(
                "action=\"/_gateway/account/second-factors/remove\"><input type=\"hidden\" name=\"factor\" value=\"f-1\">"
                    + "<button class=\"button secondary compact\" type=\"submit\" aria-label=\"Remove Work &lt;phone&gt;\">"))
        #expect(count("<time datetime=\"2026-11-18\">Added on 18 Nov 2026</time>", in: html) == 4)
        #expect(html.contains("Codes left: 8") && html.contains("+•••••••1234"))
        #expect(html.contains("Create new recovery codes"))
    }

    @Test func `only what is configured can be added`() {
        let html = text(SecondFactorsPage(site: site, factors: [app], offered: [.totp, .recovery]))
        #expect(html.contains("name=\"type\" value=\"totp\"") && html.contains("name=\"type\" value=\"recovery\""))
        #expect(!html.contains("value=\"webauthn\"") && !html.contains("value=\"phone\""))
        let every = text(SecondFactorsPage(site: site, factors: [], offered: [.totp, .webauthn, .phone, .recovery], returnTo: "/x"))
        #expect(count("action=\"/_gateway/account/second-factors/start\"", in: every) == 3)
        #expect(every.contains("name=\"phone\" type=\"tel\" autocomplete=\"tel\" inputmode=\"tel\" required"))
        #expect(every.contains("name=\"display_name\" type=\"text\" autocomplete=\"off\" maxlength=\"100\">"))
        #expect(every.contains("You can create them after you add another second factor.") && !every.contains("value=\"recovery\""))
        #expect(count("name=\"rd\" value=\"/x\"", in: every) == 3 && !every.contains(">Continue</a>"))
    }

    @Test func `an obstacle hides what the gateway would refuse`() {
        func page(_ obstacle: SecondFactorsPage.Obstacle?) -> String {
            text(SecondFactorsPage(site: site, factors: [app], offered: PageFactor.Kind.allCases, obstacle: obstacle, returnTo: "/x"))
        }
        for obstacle in SecondFactorsPage.Obstacle.allCases { #expect(!page(obstacle).contains("second-factors/start")) }
        #expect(!page(.oldSignIn).contains("second-factors/remove"))
        #expect(page(.oldSignIn).contains("href=\"/_gateway/reauthenticate?rd=%2F_gateway%2Faccount%2Fsecond-factors%3Frd%3D%252Fx\""))
        #expect(page(.unverifiedEmail).contains("second-factors/remove") && page(.unverifiedEmail).contains("confirm your e-mail address"))
        #expect(page(nil).contains("second-factors/start") && page(nil).contains("href=\"/x\">Continue</a>"))
    }

    @Test func `five factors are the most, and recovery codes are not counted`() {
        let five = (1...5).map { PageFactor(id: "\($0)", kind: .totp, enrolledAt: 0) }
        let html = text(SecondFactorsPage(site: site, factors: five, offered: [.totp, .recovery]))
        #expect(html.contains("as many second factors as it can have") && !html.contains("value=\"totp\""))
        #expect(html.contains("value=\"recovery\""))
        let four = text(SecondFactorsPage(site: site, factors: Array(five.dropLast()) + [recovery], offered: [.totp, .recovery]))
        #expect(four.contains("value=\"totp\""))
    }

    @Test func `a refused number stands at its field, everything else at the top`() {
        let number = SecondFactorsPage(
            site: site, factors: [], offered: [.phone], phone: .init(number: "0123", displayName: "Home"), problem: .invalidPhoneNumber)
        let html = text(number)
        #expect(number.status == 400 && html.contains("value=\"0123\"") && html.contains("value=\"Home\""))
        #expect(html.contains("id=\"phone-problem\"") && html.contains("aria-describedby=\"phone-problem phone-phone-hint\""))
        let full = SecondFactorsPage(site: site, factors: [], offered: [.phone], problem: .tooManySecondFactors)
        #expect(full.status == 409 && text(full).contains("id=\"problem\" tabindex=\"-1\" autofocus"))
        #expect(SecondFactorsPage(site: site, factors: [], offered: [.phone], problem: .secondFactorInUse).status == 409)
    }

    @Test func `removing the last other factor removes the recovery codes, which the page says`() {
        func warns(_ factors: [PageFactor]) -> Bool {
            text(SecondFactorsPage(site: site, factors: factors, offered: [])).contains("the recovery codes are removed, too")
        }
        #expect(warns([app, recovery]) && !warns([app, key, recovery]) && !warns([app]))
    }

    // MARK: Enrolment

    @Test func `an authenticator app gets the secret as an image, as text in groups, and as a link`() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>"
        let page = EnrolTOTPPage(
            site: site, enrollment: "e\"1", secret: "JBSWY3DPEHPK3PXPA", uri: "otpauth://totp/a:b?secret=JBSW&issuer=a", qrCode: svg)
        let html = text(page)
        #expect(html.contains("<img src=\"data:image/svg+xml,%3Csvg%20xmlns%3D%22http%3A%2F%2Fwww.w3.org%2F2000%2Fsvg%22%3E%3Cscript%3E"))
        #expect(html.contains("alt=\"QR code with the secret\""))
        #expect(html.contains("<span>JBSW</span><span>Y3DP</span><span>EHPK</span><span>3PXP</span><span>A</span>"))
        #expect(html.contains("href=\"otpauth://totp/a:b?secret=JBSW&amp;issuer=a\""))
        #expect(html.contains("<input type=\"hidden\" name=\"enrollment\" value=\"e&quot;1\">"))
        #expect(!html.contains("autofocus") && policy(page).contains("img-src data:;"))
        let plain = text(EnrolTOTPPage(site: site, enrollment: "e", secret: "JBSW", uri: "otpauth://totp/a"))
        #expect(!plain.contains("<img") && plain.contains("Enter this secret in an authenticator app:"))
    }

    @Test(arguments: ["javascript:alert(1)", "otpauth://hotp/a", "otpauth://totp/a b", "otpauth://totp/\"", "https://a.example", ""])
    func `only the link of an authenticator app is one`(uri: String) {
        #expect(!text(EnrolTOTPPage(site: site, enrollment: "e", secret: "AAAA", uri: uri)).contains("Open in an authenticator app"))
    }

    @Test func `a phone number is confirmed with its code, and the message can be sent again`() {
        let html = text(EnrolPhonePage(site: site, enrollment: "e-1", phone: "+•••••••0123", problem: .wrongCode))
        #expect(
            html.contains("action=\"/_gateway/account/second-factors/verify\"><input type=\"hidden\" name=\"enrollment\" value=\"e-1\">"))
        #expect(
            html.contains(
                "action=\"/_gateway/account/second-factors/start\"><input type=\"hidden\" name=\"type\" value=\"phone\">"
                    + "<input type=\"hidden\" name=\"enrollment\" value=\"e-1\">"))
        #expect(html.contains("aria-invalid=\"true\" autofocus"))
    }

    @Test func `recovery codes are shown, and print without the buttons`() {
        let html = text(RecoveryCodesPage(site: site, codes: ["AAAA-<1>", "BBBB"]))
        #expect(html.contains("<li><code>AAAA-&lt;1&gt;</code></li>\n<li><code>BBBB</code></li>"))
        #expect(html.contains("href=\"/_gateway/account/second-factors\">I have stored them</a>"))
        #expect(!html.contains("no longer work") && StyleSheet.secondFactors.css.contains("@media print"))
        #expect(text(RecoveryCodesPage(site: site, codes: [], hasReplaced: true)).contains("no longer work"))
    }

    @Test func `the account page names a factor without a name by its kind`() {
        let page = AccountPage(
            site: site, profile: .init(uid: "u"), linked: [], secondFactors: [.init(key), .init(app)], isRecent: true)
        #expect(text(page, .german).contains("<bdi>Passkey oder Sicherheitsschlüssel</bdi>"))
        #expect(text(page).contains("<bdi>Work &lt;phone&gt;</bdi>") && text(page).contains("href=\"/_gateway/account/second-factors\""))
    }
}

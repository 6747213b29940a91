import Pages
import Primitives
import Testing
import TokenCrypto

@Suite struct AccountTemplatesTests {
    /// The partial of docs/pages.md.
    private static let form = """
        <form action="{{action}}">{{#problem}}!{{problem}}{{/problem}}{{#hidden}}<{{name}}={{value}}>{{/hidden}}\
        {{#fields}}{{^isHidden}}<{{label}} {{id}} {{name}} {{type}} {{value}} {{autocomplete}}{{#isInvalid}} invalid{{/isInvalid}}\
        {{#isFixed}} fixed{{/isFixed}} {{minimumLength}}{{hint}}>{{/isHidden}}{{/fields}}{{submit}}</form>
        """

    private static func site(_ pages: [String: String]) throws -> PageSite {
        let templates = try PageTemplates(pages: pages, partials: ["form": form]) { Base64.encode(SHA2.sha256(Array($0.utf8))) }
        return PageSite(name: "A & B", pathPrefix: "/_gateway", templates: templates)
    }

    private static func text(_ page: any LocalizedPage) -> String { String(decoding: page.render().body, as: UTF8.self) }

    private static let pageSource =
        "{{title}}|{{#text}}{{.}};{{/text}}|{{#form}}{{> form}}{{/form}}|{{#closing}}{{.}};{{/closing}}|{{#actions}}[{{label}} {{url}}]{{/actions}}"

    @Test func `a page of text, form and links has their values`() throws {
        let site = try Self.site(["signUp": Self.pageSource, "deleteAccount": Self.pageSource])
        #expect(
            Self.text(SignUpPage(site: site, email: "<al>", minimumLength: 12, returnTo: "/x", problem: .longPassword))
                == "Create an account||<form action=\"/_gateway/sign-up\">!The password is too long. Use at most 1,024 bytes.<rd=/x>"
                + "<E-mail address email email email &lt;al&gt; username ><Password password password password  new-password invalid "
                + "12At least 12 characters. A few words that do not belong together are easy to remember.>Create an account</form>|"
                + "You will get a mail with a link that confirms your address.;|[Sign in instead /_gateway/login?rd=%2Fx]")
        #expect(
            Self.text(DeleteAccountPage(site: site, signedInAs: "al")).hasPrefix(
                "Delete your account?|You are signed in as al.;The account, its ways"))
    }

    @Test func `the page of a mail has both forms`() throws {
        let site = try Self.site(["verifyEmail": Self.pageSource + "|{{#refusal}}{{text}} {{#form}}{{> form}}{{/form}}{{/refusal}}"])
        let page = VerifyEmailPage(site: site, token: "t", email: "al@example.com", refusal: .cancels, signIn: .init(withPassword: false))
        #expect(
            Self.text(page)
                == "Confirm your e-mail address|To confirm the address al@example.com, sign in to the account that it is for.;|||"
                + "[Sign in /_gateway/login?rd=%2F_gateway%2Fverify-email%3Ftoken%3Dt]|"
                + "If you did not ask for this mail, you can make its link invalid. Nothing else changes. "
                + "<form action=\"/_gateway/verify-email\"><token=t><refuse=true>I did not ask for this</form>")
    }

    @Test func `the sign-in page has the forms and links`() throws {
        let site = try Self.site([
            "signIn":
                "{{or}}|{{#password}}{{> form}}{{/password}}|{{#anonymous}}{{action}} {{submit}}{{/anonymous}}|{{#links}}[{{label}} {{url}}]{{/links}}"
        ])
        let page = SignInPage(site: site, providers: [], password: PasswordSignIn(offersReset: true), offersAnonymous: true)
        #expect(
            Self.text(page)
                == "or|<form action=\"/_gateway/login/password\"><E-mail address email email email  username >"
                + "<Password password password password  current-password >Sign in with password</form>|"
                + "/_gateway/login/anonymous Continue without an account|[Forgot your password? /_gateway/password/reset]")
        #expect(page.render().headers(hsts: nil).contains { $0.name == "Referrer-Policy" && $0.value == "same-origin" })
    }

    @Test func `a conflict and a re-authentication have the providers`() throws {
        let source = "{{title}}|{{#providers}}[{{id}} {{name}} {{url}} {{label}}]{{/providers}}|{{#form}}{{action}}{{/form}}|{{or}}"
        let site = try Self.site(["conflict": source + "|{{code}} {{status}} {{requestID}}", "reauthenticate": source])
        let provider = SignInPage.Provider(id: "a/b", displayName: "Bb")
        #expect(
            Self.text(ConflictPage(site: site, newProvider: "C", providers: [provider], password: PasswordSignIn(), requestID: "r"))
                == "This address already has an account|[a/b Bb /_gateway/login/a~b Sign in with Bb]|/_gateway/login/password|or|"
                + "auth/account-exists-with-different-credential 409 r")
        #expect(
            Self.text(ReauthenticatePage(site: site, providers: [provider], passwordAction: LinkTarget("/p")))
                == "Confirm that it is you|[a/b Bb /_gateway/reauthenticate?provider=a%2Fb Sign in with Bb]||or")
    }

    @Test func `the account page has its parts`() throws {
        let site = try Self.site([
            "account":
                "{{notice}}|{{profile.uid}} {{profile.email}} {{profile.emailState}}|{{#confirm}}{{url}}{{/confirm}}|"
                + "{{#linked}}[{{id}} {{name}} {{account}} {{added}}{{#unlink}} {{action}}{{/unlink}}]{{/linked}}{{lastWay}}|"
                + "{{#linkable}}[{{label}} {{action}}]{{/linkable}}|{{#password}}{{action}}{{/password}}|{{#email}}{{action}}{{/email}}|"
                + "{{#secondFactors}}{{#items}}{{name}}{{/items}}{{/secondFactors}}|{{#sessions}}{{#items}}{{browser}}{{#end}} {{action}}{{#hidden}} {{value}}{{/hidden}}{{/end}};{{/items}}{{/sessions}}|"
                + "{{deleteURL}} {{deleteLabel}} {{labels.ways}}"
        ])
        let way = AccountPage.LinkedProvider(id: "a/b", displayName: "Bb", account: "<al>", linkedAt: 1_795_000_000)
        func page(_ linked: [AccountPage.LinkedProvider], isRecent: Bool) -> String {
            Self.text(
                AccountPage(
                    site: site, profile: .init(uid: "u", email: "al@example.com"), linked: linked,
                    linkable: [.init(id: "c", displayName: "Cc", authorizationOrigin: nil)],
                    password: .init(isSet: true, minimumLength: 12),
                    email: .init(), secondFactors: [.init(displayName: "Phone", enrolledAt: 0)],
                    sessions: [
                        .init(id: "1", isCurrent: true, browser: "Firefox", lastSeenAt: 0),
                        .init(id: "2", isCurrent: false, browser: nil, lastSeenAt: 0),
                    ], isRecent: isRecent, notice: .linked))
        }
        #expect(
            page([way, way], isRecent: true)
                == "The way to sign in was added.|u al@example.com not confirmed||"
                + "[a/b Bb &lt;al&gt; 18 Nov 2026 /_gateway/unlink/a~b][a/b Bb &lt;al&gt; 18 Nov 2026 /_gateway/unlink/a~b]|"
                + "[Link Cc /_gateway/link/c]|/_gateway/account/password|/_gateway/account/email|Phone|Firefox;Unknown browser /_gateway/sessions/revoke 2;|"
                + "/_gateway/account/delete Delete account Ways to sign in")
        #expect(
            page([way], isRecent: false).contains(
                "|/_gateway/reauthenticate?rd=%2F_gateway%2Faccount|[a/b Bb &lt;al&gt; 18 Nov 2026]This is your only way to sign in."))
    }

    @Test func `every page of accounts can be replaced`() throws {
        let names = PageTemplates.Name.allCases.map(\.rawValue).filter {
            $0 != "mail" && $0 != "error" && !$0.hasPrefix("sign") || $0 == "signUp"
        }
        let site = try Self.site(Dictionary(uniqueKeysWithValues: (names + ["signIn"]).map { ($0, "own \($0)") }))
        var found: Set<String> = []
        for page in accountPages(site: site, value: "v") + secondFactorPages(site: site, value: "v") {
            let text = Self.text(page)
            #expect(text.hasPrefix("own "))
            found.insert(String(text.dropFirst(4)))
        }
        #expect(found == Set(names + ["signIn"]))
    }
}

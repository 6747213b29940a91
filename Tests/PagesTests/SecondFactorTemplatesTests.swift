import Primitives
import Testing
import TokenCrypto

@testable import Pages

@Suite struct SecondFactorTemplatesTests {
    private static let form = """
        <form{{action}}>{{#problem}}!{{problem}}{{/problem}}{{#hidden}}<{{name}}={{value}}>{{/hidden}}{{#fields}}<{{label}} {{name}} \
        {{autocomplete}}{{#isNumeric}} numeric{{/isNumeric}}{{#isOptional}} optional{{/isOptional}}>{{/fields}}\
        {{#checkbox}}[{{name}} {{value}} {{label}}{{#isChecked}} x{{/isChecked}}]{{/checkbox}}{{submit}}</form>
        """

    private static func site(_ pages: [String: String]) throws -> PageSite {
        let templates = try PageTemplates(pages: pages, partials: ["form": form]) { Base64.encode(SHA2.sha256(Array($0.utf8))) }
        return PageSite(name: "A & B", pathPrefix: "/_gateway", templates: templates)
    }

    private static func text(_ page: any LocalizedPage) -> String { String(decoding: page.render().body, as: UTF8.self) }

    private static let app = PageFactor(id: "f1", kind: .totp, displayName: "<Work>", enrolledAt: 1_795_000_000)
    private static let key = PageFactor(id: "f2", kind: .webauthn, enrolledAt: 1_795_000_000)
    private static let phone = PageFactor(id: "f3", kind: .phone, phone: "+••34", enrolledAt: 1_795_000_000)

    @Test func `the question has the factor, its form and the others`() throws {
        let site = try Self.site([
            "secondFactor":
                "{{title}}|{{#factor}}{{name}} {{type}}{{/factor}}|{{#form}}{{> form}}{{/form}}|{{#resend}}{{action}}{{/resend}}|"
                + "{{#others}}[{{name}} {{phone}} {{url}}]{{/others}}|{{#actions}}{{label}}{{/actions}}|{{or}}"
        ])
        #expect(
            Self.text(
                SecondFactorPage(
                    site: site, factors: [Self.app, Self.phone], returnTo: "/x", rememberDays: 7, isRemembering: true, problem: .wrongCode))
                == "Confirm your sign-in|&lt;Work&gt; totp|<form/_gateway/second-factor/verify>"
                + "!The code is wrong, or it was already used. Enter the current one.<factor=f1><rd=/x>"
                + "<6-digit code code one-time-code numeric>[remember true Do not ask again on this browser for 7 days x]Confirm</form>||"
                + "[Text message +••34 /_gateway/second-factor?factor=f3&amp;rd=%2Fx]|Back to the sign-in|or")
    }

    @Test func `a template can run the script of passkeys, and only where the page needs it`() throws {
        let source =
            "{{#passkey}}{{ceremony}} {{failed}} {{known}} <form data-options=\"{{options}}\">{{#form}}{{#hidden}}<{{name}}={{value}}>{{/hidden}}"
            + "{{/form}}</form>\n  {{> gateway-passkey-script}}\n{{/passkey}}"
        let site = try Self.site([
            "secondFactor": source, "enrolPasskey": source, "passkeySignIn": source, "recoveryCodes": "{{> gateway-passkey-script}}",
        ])
        let pages: [any LocalizedPage] = [
            SecondFactorPage(site: site, factors: [Self.key], progress: .passkey(options: "\"<")),
            EnrolPasskeyPage(site: site, enrollment: "e", options: "\"<"),
            PasskeySignInPage(site: site, purpose: .signIn, options: "\"<"),
        ]
        for page in pages {
            let text = Self.text(page)
            #expect(text.contains("<form data-options=\"&quot;&lt;\">") && text.contains("<credential=></form>"))
            #expect(text.contains("<script>\(PageScript.passkeys.source)</script>"))
            let policy = PageSecurityHeaders.contentSecurityPolicy(page.render().policy)
            #expect(policy.contains("script-src '\(PageScript.passkeys.hash)';") && policy.contains("img-src 'self' data:"))
        }
        let codes = RecoveryCodesPage(site: site, codes: ["A"])
        #expect(!PageSecurityHeaders.contentSecurityPolicy(codes.render().policy).contains("script-src"))
        #expect(throws: PageTemplates.Problem.self) { try Self.site(["gateway-passkey-script": "x"]) }
    }

    @Test func `the list has the factors and what can be added`() throws {
        let site = try Self.site([
            "secondFactors":
                "{{notice}}|{{#confirm}}{{url}}{{/confirm}}|{{#factors}}[{{name}} {{kind}} {{added}}{{#remove}} {{action}}{{/remove}}]{{/factors}}|"
                + "{{addLabel}}{{#additions}}[{{type}} {{name}}{{#form}} {{> form}}{{/form}}]{{/additions}}|{{limit}}{{recoveryWarning}}{{problem}}"
        ])
        func page(_ obstacle: SecondFactorsPage.Obstacle?) -> String {
            Self.text(
                SecondFactorsPage(site: site, factors: [Self.app], offered: [.totp, .recovery], obstacle: obstacle, notice: .added))
        }
        #expect(
            page(nil)
                == "The second factor was added.||[&lt;Work&gt; Authenticator app 18 Nov 2026 /_gateway/account/second-factors/remove]|"
                + "Add a second factor[totp Authenticator app <form/_gateway/account/second-factors/start><type=totp>"
                + "<Name (optional) display_name off optional>Set up an authenticator app</form>]"
                + "[recovery Recovery codes <form/_gateway/account/second-factors/start><type=recovery>Create recovery codes</form>]|")
        #expect(
            page(.oldSignIn)
                == "The second factor was added.|/_gateway/reauthenticate?rd=%2F_gateway%2Faccount%2Fsecond-factors|"
                + "[&lt;Work&gt; Authenticator app 18 Nov 2026]|Add a second factor|")
    }

    @Test func `an enrolment has its secret, its codes and its forms`() throws {
        let site = try Self.site([
            "enrolTOTP":
                "{{qrCode}}|{{secret}}|{{#secretGroups}}{{.}} {{/secretGroups}}|{{secretLabel}}|{{#app}}{{url}}{{/app}}|{{#form}}{{> form}}{{/form}}",
            "enrolPhone": "{{#text}}{{.}}{{/text}}|{{#form}}{{action}}{{/form}}|{{#resend}}{{> form}}{{/resend}}",
            "recoveryCodes": "{{#codes}}<{{.}}>{{/codes}}{{#actions}}{{label}} {{url}}{{/actions}}",
        ])
        #expect(
            Self.text(EnrolTOTPPage(site: site, enrollment: "e", secret: "AAAABB", uri: "otpauth://totp/a", qrCode: "<svg/>"))
                == "data:image/svg+xml,%3Csvg%2F%3E|AAAABB|AAAA BB |Or enter this secret in the app:|otpauth://totp/a|"
                + "<form/_gateway/account/second-factors/verify><enrollment=e><6-digit code code one-time-code numeric>Add the app</form>")
        #expect(
            Self.text(EnrolPhonePage(site: site, enrollment: "e", phone: "+1"))
                == "Enter the 6-digit code that we sent to +1.|/_gateway/account/second-factors/verify|"
                + "<form/_gateway/account/second-factors/start><type=phone><enrollment=e>Send another message</form>")
        #expect(
            Self.text(RecoveryCodesPage(site: site, codes: ["A", "<"]))
                == "<A><&lt;>I have stored them /_gateway/account/second-factors")
    }
}

import Config
import Diagnostics

extension RuleName {
    static let publicMailDomain = RuleName("public-mail-domain", .warning)
}

extension Rule {
    static let publicMailDomain = Rule(
        .publicMailDomain, what: "An `emails` rule admits a whole domain where anyone can create a mailbox.",
        why: "The rule does not limit access: anyone who creates a mailbox there passes it.",
        instead: "List single addresses, or use an organisation's domain.",
        bad: Example(
            """
            routes: [{ path: /**, access: { emails: [«"*@gmail.com"»] } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, access: { emails: [alice.example@gmail.com, "*@example.com"] } }]
            """),
        check: { context in
            context.accessRules.flatMap { _, rule in
                (rule["emails"]?.list ?? []).compactMap { item -> Diagnostic? in
                    guard let text = item.text, text.hasPrefix("*@"), publicMailDomains.contains(text.dropFirst(2).lowercased()) else {
                        return nil
                    }
                    return Diagnostic(
                        .publicMailDomain, at: item.referenceSpan, "anyone can create an address at this domain", label: "admits everyone",
                        help: "list single addresses, or use an organisation's domain")
                }
            }
        })

    static let publicMailDomains: Set<String> = [
        "gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "msn.com", "yahoo.com", "ymail.com", "aol.com",
        "icloud.com",
        "me.com", "mac.com", "proton.me", "protonmail.com", "gmx.de", "gmx.net", "gmx.com", "web.de", "mail.com", "mail.ru", "yandex.ru",
        "yandex.com", "qq.com", "163.com", "126.com", "naver.com", "hanmail.net", "orange.fr", "free.fr", "laposte.net", "libero.it",
        "t-online.de", "zoho.com", "fastmail.com", "tutanota.com", "mailinator.com", "yopmail.com", "guerrillamail.com",
    ]
}

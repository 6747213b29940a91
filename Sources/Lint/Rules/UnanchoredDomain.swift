import Diagnostics

extension Rule {
    static let unanchoredDomain = Rule(
        .unanchoredDomain, what: "An address pattern lacks an `@` before the domain, like `*example.com`.",
        why: "`*example.com` would also admit `mallory@evil-example.com`. Anyone can register such a domain.",
        instead: "Write `*@example.com`.",
        bad: Example("routes: [{ path: /**, access: { emails: [«\"*example.com\"»] } }]\n"),
        good: Example("routes: [{ path: /**, access: { emails: [\"*@example.com\"] } }]\n"))
}

import Diagnostics

extension Rule {
    static let unanchoredDomain = Rule(
        .unanchoredDomain, what: "An address pattern is not anchored at an `@`, like `*example.com`.",
        why: "`*example.com` would admit `mallory@evil-example.com`, which anyone can register.",
        instead: "Write `*@example.com`.",
        bad: Example("routes: [{ path: /**, access: { emails: [«\"*example.com\"»] } }]\n"),
        good: Example("routes: [{ path: /**, access: { emails: [\"*@example.com\"] } }]\n"))
}

import Config
import Diagnostics

extension Rule {
    static let sameSiteNone = Rule(
        .sameSiteNone, what: "The session cookie is sent with requests that other sites start.",
        why:
            "`SameSite=None` takes away the browser's own protection against forged requests, and most browsers block such cookies in frames anyway.",
        instead: "Remove `sameSite`, or write `lax`: coming back from the provider works with it.",
        bad: Example(
            """
            session: { cookie: { sameSite: «none» }, keys: ["${file:./session.key}"] }
            """),
        good: Example(
            """
            session: { cookie: { sameSite: lax }, keys: ["${file:./session.key}"] }
            """),
        check: { context in
            guard let item = context.session?["cookie"]?.object?["sameSite"], item.text == "none",
                context.configuration.everywhere.csrf != .origin
            else { return [] }
            return [
                Diagnostic(
                    .sameSiteNone, at: item.referenceSpan, "other sites can send requests with this session",
                    label: "no protection by the browser",
                    help: "write `lax`, or remove it; where other sites must show the app in a frame, add `csrf: origin`")
            ]
        })
}

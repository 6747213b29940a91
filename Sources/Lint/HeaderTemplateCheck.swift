import Access
import Config

/// Explains why the parser refuses the value template of an identity header.
enum HeaderTemplateCheck {
    struct Problem {
        var message: String
        var label: String?
        var help: String
    }

    private static let names = [
        "uid", "email", "emailVerified", "username", "name", "picture", "locale", "groups", "provider", "authTime", "accessToken",
        "idToken",
    ]

    static func problem(in template: String) -> Problem? {
        do throws(HeaderTemplateError) {
            _ = try HeaderTemplate(template)
            return nil
        } catch {
            return problem(error)
        }
    }

    private static func problem(_ error: HeaderTemplateError) -> Problem {
        guard case .unknownName(let name) = error.reason else {
            return Problem(
                message: "this template is malformed: \(error)",
                help: "write text with `{{ name }}`, with optional filters `| join(\"|\")`, `| base64` or `| urlencode`")
        }
        let known = names.map { "`\($0)`" }.joined(separator: ", ")
        return Problem(
            message: "unknown name `\(name)` in a template",
            label: Spelling.nearest(to: name, among: names).map { "did you mean `\($0)`?" } ?? "unknown name",
            help: "known names: \(known) and `claims.path.to.it`")
    }
}

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

    /// - Parameter hasAccounts: whether the values of accounts exist.
    static func problem(in template: String, hasAccounts: Bool) -> Problem? {
        do throws(HeaderTemplateError) {
            let field = try HeaderTemplate(template).fields.first { $0.accountName != nil }
            guard !hasAccounts, let name = field?.accountName else { return nil }
            return Problem(
                message: "`{{ \(name) }}` needs `accounts`", label: "no value without accounts",
                help: "remove it, or configure `accounts`")
        } catch {
            return problem(error, hasAccounts ? names + HeaderTemplate.Field.accountNames : names)
        }
    }

    private static func problem(_ error: HeaderTemplateError, _ names: [String]) -> Problem {
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

import Config

/// Checks the value template of an identity header: text with `{{ name | filter }}`.
enum HeaderTemplateCheck {
    struct Problem {
        var message: String
        var label: String
        var help: String
    }

    private static let names = [
        "uid", "email", "emailVerified", "username", "name", "picture", "locale", "groups", "provider", "authTime", "accessToken",
        "idToken",
    ]

    static func problem(in template: String) -> Problem? {
        if template.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            return Problem(message: "a header value cannot hold a control character", label: "not allowed", help: "write it on one line")
        }
        var rest = template[...]
        while let open = rest.firstRange(of: "{{") {
            if rest[..<open.lowerBound].contains("}}") { return unopened }
            guard let close = rest[open.upperBound...].firstRange(of: "}}") else {
                return Problem(message: "this template has a `{{` that is not closed", label: "no `}}` follows", help: "write `{{ name }}`")
            }
            if let problem = problem(inExpression: rest[open.upperBound..<close.lowerBound]) { return problem }
            rest = rest[close.upperBound...]
        }
        return rest.contains("}}") ? unopened : nil
    }

    private static let unopened = Problem(
        message: "this template has a `}}` without a `{{`", label: "nothing is open here", help: "write `{{ name }}`")

    private static func problem(inExpression expression: Substring) -> Problem? {
        var parts = pipes(expression)
        let name = parts.removeFirst()
        let known = names.map { "`\($0)`" }.joined(separator: ", ")
        let isClaim =
            name.hasPrefix("claims.")
            && name.dropFirst(7).split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
        guard names.contains(name) || isClaim else {
            let near = Spelling.nearest(to: name, among: names)
            return Problem(
                message: name.isEmpty ? "this template names nothing" : "a template cannot name `\(name)`",
                label: near.map { "did you mean `\($0)`?" } ?? "unknown name", help: "known are \(known) and `claims.path.to.it`")
        }
        for filter in parts {
            let isJoin =
                filter.hasPrefix("join(\"") && filter.hasSuffix("\")") && filter.count >= 8
                && !filter.dropFirst(6).dropLast(2).contains("\"")
            guard filter == "base64" || filter == "urlencode" || isJoin else {
                return Problem(
                    message: "a template cannot use the filter `\(filter)`", label: "unknown filter",
                    help: "known are `join(\"|\")`, `base64` and `urlencode`")
            }
        }
        return nil
    }

    /// The parts between `|`, trimmed; a `|` in quotes separates nothing.
    private static func pipes(_ expression: Substring) -> [String] {
        var parts = [""]
        var isQuoted = false
        for character in expression {
            if character == "\"" { isQuoted.toggle() }
            if character == "|", !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts.map { part in
            var text = part[...]
            while text.first == " " { text = text.dropFirst() }
            while text.last == " " { text = text.dropLast() }
            return String(text)
        }
    }
}

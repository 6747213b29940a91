import Testing

@testable import Conditions

/// What is refused before it is evaluated: the exact part of the text, the message and the suggestion.
struct ProblemTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let text: String
        let part: String
        let message: String
        var suggestion: String?

        var testDescription: String { text.count > 60 ? "\(text.prefix(60))…" : text }
    }

    private static let syntax = [
        Refusal(text: "", part: "", message: "unexpected end of the expression; expected an expression"),
        Refusal(text: "count = 7", part: "=", message: "'=' is no operator; write '==' to compare"),
        Refusal(text: "true & false", part: "&", message: "'&' is no operator; write '&&'"),
        Refusal(text: "true | false", part: "|", message: "'|' is no operator; write '||'"),
        Refusal(text: "(true", part: "", message: "unexpected end of the expression; expected ')'"),
        Refusal(text: "true)", part: ")", message: "unexpected ')'"),
        Refusal(text: "[1, 2", part: "", message: "unexpected end of the expression; expected ',' or ']'"),
        Refusal(text: "size(1,)", part: ")", message: "unexpected ')'; expected an expression"),
        Refusal(text: "true ? 1", part: "", message: "unexpected end of the expression; expected ':'"),
        Refusal(text: "{'a' 1}", part: "1", message: "unexpected number; expected ':'"),
        Refusal(text: "if == 1", part: "if", message: "'if' is reserved and cannot be a name"),
        Refusal(text: "auth.true", part: "true", message: "unexpected 'true'; expected a field's name"),
        Refusal(text: "'ü' == #", part: "#", message: "unexpected character \"#\""),
        Refusal(text: "'ü' == 🐱", part: "🐱", message: "unexpected character \"🐱\""),
        Refusal(text: "has(auth)", part: "has(auth)", message: "has() takes one field, as in has(auth.email)"),
        Refusal(text: "[1].all(1, true)", part: "1", message: "the first argument of all() is the name of a variable"),
        Refusal(text: "'abc", part: "'abc", message: "the string is not closed"),
        Refusal(text: "'a\nb'", part: "'a", message: "the string is not closed"),
        Refusal(text: "'''a", part: "'''a", message: "the string is not closed"),
        Refusal(text: "'ü\\q'", part: "\\q", message: "no escape sequence"),
        Refusal(text: "'\\x4'", part: "\\x4", message: "the escape sequence needs 2 hexadecimal digits"),
        Refusal(text: "'\\ud83d'", part: "\\ud83d", message: "the escape sequence is no Unicode character"),
        Refusal(text: "'\\U00110000'", part: "\\U00110000", message: "the escape sequence is no Unicode character"),
        Refusal(text: "'\\08'", part: "\\0", message: "the escape sequence needs three octal digits, at most \\377"),
        Refusal(text: "'\\400'", part: "\\4", message: "no escape sequence"),
        Refusal(text: "b'\\u0041'", part: "\\u", message: "no escape sequence; bytes are written as \\x and two digits"),
        Refusal(text: "9223372036854775808", part: "9223372036854775808", message: "the number is too large for int"),
        Refusal(text: "-9223372036854775809", part: "9223372036854775809", message: "the number is too large for int"),
        Refusal(text: "18446744073709551616u", part: "18446744073709551616u", message: "the number is too large for uint"),
        Refusal(text: "0x1ffffffffffffffff", part: "0x1ffffffffffffffff", message: "the number is too large for int"),
        Refusal(text: "1e999", part: "1e999", message: "the number is too large for double"),
        Refusal(text: "0x", part: "0x", message: "a hexadecimal number needs digits"),
        Refusal(text: "12abc", part: "12abc", message: "not a number"),
        Refusal(text: "{'a':1}.`a$`", part: "`a", message: namesInBackticks),
    ]

    private static let namesInBackticks =
        "a name in backticks contains letters, digits, '_', '-', '.', '/' and spaces only, and ends with a backtick"

    private static let types = [
        Refusal(
            text: "request.query.a == \"1\"", part: "request.query.a == \"1\"",
            message: "'==' cannot compare list(string) with string; 'in' looks for a value in a list"),
        Refusal(
            text: "auth.groups == \"admins\"", part: "auth.groups == \"admins\"",
            message: "'==' cannot compare list(string) with string; 'in' looks for a value in a list"),
        Refusal(text: "count == 1u", part: "count == 1u", message: "'==' cannot compare int with uint"),
        Refusal(text: "auth.uid == null", part: "auth.uid == null", message: "'==' cannot compare string with null_type"),
        Refusal(text: "count < 1.0", part: "count < 1.0", message: "'<' cannot compare int with double"),
        Refusal(text: "count + 'a' == 1", part: "count + 'a'", message: "'+' cannot combine int and string"),
        Refusal(text: "1 in auth.groups", part: "1 in auth.groups", message: "'in' cannot look for int in list(string)"),
        Refusal(text: "auth.groups['a'] == ''", part: "auth.groups['a']", message: "list(string) cannot be indexed with string"),
        Refusal(text: "-auth.uid == ''", part: "-auth.uid", message: "'-' cannot be applied to string"),
        Refusal(text: "!count", part: "count", message: "'!' takes bool, not int"),
        Refusal(text: "true && count", part: "count", message: "'&&' takes bool, not int"),
        Refusal(text: "count ? true : false", part: "count", message: "the condition of '?' takes bool, not int"),
        Refusal(
            text: "(true ? 1 : 'a') == 1", part: "true ? 1 : 'a'",
            message: "both results of '?' have the same type; these are int and string"),
        Refusal(text: "count", part: "count", message: "the expression is of type int; expected bool"),
        Refusal(text: "auht.uid == ''", part: "auht", message: "unknown variable 'auht'", suggestion: "auth"),
        Refusal(text: "auth.grups == []", part: "grups", message: "auth has no field 'grups'", suggestion: "groups"),
        Refusal(text: "has(auth.emial)", part: "emial", message: "auth has no field 'emial'", suggestion: "email"),
        Refusal(text: "auth.uid.length() == 1", part: "length", message: "unknown function 'length'"),
        Refusal(text: "auth.uid.startWith('a')", part: "startWith", message: "unknown function 'startWith'", suggestion: "startsWith"),
        Refusal(text: "startsWith(auth.uid, 'a')", part: "startsWith", message: "'startsWith' is called as string.startsWith(string)"),
        Refusal(
            text: "auth.uid.startsWith(1)", part: "startsWith",
            message: "no function string.startsWith(int); expected string.startsWith(string)"),
        Refusal(text: "auth.groups.exists(g, g.size())", part: "g.size()", message: "exists() takes bool, not int"),
        Refusal(text: "count.all(x, true)", part: "count", message: "all() takes a list or a map, not int"),
        Refusal(text: "[1].all(true)", part: "all", message: "all() takes two arguments: a variable and an expression"),
        Refusal(text: "has(count.a)", part: "a", message: "int has no fields"),
        Refusal(text: "{1.5: 1} == {}", part: "1.5", message: "a key is of type bool, int, uint or string, not double"),
        Refusal(text: "Foo{a: 1} == 1", part: "Foo", message: "unknown type 'Foo'; objects cannot be written in an expression"),
        Refusal(text: "'é' == '' && auht", part: "auht", message: "unknown variable 'auht'", suggestion: "auth"),
    ]

    @Test(arguments: syntax + types)
    func refused(_ refusal: Refusal) throws {
        let problem = try #require(Sample.problems(refusal.text).first)
        #expect(problem.message == refusal.message)
        #expect(problem.range.text(in: refusal.text) == refusal.part)
        #expect(problem.suggestion == refusal.suggestion)
        // Both units name the same part.
        let scalars = Array(refusal.text.unicodeScalars)[problem.range.scalars]
        var part = ""
        part.unicodeScalars.append(contentsOf: scalars)
        #expect(part == refusal.part)
    }

    @Test("Every problem of an expression is reported, in the order of the text")
    func several() {
        let problems = Sample.problems("auht.uid == '' && count == 1u || grups")
        #expect(problems.map(\.range.utf8.lowerBound) == [0, 18, 33])
    }

    @Test("A misspelled expression reports at most 20 problems")
    func bounded() {
        let text = Array(repeating: "nobody", count: 50).joined(separator: " && ")
        #expect(Sample.problems(text).count == 20)
    }

    @Test("An open type is decided by its use", arguments: ["[].all(x, x > 0)", "{}.all(k, k == 'a')", "[[], [1]][0] == [2]"])
    func accepted(_ text: String) { #expect(Sample.problems(text).isEmpty) }

    @Test("An object, a timestamp and an address may be null")
    func nullable() {
        #expect(Sample.problems("auth == null || request.clientCertificate != null || request.time == null").isEmpty)
    }
}

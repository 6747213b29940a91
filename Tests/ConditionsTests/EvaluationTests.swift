import Testing

@testable import Conditions

/// Expressions that are true, one group for each section of the language definition.
struct EvaluationTests {
    private static let values = [
        "7 == 0x7 && -7 == -0x7 && 7u == 0x7U && 1e3 == 1000.0 && .5 == 0.5 && -0x8000000000000000 == -9223372036854775808",
        "'\\u00fc' == 'ü' && '\\303' == 'Ã' && b'\\303\\274' == b'ü' && '\\U0001F431' == '🐱' && \"\"\"a\n'b\"\"\" == 'a\\n\\'b'",
        "r'\\n' == '\\\\n' && bR'' == b'' && br'\\n' == b'\\\\n'",
        "[\t1\n,\u{C}2\r][ 0 ] // a comment '\n==// another\n1 // the last",
        // Canonically equivalent texts differ.
        "'\\u00e9' != 'e\\u0301' && size('e\\u0301') == 2 && !('\\u00e9' in ['e\\u0301']) && !('\\u00e9' in {'e\\u0301': 1})",
        "'a' < 'b' && 'Z' < 'a' && 'ab' > 'a' && b'\\x00' < b'\\xff' && false < true && '\\uffff' < '\\U00010000'",
        "type(1) == int && type(1u) == uint && type('') == string && type(type(1)) == type && type(null) == null_type",
        "type(request.time) == google.protobuf.Timestamp && type([]) == list && type({}) == map && type(request.address) == net.IP",
        "[1, 2] + [3] == [1, 2, 3] && size([1, 2]) == 2 && [1, 2].size() == 2 && {'a': 1}.size() == 1 && [1, 2][1] == 2",
        "{'a': 1}.a == 1 && {'a': 1}['a'] == 1 && {1: 2}[dyn(1.0)] == 2 && {1u: 2}[dyn(1)] == 2 && {'a b': 1}.`a b` == 1",
        "dyn(1) == dyn(1.0) && dyn(1) == dyn(1u) && dyn(1) != dyn('1') && dyn(null) != dyn(0) && dyn([1]) == dyn([1.0])",
        "dyn(1) < dyn(1.5) && dyn(2u) > dyn(1.5) && dyn(-1) < dyn(0u) && dyn(18446744073709551615u) > dyn(9223372036854775807)",
        "0.0 / 0.0 != 0.0 / 0.0 && !(0.0 / 0.0 < 1.0) && !(0.0 / 0.0 >= 1.0) && double('NaN') != double('NaN')",
        "1 + 2 * 3 - 4 / 2 % 3 == 5 && -(1) == -1 && (1 + 2) * 3 == 9 && 7 % 3 == 1 && -7 / 2 == -3 && -7 % 3 == -1",
        "1 == 1 && 2 == 2 || false && true ? true : false",
        "2 in [1, 2] && !(3 in [1, 2]) && 'a' in {'a': 1} && dyn(1.0) in [1] && 'i' in ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']",
    ]

    private static let errors = [
        "1 / (count - 7) == 1 || true", "true || 1 / (count - 7) == 1", "!(1 / (count - 7) == 1 && false)", "!(false && 1 / 0 == 1)",
        "true ? true : 1 / (count - 7) == 1", "[0, 1].exists(x, 1 / x == 1)", "![0, 2].all(x, 1 / x == 1)",
        "dyn(1) == dyn('a') || true", "anything == 1 || true",
    ]

    private static let macros = [
        "[1, 2, 3].all(x, x > 0) && ![1, 2].all(x, x > 1) && [].all(x, false) && {'a': 1}.all(k, k == 'a')",
        "[1, 2].exists(x, x == 2) && ![].exists(x, true) && {'a': 1}.exists(k, k == 'a')",
        "[1, 2].exists_one(x, x == 2) && ![2, 2].exists_one(x, x == 2) && ![].exists_one(x, true)",
        "[1, 2, 3].filter(x, x > 1) == [2, 3] && {'a': 1, 'b': 2}.filter(k, k != 'a') == ['b']",
        "[1, 2].map(x, x * 2) == [2, 4] && [1, 2, 3].map(x, x > 1, x * 2) == [4, 6] && {'a': 1}.map(k, k + k) == ['aa']",
        "[[1, 2], [3]].map(x, x.map(x, x + 1)) == [[2, 3], [4]] && [1].map(x, [2].map(y, x + y)) == [[3]]",
        "[1].all(count, count == 1) && count == 7 && [1].all(count, .count == 7)",
        "has(auth.uid) && !has(auth.email) && has({'a': null}.a) && !has({'a': 1}.b) && has(request.headers.`x-team`)",
    ]

    private static let strings = [
        "'abc'.contains('b') && 'abc'.contains('') && !'abc'.contains('ac') && 'ababac'.contains('abac') && !''.contains('a')",
        "'abc'.startsWith('ab') && 'abc'.endsWith('bc') && !'abc'.endsWith('abcd') && 'é'.endsWith('é') && 'abc'.startsWith('')",
        "'abc'.matches('b') && matches('abc', '^a.c$') && !'abc'.matches('^b') && auth.uid.matches(auth.uid)",
        "'ÄBc'.lowerAscii() == 'Äbc' && auth.uid.double() == 'adaada'",
        "'a' + 'b' == 'ab' && b'a' + b'b' == b'ab' && size('🐱') == 1 && size(b'🐱') == 4",
    ]

    private static let conversions = [
        "int('-7') == -7 && int(7u) == 7 && int(-7.9) == -7 && int(timestamp('1970-01-01T00:00:07Z')) == 7",
        "uint('7') == 7u && uint(7.9) == 7u && double('7.5') == 7.5 && double(7) == 7.0 && double('-1e2') == -100.0",
        "string(7) == '7' && string(7u) == '7' && string(7.5) == '7.5' && string(7.0) == '7' && string(true) == 'true'",
        "string(b'ab') == 'ab' && bytes('ä') == b'\\xc3\\xa4' && string(duration('1m1ms')) == '60.001s' && string(ip('::1')) == '::1'",
        "bool('true') && !bool('F' + 'alse') && string(timestamp('2026-01-02T03:04:05.60Z')) == '2026-01-02T03:04:05.6Z'",
    ]

    private static let gateway = [
        "auth.uid == path.user || 'admins' in auth.groups", "auth != null && auth.groups.exists(g, g.startsWith('adm'))",
        "'1' in request.query.a && request.query['a'][1] == '2' && !has(request.query.b)", "request.clientCertificate == null",
        "auth.token.department == 'sales' && auth.token.level == 3 && auth.token.level >= 2.5 && !has(auth.token.title)",
        "request.address.inNetwork('10.0.0.0/8') && !request.address.inNetwork('::/0') && request.address.inNetwork('10.1.2.3')",
        "ip('::ffff:10.0.0.1').inNetwork('10.0.0.0/8') && ip('2001:db8::1').inNetwork('2001:db8::/32') && request.address == ip('10.1.2.3')",
        "request.time - auth.time < duration('24h') && request.time > auth.time && request.time.getHours('+02:00') == 1",
        "request.headers['x-team'].lowerAscii() == 'blue' && request.method in ['GET', 'HEAD']", "auth == auth",
    ]

    @Test(arguments: values + errors + macros + strings + conversions + gateway)
    func holds(_ text: String) throws {
        let condition = try Condition(text, in: Sample.environment)
        #expect(try condition.holds(Sample.bindings))
        #expect(try condition.trace(Sample.bindings).result.get().description == "true")
    }

    struct Failing: Sendable, CustomTestStringConvertible {
        let text: String
        let reason: ConditionReason
        let part: String

        var testDescription: String { text }
    }

    private static let failing = [
        Failing(text: "auth.email == ''", reason: .noSuchField("email"), part: "email"),
        Failing(text: "auth.token.title == 'x'", reason: .noSuchKey("\"title\""), part: "title"),
        Failing(text: "request.query['b'][0] == ''", reason: .noSuchKey("\"b\""), part: "request.query['b']"),
        Failing(
            text: "request.clientCertificate.subject == ''", reason: .noSuchField("subject, because the object is null"), part: "subject"),
        Failing(
            text: "has(request.clientCertificate.subject)", reason: .noSuchField("subject, because the object is null"), part: "subject"),
        Failing(text: "auth.groups[2] == ''", reason: .indexOutOfRange("2"), part: "auth.groups[2]"),
        Failing(text: "auth.groups[-1] == ''", reason: .indexOutOfRange("-1"), part: "auth.groups[-1]"),
        Failing(text: "auth.groups[dyn(0.5)] == ''", reason: .indexOutOfRange("0.5"), part: "auth.groups[dyn(0.5)]"),
        Failing(text: "anything", reason: .unknown("anything"), part: "anything"),
        Failing(text: "auth.token.level", reason: .noOverload("the result is of type double, not bool"), part: "auth.token.level"),
        Failing(text: "false || auth.token.level", reason: .noOverload("the operand is not a bool"), part: "auth.token.level"),
        Failing(text: "auth.token.level < '3'", reason: .noOverload("double < string"), part: "auth.token.level < '3'"),
        Failing(text: "[1, 0].exists_one(x, 1 / x == 1)", reason: .divisionByZero, part: "1 / x"),
        Failing(text: "[1, 0].filter(x, 1 / x == 1) == []", reason: .divisionByZero, part: "1 / x"),
        Failing(text: "{'a': 1, dyn('a'): 2} == {}", reason: .duplicateKey("\"a\""), part: "dyn('a')"),
        Failing(text: "{dyn(1.5): 1} == {}", reason: .unsupportedKey("double"), part: "dyn(1.5)"),
        Failing(text: "ip(auth.uid) == ip('::1')", reason: .invalidValue("not an IP address: \"ada\""), part: "ip(auth.uid)"),
        Failing(
            text: "request.address.inNetwork(auth.uid)", reason: .invalidValue("not a network: \"ada\""),
            part: "request.address.inNetwork(auth.uid)"),
        Failing(
            text: "'a'.matches(auth.uid + '(')", reason: .invalidValue("invalid regular expression: missing ')', at position 3"),
            part: "'a'.matches(auth.uid + '(')"),
        Failing(
            text: "request.time.getHours('Mars/' + auth.uid) == 1", reason: .invalidValue("unknown time zone \"Mars/ada\""),
            part: "request.time.getHours('Mars/' + auth.uid)"),
        Failing(text: "int(auth.uid) == 1", reason: .invalidValue("\"ada\" cannot be converted to int"), part: "int(auth.uid)"),
    ]

    @Test("A failure has a reason and the part that caused it", arguments: failing)
    func fails(_ failing: Failing) throws {
        let condition = try Condition(failing.text, in: Sample.environment)
        let failure = #expect(throws: ConditionFailure.self) { try condition.holds(Sample.bindings) }
        #expect(failure?.reason == failing.reason)
        #expect(failure?.range.text(in: failing.text) == failing.part)
    }

    @Test("A name is looked up with its container, longest first, and alone")
    func container() throws {
        let environment = ConditionEnvironment(variables: [("a.b.x", .int), ("a.x", .int), ("x", .int), ("x.y", .int)], container: "a.b")
        let values: [ConditionValue?] = [.int(1), .int(2), .int(3), .int(4)]
        #expect(try Condition("x == 1 && .x == 3 && .a.x == 2 && .x.y == 4", in: environment).holds(values))
    }

    @Test("A message shows the type of a value that is not what its variable declares")
    func wrongObject() throws {
        let bindings: [ConditionValue?] = [.object(Sample.Fields("certificate", [.string("x")]))]
        let condition = try Condition("auth.uid == ''", in: Sample.environment)
        let failure = #expect(throws: ConditionFailure.self) { try condition.holds(bindings) }
        #expect(failure?.reason == .noOverload("certificate is not auth"))
    }
}

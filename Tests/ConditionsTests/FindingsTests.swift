import Testing

@testable import Conditions

/// What is known about an expression before it is evaluated, and what a trace shows.
struct FindingsTests {
    private func constants(_ text: String) throws -> [String] {
        try Condition(text, in: Sample.environment, expecting: nil).constants.map { constant in
            "\(constant.range.text(in: text)): \(constant.value)" + (constant.decidedBy.map { " by \($0.text(in: text))" } ?? "")
        }
    }

    @Test("Parts that are always true or always false are found, the outermost ones only")
    func constants() throws {
        #expect(try constants("count == 7").isEmpty)
        #expect(try constants("true") == ["true: true"])
        #expect(try constants("1 + 1 == 2") == ["1 + 1 == 2: true"])
        #expect(try constants("count == 7 || true") == ["count == 7 || true: true by true"])
        #expect(try constants("count == 7 && 'a' == 'b'") == ["count == 7 && 'a' == 'b': false by 'a' == 'b'"])
        #expect(try constants("count == 7 && 'a' == 'a'") == ["'a' == 'a': true"])
        #expect(try constants("count == 7 && !(1 > 2)") == ["!(1 > 2): true"])
        #expect(try constants("auth.groups.exists(g, true)") == ["true: true"])
        #expect(try constants("auth.uid in []") == ["auth.uid in []: false"])
        #expect(try constants("has(auth.uid) && count == 7") == ["has(auth.uid): true"])
        #expect(try constants("has(auth.email)").isEmpty)
        #expect(try constants("count == 7 ? count == 8 : false").isEmpty)
        #expect(try constants("1 == 1 ? count == 8 : false") == ["1 == 1: true"])
        #expect(try constants("[1, 2].all(x, x > 0)") == ["[1, 2].all(x, x > 0): true"])
        #expect(try constants("'abc'.matches('b') && timestamp('2026-01-01T00:00:00Z').getMonth('Europe/Paris') == 0").count == 1)
    }

    @Test("A part that cannot succeed is found")
    func certainFailures() throws {
        func parts(_ text: String) throws -> [String] {
            try Condition(text, in: Sample.environment, expecting: nil).certainFailures.map { $0.range.text(in: text) }
        }
        #expect(try parts("count == 1 / 0") == ["1 / 0"])
        #expect(try parts("auth.uid.matches('(')") == ["'('"])
        #expect(try parts("request.address.inNetwork('10.0.0.0/33')") == ["'10.0.0.0/33'"])
        #expect(try parts("request.time.getHours('Mars/Base') == 1") == ["'Mars/Base'"])
        #expect(try parts("request.time > timestamp('tomorrow')") == ["timestamp('tomorrow')"])
        #expect(try parts("auth.uid.matches('a') && count / 1 == 7").isEmpty)
    }

    @Test("The variables and fields that are read are known")
    func reads() throws {
        func reads(_ text: String) throws -> [String] {
            try Condition(text, in: Sample.environment, expecting: nil).reads.map { $0.joined(separator: " ") }.sorted()
        }
        #expect(try reads("auth.uid == path.user || 'a' in auth.groups") == ["auth groups", "auth uid", "path user"])
        #expect(try reads("request.query['a'][0] == '1' && has(auth.email)") == ["auth email", "request query a"])
        #expect(try reads("request.headers[auth.uid] == ''") == ["auth uid", "request headers"])
        #expect(try reads("auth.groups.exists(g, g == path.user)") == ["auth groups", "path user"])
        #expect(try reads("1 == 1 && type(1) == int").isEmpty)
        #expect(try reads("auth == null") == ["auth"])
        #expect(try reads("'a' in request.headers && 'b' in request.query['a']") == ["request headers a", "request query a"])
        #expect(try reads("('a' in request.headers) == ('b' in auth.groups)") == ["auth groups", "request headers a"])
    }

    @Test("A trace shows each part with its value, a part before its operands")
    func trace() throws {
        let text = "auth.uid == path.user && has(auth.email) || auth.token.level > 5"
        let trace = try Condition(text, in: Sample.environment).trace(Sample.bindings)
        let steps = trace.steps.map { step -> String in
            let result = step.result.map { result in
                switch result {
                case .success(let value): value.description
                case .failure(let failure): failure.reason.message
                }
            }
            return String(repeating: " ", count: step.depth) + step.range.text(in: text) + " = " + (result ?? "?")
        }
        #expect(
            steps == [
                "\(text) = false", " auth.uid == path.user && has(auth.email) = false", "  auth.uid == path.user = true",
                "   auth.uid = \"ada\"", "    auth = auth", "   path.user = \"ada\"", "    path = {\"user\": \"ada\"}",
                "  has(auth.email) = false", "   auth = auth", " auth.token.level > 5 = false", "  auth.token.level = 3.0",
                "   auth.token = {\"department\": \"sales\", \"level\": 3.0}", "    auth = auth",
            ])
    }

    @Test("A trace shows failures, and ends at its limit")
    func traceOfFailure() throws {
        let condition = try Condition("auth.email == '' || false", in: Sample.environment)
        let trace = condition.trace(Sample.bindings)
        guard case .failure(let failure)? = trace.steps.last(where: { $0.depth == 2 })?.result else {
            Issue.record("no failure in the trace")
            return
        }
        #expect(failure.reason == .noSuchField("email"))
        let long = try Condition(
            "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].all(a, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].all(b, [0, 1, 2, 3].all(c, a + b + c + count >= 0)))",
            in: Sample.environment)
        #expect(long.trace(Sample.bindings).steps.count == ConditionTrace.stepLimit)
        #expect(try long.trace(Sample.bindings).result.get().description == "true")
    }

    @Test("Values in logs are quoted and cut")
    func descriptions() {
        #expect(ConditionValue.string("a\"\\\n\u{1B}\u{202E}").description == "\"a\\\"\\\\\\n\\U0000001b\\U0000202e\"")
        #expect(ConditionValue.string(String(repeating: "x", count: 1_000)).description.utf8.count < 250)
        #expect(ConditionValue.list(Array(repeating: .int(1), count: 1_000)).description.utf8.count < 250)
    }
}

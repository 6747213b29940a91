import Testing

@testable import Runtime

@Suite("Own answers")
struct AnswerTests {
    @Test(
        "a header value with a control character is left out: it would end the line",
        arguments: [
            "a\r\nSet-Cookie: x=1", "a\nb", "a\u{0}b", "a\u{7F}",
        ])
    func injection(value: String) {
        var answer = Answer(status: 200)
        answer.add("Location", value)
        #expect(answer.headers.isEmpty)
    }

    @Test("readiness tells each check and its verdict")
    func readiness() {
        var readiness = Readiness(checks: [.init(name: "configuration", isPassing: true, isRequired: true, detail: "")])
        readiness.checks.append(.init(name: "provider oidc.a", isPassing: false, isRequired: false, detail: "no answer"))
        #expect(readiness.isReady)
        #expect(readiness.verboseText.contains("[-]provider oidc.a failed: no answer"))
        readiness.checks.append(.init(name: "upstream http://a", isPassing: true, isRequired: false, detail: "last error 3 s ago: 503"))
        #expect(readiness.verboseText.contains("[+]upstream http://a ok; last error 3 s ago: 503\n"))
        readiness.checks.append(.init(name: "shutdown", isPassing: false, isRequired: true, detail: "draining"))
        #expect(!readiness.isReady)
    }
}

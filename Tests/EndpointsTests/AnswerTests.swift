import Testing

@testable import Endpoints

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
}

import NIOCore
import Testing

@testable import Decisions

@Suite("Answers to other proxies")
struct QuestionAnswerTests {
    private func answer(_ dialect: QuestionDialect, _ status: Int, _ lines: String = "") -> String {
        let answer = QuestionAnswer(
            dialect, status: status, lines: lines, body: ByteBuffer(string: "body"), publicURL: "https://app.example.com")
        let fields = answer.fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        return "\(answer.status) [\(fields)] \(String(buffer: answer.body))"
    }

    @Test func `No status but those of the dialect, and never 200`() {
        for status in [200, 204, 302, 303, 400, 401, 403, 413, 421, 500, 502, 503] {
            #expect(
                QuestionAnswer(.nginx, status: status, lines: "", body: ByteBuffer(), publicURL: "").status == (status == 401 ? 401 : 403))
            for dialect in [QuestionDialect.forward, .envoy] {
                let given = QuestionAnswer(dialect, status: status, lines: "", body: ByteBuffer(), publicURL: "").status
                #expect(given == (status == 401 ? 401 : 403))
            }
        }
    }

    @Test func `nginx gets the address of the sign-in beside 401`() {
        let login = "https://app.example.com/_gateway/login?rd=%2Fa"
        #expect(
            answer(.nginx, 302, "Location: /_gateway/login?rd=%2Fa\r\nSet-Cookie: a=b\r\n")
                == "401 [Set-Cookie=a=b X-Gateway-Location=\(login) X-Gateway-Redirect=\(login)] ")
        #expect(
            answer(.nginx, 401, "Content-Type: application/json\r\nX-Gateway-Location: \(login)\r\n")
                == "401 [X-Gateway-Location=\(login)] ")
        #expect(answer(.nginx, 403, "X-Gateway-Location: \(login)\r\nLocation: /x\r\n") == "403 [] ")
    }

    @Test func `Browsers are redirected to an absolute address with 302`() {
        for status in [302, 303] {
            #expect(
                answer(.forward, status, "location: /_gateway/login\r\n")
                    == "302 [Location=https://app.example.com/_gateway/login] body")
        }
        #expect(answer(.envoy, 302, "Location: https://id.example.com/x\r\n") == "302 [Location=https://id.example.com/x] body")
        #expect(answer(.forward, 401, "Content-Type: text/html\r\nX-Gateway-Location: /x\r\n") == "401 [Content-Type=text/html] body")
        #expect(answer(.forward, 200, "Content-Type: text/html\r\n") == "403 [] ")
    }
}

import Decisions
import HTTPWire
import NIOCore
import Testing

@testable import Proxy

@Suite("Memory of requests")
struct SpareRequestsTests {
    private func edits() -> ResponseEdits {
        ResponseEdits(addedLines: ByteBuffer(string: "Set-Cookie: a=b\r\n"), isPrivate: false, cookies: GatewayCookieNames { _ in false })
    }

    private func filled(_ text: String = "POST / HTTP/1.1\r\nCookie: secret\r\n\r\n") -> ForwardedRequest {
        let request = ForwardedRequest(
            head: ByteBuffer(string: text), method: .post, framing: .chunked, bodyLimit: 7, response: edits(), acceptsTrailers: true,
            trailers: RequestTrailers(stripped: FoldedNameSet(names: [])))
        request.attempts.hasRepeated = true
        return request
    }

    @Test("A request that is over serves the next one, and nothing of it stays")
    func reuse() throws {
        let spares = SpareRequests()
        var spent: ForwardedRequest? = filled()
        let memory = spent.map { ObjectIdentifier($0) }
        spares.giveBack(&spent)
        #expect(spent == nil)
        let request = spares.take()
        #expect(ObjectIdentifier(request) == memory)
        #expect(request.head.readableBytes == 0)
        #expect(request.response === ResponseEdits.none)
        #expect(request.trailers == nil)
        request.become(head: "GET / HTTP/1.1\r\n\r\n".utf8.span.bytes, method: .get, framing: .none, bodyLimit: nil, response: edits())
        #expect(String(buffer: request.head) == "GET / HTTP/1.1\r\n\r\n")
        #expect(!request.acceptsTrailers)
        #expect(request.bodyLimit == nil)
        #expect(!request.attempts.hasRepeated)
        #expect(request.isRepeatable)
    }

    @Test("A request that somebody still holds is left to them")
    func held() throws {
        let spares = SpareRequests()
        let held = filled()
        var spent: ForwardedRequest? = held
        spares.giveBack(&spent)
        #expect(spent === held)
        #expect(spares.take() !== held)
        #expect(held.head.readableBytes > 0)
    }

    @Test("A head that is still being written keeps its bytes")
    func written() throws {
        let spares = SpareRequests()
        var spent: ForwardedRequest? = filled("GET /first HTTP/1.1\r\n\r\n")
        let onItsWay = spent?.head
        spares.giveBack(&spent)
        let request = spares.take()
        request.become(
            head: "GET /second HTTP/1.1\r\n\r\n".utf8.span.bytes, method: .get, framing: .none, bodyLimit: nil, response: edits())
        #expect(onItsWay.map { String(buffer: $0) } == "GET /first HTTP/1.1\r\n\r\n")
    }

    @Test("The memory of a long head is not kept, nor that of more requests than a busy loop needs")
    func bounded() throws {
        let spares = SpareRequests()
        var long: ForwardedRequest? = filled(String(repeating: "a", count: 64 * 1024))
        spares.giveBack(&long)
        #expect(spares.take().head.capacity <= 4 * 1024)
        for _ in 0..<64 {
            var spent: ForwardedRequest? = filled()
            spares.giveBack(&spent)
            #expect(spent == nil)
        }
        var tooMany: ForwardedRequest? = filled()
        spares.giveBack(&tooMany)
        #expect(tooMany != nil)
    }
}

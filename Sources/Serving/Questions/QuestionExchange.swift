import Decisions
import Exchanges
import ExtAuthz
import HTTPWire
import NIOCore
import Primitives

/// The request that another proxy asks about, as an exchange. Its response becomes the answer to the question.
final class QuestionExchange: Exchange {
    private(set) var dialect: QuestionDialect
    private let client: NetworkAddress?
    private var described: AskedHead?
    private let publicURL: String
    /// The exchange with the proxy; nil once it is answered or over.
    private var asked: Exchange?
    /// From the question to the end of its answer.
    private var isOpen = true
    private var parser = Question.makeParser()
    private var lines = ""
    private var body = ByteBuffer()

    init(_ question: Question, of asked: Exchange, publicURL: String) {
        dialect = question.dialect
        client = question.client
        described = question.asked
        self.publicURL = publicURL
        self.asked = asked
        super.init(
            eventLoop: asked.eventLoop, peer: question.client.map { PeerAddress($0) } ?? PeerAddress(nil), isSecure: question.isSecure)
        head = question.head
        record.startedAt = asked.record.startedAt
    }

    /// Reads the next question of the connection, with the memory of this one, which must be over.
    func next(_ asked: RequestHead, trusted: CIDRSet) throws(QuestionRefusal) -> Question {
        var memory = RequestHead()
        if !isOpen { swap(&memory, &head) }
        return try Question(asked, trusted: trusted, parser: &parser, memory: memory)
    }

    /// Whether it can stand for the next question of the connection, with what is known of its client.
    func isReusable(for next: Question) -> Bool {
        !isOpen && next.client == client && next.isSecure == isSecure
    }

    /// The next question of the connection.
    func begin(_ next: consuming Question, of asked: Exchange) {
        dialect = next.dialect
        described = next.asked
        head = next.head
        self.asked = asked
        isOpen = true
        lines = ""
        body.clear()
        status = 0
        delegate = nil
        record = ExchangeRecord()
        record.startedAt = asked.record.startedAt
        ticket &+= 1
    }

    /// The head with which the proxy asks.
    var askedHead: RequestHead { described?.head ?? asked?.head ?? RequestHead() }

    /// Answers that the request may pass. `lines` appends complete field lines.
    func letPass(lines: (inout LineBytes) -> Void) {
        guard status == 0, let asked = asked.take() else { return }
        status = 200
        guard dialect == .grpc else { return asked.respond(status: 200, body: ByteBuffer(), lines: lines) }
        var text = LineBytes()
        lines(&text)
        Self.send(CheckAnswer.permit(lines: String(decoding: text.bytes)), asked)
    }

    /// Sends a message as the response of a gRPC call.
    private static func send(_ message: ByteBuffer, _ asked: Exchange) {
        asked.sendHead(status: 200, reason: nil, framing: .stream, hasDate: false) { $0.put("content-type: application/grpc\r\n") }
        asked.sendBody(message)
        asked.sendEnd(trailers: ByteBuffer(string: "grpc-status: 0\r\n"))
        asked.flush()
    }

    /// Refuses a gRPC call that asks about no request.
    static func refuse(_ asked: Exchange, text: String) {
        var answer = QuestionAnswer(.grpc, status: 403, lines: "", body: ByteBuffer(string: text), publicURL: "")
        answer.fields = [("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store")]
        send(CheckAnswer.denied(answer), asked)
    }

    /// The proxy is gone or has its answer: work that comes back later changes nothing. False if that was known.
    func end(_ asked: Exchange) -> Bool {
        guard isOpen else { return false }
        isOpen = false
        self.asked = nil
        ticket &+= 1
        let startedAt = record.startedAt
        record = asked.record
        record.startedAt = startedAt
        return true
    }

    override func sendHead(
        status: Int, reason: RawSpan?, framing: ResponseFraming, hasDate: Bool, lines write: (inout LineBytes) -> Void
    ) {
        guard self.status == 0 else { return }
        self.status = status
        var lines = LineBytes()
        write(&lines)
        self.lines = String(decoding: lines.bytes)
    }

    override func sendBody(_ bytes: ByteBuffer) { body.writeImmutableBuffer(bytes) }

    override func sendEnd(trailers: ByteBuffer?) {
        guard let asked = asked.take() else { return }
        let answer = QuestionAnswer(dialect, status: status, lines: lines, body: body, publicURL: publicURL)
        status = answer.status
        guard dialect != .grpc else { return Self.send(CheckAnswer.denied(answer), asked) }
        asked.respond(status: answer.status, body: answer.body) { output in
            for (name, value) in answer.fields { output.put(text: "\(name): \(value)\r\n") }
        }
    }

    override func sendInterim(status: Int, lines: (inout LineBytes) -> Void) {}
    override func flush() {}
    override func abort() { asked.take()?.abort() }
    override func startBody(limit: Int?) { delegate?.exchangeReceivedEnd(self, trailers: nil) }
    override func pauseBody(_ isPaused: Bool) {}
    override func startTunnel() { abort() }
    override func closeAfterResponse() {}
    override var isWritable: Bool { true }
}

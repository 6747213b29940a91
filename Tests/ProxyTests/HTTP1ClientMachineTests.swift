import Exchanges
import HTTPWire
import NIOCore
import MachineTables
import Testing

@testable import Proxy

/// A machine with what its connection keeps for it.
private struct Machine: TestedMachine {
    var machine = HTTP1ClientMachine(limits: HeadLimits())
    var framing = BodyFraming.none

    mutating func start(_ framing: BodyFraming) -> String {
        // The pool gives out idle connections only.
        guard machine.isIdle else { return "" }
        self.framing = framing
        return machine.start() ? begin() : "waits"
    }

    mutating func begin() -> String { machine.begin(framing) ? "body follows" : "head only" }

    mutating func receive(_ text: String) -> String {
        var bytes = ByteBuffer(string: text)
        machine.inbox.take(&bytes)
        var steps: [String] = []
        do throws(WireError) {
            while try process(&steps) {}
        } catch {
            steps.append("invalid \(error.rawValue), \(fail(isEarlyClose: false))")
        }
        return steps.joined(separator: ", ")
    }

    /// True while progress is made.
    private mutating func process(_ steps: inout [String]) throws(WireError) -> Bool {
        switch try machine.next() {
        case .wait: return false
        case .waitForBody: steps.append("wait for the body")
        case .head:
            var head = ResponseHead()
            guard try machine.parseHead(&head, method: .get) else {
                steps.append("head begun")
                return false
            }
            steps.append("head \(head.status)")
            if head.status == 101 {
                steps.append(describe(machine.switchProtocols()))
            } else if head.isInterim {
                machine.interim(machine.client)
            } else {
                steps.append(describe(machine.beginResponse(head.framing, keepsAlive: head.keepsAlive, machine.client)))
            }
            machine.recycle(&head)
            return true
        case .part(let bytes):
            steps.append("part \(bytes.readableBytes)")
            return true
        case .end:
            let isReusable = machine.complete()
            if !isReusable { _ = machine.close() }
            steps.append(isReusable ? "end, kept" : "end, close")
        case .unexpected: steps.append("unexpected, \(fail(isEarlyClose: true))")
        }
        return false
    }

    mutating func fail(isEarlyClose: Bool) -> String {
        let failure = "\(machine.fail(isEarlyClose: isEarlyClose))".replacing("Proxy.RetryPolicy.Progress.", with: "")
        return "fail \(failure)\(machine.close() ? ", leaves the pool" : "")"
    }

    func describe(_ actions: HTTP1ClientActions) -> String {
        let names: [(HTTP1ClientActions, String)] = [
            (.setDeadline, "setDeadline"), (.clearDeadline, "clearDeadline"), (.resumeReading, "resumeReading"),
            (.reportWritability, "reportWritability"),
        ]
        return "[\(names.filter { actions.contains($0.0) }.map(\.1).joined(separator: " "))]"
    }

    var state: String {
        let response = "\(machine.response)".replacing("Proxy.HTTP1ClientMachine.Body.", with: "")
        let waiting = machine.inbox.isEmpty ? "" : " waiting"
        let client = machine.client == .full ? " full" : ""
        return "\(machine.link), request \(machine.request), response \(response), limit \(machine.limit)\(client)\(waiting)"
    }
}

private struct Event: MachineEvent {
    let name: String
    let run: @Sendable (inout Machine) -> String

    init(_ name: String, _ run: @escaping @Sendable (inout Machine) -> String) {
        self.name = name
        self.run = run
    }

    private static func receive(_ name: String, _ text: String) -> Event { Event("receive \(name)") { $0.receive(text) } }

    static let startHead = Event("start without a body") { $0.start(.none) }
    static let startLength = Event("start with a length") { $0.start(.length(5)) }
    static let startChunks = Event("start with chunks") { $0.start(.chunked) }
    static let open = Event("open") {
        // A channel opens once.
        guard !$0.machine.wasOpened else { return "" }
        return $0.machine.open() ? $0.begin() : "close"
    }
    static let part = Event("part") { "\($0.machine.sendPart(3))" }
    static let emptyPart = Event("empty part") { "\($0.machine.sendPart(0))" }
    static let endRequest = Event("end of the request") { "\($0.machine.endRequest(hasUnsent: true))" }
    static let endSentRequest = Event("end of the request, all sent") { "\($0.machine.endRequest(hasUnsent: false))" }
    static let send = Event("send") { "\($0.machine.send())" }
    static let half = receive("half a head", "HTTP/1.1 20")
    static let rest = receive("the rest", "0 OK\r\nContent-Length: 0\r\n\r\n")
    static let interim = receive("103", "HTTP/1.1 103 Early Hints\r\n\r\n")
    static let whole = receive("a whole response", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    static let tooMany = receive("a byte too many", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok!")
    static let last = receive("the last response", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
    static let length = receive("a head with a length", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
    static let chunks = receive("a head with chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    static let untilClose = receive("a head until close", "HTTP/1.1 200 OK\r\n\r\n")
    static let switching = receive("101", "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: a\r\n\r\n")
    static let bytes = receive("bb", "bb")
    static let chunk = receive("a chunk and the last", "1\r\nc\r\n0\r\n\r\n")
    static let nonsense = receive("nonsense", "@\r\n\r\n")
    static let full = Event("client full") { $0.describe($0.machine.clientChanged(.full)) }
    static let ready = Event("client ready") { $0.describe($0.machine.clientChanged(.ready)) }
    static let read = Event("read") { $0.machine.mayRead() ? "now" : "held" }
    static let outputFull = Event("output full") { $0.describe($0.machine.outputChanged(isWritable: false)) }
    static let outputWritable = Event("output writable") { $0.describe($0.machine.outputChanged(isWritable: true)) }
    static let flush = Event("flush") { "\($0.machine.takeDelivery())" }
    static let clientGone = Event("client disconnects") { $0.machine.close() ? "leaves the pool" : "close" }
    static let error = Event("reset") { $0.fail(isEarlyClose: true) }
    static let inputEnded = Event("upstream closes") {
        switch $0.machine.inputEnded() {
        case .nothing: ""
        case .unused: $0.machine.close() ? "leaves the pool" : "close"
        case .complete: "end, \($0.machine.complete() ? "kept" : $0.machine.close() ? "leaves the pool" : "close")"
        case .truncated: $0.fail(isEarlyClose: true)
        }
    }
    static let deadline = Event("deadline") {
        switch $0.machine.deadlineExpired() {
        case .none: ""
        case .keepAlive: $0.machine.close() ? "leaves the pool" : "close"
        case .connect, .response, .body: $0.fail(isEarlyClose: false)
        }
    }

    static let all = [
        startHead, startLength, startChunks, open, part, emptyPart, endRequest, endSentRequest, send, half, rest, interim, whole, tooMany,
        last, length, chunks, untilClose, switching, bytes, chunk, nonsense, full, ready, read, outputFull, outputWritable, flush,
        clientGone, error, inputEnded, deadline,
    ]
}

/// The states by the events that lead to them.
private let states: [(name: String, events: [Event])] = [
    ("opening, no request", []),
    ("opening", [.startHead]),
    ("opened, not sent", [.startHead, .open]),
    ("sent", sent),
    ("body not sent", [.startLength, .open]),
    ("body not sent, complete", [.startLength, .open, .part, .endRequest]),
    ("body in parts", [.startLength, .open, .send]),
    ("body in parts, output full", [.startLength, .open, .send, .outputFull]),
    ("chunks in parts", [.startChunks, .open, .send]),
    ("last chunk not sent", [.startChunks, .open, .send, .endRequest]),
    ("half a head", sent + [.half]),
    ("after 103", sent + [.interim]),
    ("body of a length", sent + [.length]),
    ("body of a length, client full", sent + [.length, .full, .read]),
    ("body in chunks", sent + [.chunks]),
    ("body until close", sent + [.untilClose]),
    ("answered early", [.startLength, .open, .send, .length]),
    ("tunnel", sent + [.switching]),
    ("tunnel, client full", sent + [.switching, .full, .read]),
    ("idle", sent + [.whole]),
    ("used again, not sent", sent + [.whole, .startHead]),
    ("used again, sent", sent + [.whole, .startHead, .send]),
    ("closed", [.startHead, .open, .clientGone]),
    ("closed while opening", [.startHead, .clientGone]),
]

private let sent: [Event] = [.startHead, .open, .send]

private let table = MachineTable(states, quiet: ["", "drop", "nothing", "[]"]) { Machine() }

@Suite("The machine of HTTP/1.1 connections to upstreams")
struct HTTP1ClientMachineTests {
    @Test("every event in every state does what the table says")
    func differences() throws {
        for difference in try table.differences(from: "proxy/http1-machine.txt") { Issue.record("\(difference)") }
    }

    @Test("in every state that can be reached, however long the way, each event keeps the rules of RFC 9112")
    func invariants() {
        let count = table.explore { before, event, result, after in
            check(before.machine, after.machine, "\(event.name) in \(before.state): \(result) → \(after.state)", result)
        } isWorthIt: { next, _ in
            // More of the same in the inbox is no other state.
            next.machine.inbox.count < 100
        }
        #expect(count > 60)
    }

    private func check(_ before: HTTP1ClientMachine, _ after: HTTP1ClientMachine, _ step: String, _ result: String) {
        // An end is final.
        if before.isClosed { #expect(after.isClosed && !result.contains("Deadline"), "\(step)") }
        // Only a whole exchange is followed by another, and nothing is left of it.
        if before.isServing, after.isIdle { #expect(before.request == .sent && after.inbox.isEmpty && after.link == .kept, "\(step)") }
        // Nothing is a response before the request was sent.
        if before.isUnsent, before.awaitsHead { #expect(!result.contains("head 2"), "\(step)") }
        // A request of which something was answered is never repeated.
        if case .begun = before.response, result.contains("unanswered") { #expect(result.contains("answered(answered)"), "\(step)") }
        // A connection without a request has a limit, but for one whose channel is not open; a tunnel and a closed one have none.
        if after.isIdle, after.wasOpened, !result.hasPrefix("close"), !before.isIdle { #expect(after.limit == .keepAlive, "\(step)") }
        if after.isTunnel || after.isClosed { #expect(after.limit == .none, "\(step)") }
    }
}

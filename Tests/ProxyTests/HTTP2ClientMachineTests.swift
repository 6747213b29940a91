import Exchanges
import HTTPWire
import MachineTables
import Testing

@testable import Proxy

/// A machine with what its stream keeps for it.
private struct Machine: TestedMachine {
    var machine = HTTP2ClientMachine()
    /// The exchange is still the stream's.
    var hasExchange = true

    mutating func fields(isLast: Bool, _ head: (inout Machine) throws(WireError) -> String) -> String {
        attempt { (own) throws(WireError) in
            switch try own.machine.receiveFields(isLast: isLast) {
            case .drop: return ""
            case .head: return try head(&own)
            case .trailers: return "trailers, \(try own.end())"
            }
        }
    }

    mutating func head(_ framing: ResponseFraming, isLast: Bool) -> String {
        fields(isLast: isLast) { (own) throws(WireError) in
            let framing = try own.machine.checkedFraming(framing, isLast: isLast)
            switch own.machine.beginResponse(framing, isLast: isLast, own.machine.client) {
            case .drop: return "head, dropped"
            case .body(let actions): return "head \(framing)\(own.describe(actions))"
            case .whole: return "head \(framing), \(try own.end())"
            }
        }
    }

    mutating func interim(isLast: Bool) -> String {
        fields(isLast: isLast) { (own) throws(WireError) in
            try own.machine.receiveInterim(isLast: isLast, most: 2)
            own.machine.sentInterim(own.machine.client)
            return "interim"
        }
    }

    mutating func data(_ count: Int, isLast: Bool) -> String {
        attempt { (own) throws(WireError) in
            switch try own.machine.receive(count) {
            case .drop: return ""
            case .close:
                own.machine.close()
                return "close"
            case .take: break
            }
            let part = count > 0 ? "part \(count)\(own.describe(own.machine.sentOn()))" : "empty"
            return isLast ? "\(part), \(try own.end())" : part
        }
    }

    private mutating func end() throws(WireError) -> String {
        let closes = try machine.end()
        hasExchange = false
        return closes ? "end, reset" : "end"
    }

    private mutating func attempt(_ work: (inout Machine) throws(WireError) -> String) -> String {
        do throws(WireError) {
            return try work(&self)
        } catch {
            return "invalid \(error.rawValue), \(fail(.answered))"
        }
    }

    mutating func fail(_ progress: RetryPolicy.Progress) -> String {
        let failure = "\(machine.fail(progress))".replacing("Proxy.RetryPolicy.Progress.", with: "")
        defer { hasExchange = false }
        guard hasExchange else { return "" }
        return "fail \(failure)\(machine.hasBodyBegun ? ", body begun" : "")"
    }

    func describe(_ actions: HTTP2ClientActions) -> String {
        let names: [(HTTP2ClientActions, String)] = [
            (.setDeadline, "setDeadline"), (.clearDeadline, "clearDeadline"), (.resumeReading, "resumeReading"),
            (.reportWritability, "reportWritability"),
        ]
        let text = names.filter { actions.contains($0.0) }.map(\.1).joined(separator: " ")
        return text.isEmpty ? "" : " [\(text)]"
    }

    var state: String {
        let client = machine.client == .full ? " full" : ""
        let held = machine.isReadHeld ? " held" : ""
        let response = "\(machine.response)".replacing("Optional(", with: "").replacing("))", with: ")")
        return "request \(machine.request), response \(response), limit \(machine.limit)\(client)\(held)\(hasExchange ? "" : ", detached")"
    }
}

private struct Event: MachineEvent {
    let name: String
    let run: @Sendable (inout Machine) -> String

    init(_ name: String, _ run: @escaping @Sendable (inout Machine) -> String) {
        self.name = name
        self.run = run
    }

    private static func begin(_ name: String, _ framing: BodyFraming) -> Event {
        Event(name) {
            // A stream that has lost its exchange does not begin.
            guard $0.hasExchange else { return "" }
            switch $0.machine.begin(framing, reads: 7) {
            case .drop: return ""
            case .head: return "head only"
            case .headAndBody: return "body follows"
            }
        }
    }

    static let beginHead = begin("begin without a body", .none)
    static let beginBody = begin("begin with a body", .chunked)
    static let part = Event("part of the request") { $0.describe($0.machine.sentPart()) }
    static let endRequest = Event("end of the request") {
        guard $0.machine.endRequest() else { return "" }
        $0.machine.wrote()
        return "end\($0.describe($0.machine.wroteEnd()))"
    }
    static let flush = Event("flush of the request") { $0.machine.flush() ? "flush" : "" }
    static let outputFull = Event("output full") { $0.describe($0.machine.outputChanged(isWritable: false)) }
    static let outputWritable = Event("output writable") { $0.describe($0.machine.outputChanged(isWritable: true)) }
    static let interim = Event("HEADERS 103") { $0.interim(isLast: false) }
    static let lastInterim = Event("HEADERS 103 with END_STREAM") { $0.interim(isLast: true) }
    static let head = Event("HEADERS 200") { $0.head(.stream, isLast: false) }
    static let lastHead = Event("HEADERS 200 with END_STREAM") { $0.head(.stream, isLast: true) }
    static let lengthHead = Event("HEADERS with a length of 4") { $0.head(.length(4), isLast: false) }
    static let lastLengthHead = Event("HEADERS with a length of 4 and END_STREAM") { $0.head(.length(4), isLast: true) }
    static let emptyHead = Event("HEADERS 204") { $0.head(.none, isLast: false) }
    static let data = Event("DATA of 2 bytes") { $0.data(2, isLast: false) }
    static let lastData = Event("DATA of 2 bytes with END_STREAM") { $0.data(2, isLast: true) }
    static let largeData = Event("DATA of 9 bytes") { $0.data(9, isLast: false) }
    static let emptyData = Event("empty DATA with END_STREAM") { $0.data(0, isLast: true) }
    static let readComplete = Event("read complete") { $0.machine.takeDelivery() ? "flush" : "" }
    static let read = Event("read") { $0.machine.mayRead() ? "now" : "held" }
    static let full = Event("client full") { $0.describe($0.machine.clientChanged(.full)) }
    static let ready = Event("client ready") { $0.describe($0.machine.clientChanged(.ready)) }
    static let clientGone = Event("client disconnects") {
        guard $0.hasExchange else { return "" }
        $0.hasExchange = false
        $0.machine.close()
        return "reset"
    }
    static let reset = Event("RST_STREAM") { $0.fail(.answered) }
    static let refused = Event("RST_STREAM with REFUSED_STREAM") { $0.fail(.unprocessed) }
    static let closed = Event("the connection closes") { $0.fail(.keptConnectionClosed) }
    static let leave = Event("leave") { $0.machine.leave() ? "leaves" : "" }
    static let deadline = Event("deadline") {
        switch $0.machine.deadlineExpired(reads: 8) {
        case .nothing: ""
        case .response(let isSilent): "late response\(isSilent ? ", silent" : ""), \($0.fail(.answered))"
        case .body(let isSilent): "late body\(isSilent ? ", silent" : ""), \($0.fail(.answered))"
        }
    }
    static let silentDeadline = Event("deadline after no read") {
        switch $0.machine.deadlineExpired(reads: 7) {
        case .nothing: ""
        case .response(let isSilent): "late response\(isSilent ? ", silent" : ""), \($0.fail(.answered))"
        case .body(let isSilent): "late body\(isSilent ? ", silent" : ""), \($0.fail(.answered))"
        }
    }

    static let all = [
        beginHead, beginBody, part, endRequest, flush, outputFull, outputWritable, interim, lastInterim, head, lastHead, lengthHead,
        lastLengthHead, emptyHead, data, lastData, largeData, emptyData, readComplete, read, full, ready, clientGone, reset, refused,
        closed, leave, deadline, silentDeadline,
    ]
}

/// The states by the events that lead to them.
private let states: [(name: String, events: [Event])] = [
    ("idle", []),
    ("idle, the client is gone", [.clientGone]),
    ("half-closed (local)", [.beginHead]),
    ("open", [.beginBody]),
    ("open, output full", [.beginBody, .outputFull]),
    ("open, client full", [.beginBody, .full, .read]),
    ("half-closed (local) after a body", [.beginBody, .part, .endRequest]),
    ("after 103", [.beginHead, .interim]),
    ("after 103 twice", [.beginHead, .interim, .interim]),
    ("open, answered early", [.beginBody, .head]),
    ("body", [.beginHead, .head]),
    ("body with parts", [.beginHead, .head, .data]),
    ("body of a length", [.beginHead, .lengthHead]),
    ("body of a length, half of it", [.beginHead, .lengthHead, .data]),
    ("body, client full", [.beginHead, .head, .full]),
    ("body, client full, a read is held", [.beginHead, .head, .full, .read]),
    ("half-closed (remote)", [.beginBody, .lastHead]),
    ("closed, whole", [.beginHead, .lastHead]),
    ("closed, the client is gone", [.beginBody, .clientGone]),
    ("closed, failed", [.beginBody, .reset]),
    ("left", [.beginHead, .lastHead, .leave]),
]

private let table = MachineTable(states, quiet: [""]) { Machine() }

@Suite("The machine of HTTP/2 streams to upstreams")
struct HTTP2ClientMachineTests {
    @Test("every event in every state does what the table says")
    func differences() throws {
        for difference in try table.differences(from: "proxy/http2-machine.txt") { Issue.record("\(difference)") }
    }

    @Test("in every state that can be reached, however long the way, each event keeps the rules of RFC 9113 sections 5.1 and 8.1")
    func invariants() {
        let count = table.explore { before, event, result, after in
            check(before, after, "\(event.name) in \(before.state): \(result) → \(after.state)", result)
        }
        #expect(count > 60)
    }

    private func check(_ before: Machine, _ after: Machine, _ step: String, _ result: String) {
        let machine = after.machine
        // An end is final, and no limit runs after it.
        if before.machine.isClosed { #expect(machine.isClosed && !result.contains("Deadline"), "\(step)") }
        if machine.isClosed { #expect(machine.limit == .none, "\(step)") }
        // The stream is closed as soon as it has no exchange.
        if !after.hasExchange { #expect(machine.isClosed, "\(step)") }
        // A request that is not whole ends with a reset, so that the upstream does not wait for the rest (section 8.1).
        if result.hasSuffix(", end") { #expect(before.machine.isRequestSent, "\(step)") }
        if result.hasSuffix(", end, reset") { #expect(!before.machine.isRequestSent, "\(step)") }
        // A request of which something was answered is never repeated.
        if case .awaited(let count) = before.machine.response, count > 0, result.contains("unanswered") {
            #expect(result.contains("unanswered(answered)"), "\(step)")
        }
        if case .body = before.machine.response { #expect(!result.contains("unanswered"), "\(step)") }
        // A whole request waits for its answer with a limit, and a body does while the client takes it.
        if machine.awaitsHead, machine.isRequestSent { #expect(machine.limit == .response || result.contains("writable"), "\(step)") }
        if case .body = machine.response { #expect((machine.limit == .body) == (machine.client == .ready), "\(step)") }
        // Nothing is read for a client that takes no more, and a held read happens once it does.
        if result == "now", machine.isServing { #expect(machine.client == .ready, "\(step)") }
        if before.machine.isReadHeld, before.machine.client == .full, machine.client == .ready {
            #expect(result.contains("resumeReading"), "\(step)")
        }
    }
}

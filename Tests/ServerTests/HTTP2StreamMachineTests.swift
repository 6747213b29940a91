import Exchanges
import HTTPWire
import NIOCore
import MachineTables
import Testing

@testable import Server

/// A machine with what its stream keeps for it. A request that is refused gets no answer here: the next event may be one.
private struct Machine: TestedMachine {
    var machine = HTTP2StreamMachine()
    /// The exchanges that have begun and ended, at most one of each.
    var begun = 0
    var finished = 0

    /// The connection creates the stream with its head, and only then.
    mutating func begin(_ framing: BodyFraming, isEnd: Bool) -> String {
        guard begun == 0, !machine.isClosed else { return "" }
        begun += 1
        machine.begin(framing, isEnd: isEnd)
        return "begin"
    }

    mutating func refuse(isEnd: Bool) -> String {
        guard begun == 0, !machine.isClosed else { return "" }
        begun += 1
        machine.refuse(isEnd: isEnd)
        return "refuse"
    }

    /// The codec passes on frames of streams that are open or half-closed (local), and of no others.
    private var mayReceive: Bool { begun > 0 && !machine.isClosed && machine.mayBeSentMore }

    mutating func receive(_ count: Int, padding: Int? = nil, isEnd: Bool) -> String {
        guard mayReceive else { return "" }
        var bytes = ByteBuffer(repeating: 0x62, count: count)
        return receipt(machine.receive(&bytes, padding: padding, isEnd: isEnd))
    }

    mutating func receive(trailers: ByteBuffer?, isEnd: Bool) -> String {
        guard mayReceive else { return "" }
        return receipt(machine.receive(trailers: trailers, isEnd: isEnd))
    }

    private mutating func receipt(_ receipt: HTTP2StreamMachine.Receipt) -> String {
        switch receipt {
        case .wanted: "wanted, \(deliver())"
        case .unwanted: "unwanted\(endIfComplete())"
        case .malformed: "malformed, \(close())"
        }
    }

    mutating func deliver() -> String {
        guard machine.beginBurst() else { return "busy" }
        var steps: [String] = []
        loop: while true {
            switch machine.next(at: 0) {
            case .wait:
                steps.append("wait")
                break loop
            case .part(let bytes): steps.append("part \(bytes.readableBytes)\(machine.gavePart() ? ", first" : "")")
            case .end(let trailers, let actions): steps.append("end\(trailers == nil ? "" : " with trailers")\(execute(actions))")
            case .tooLarge(let count):
                steps.append("too large \(count)" + (machine.refusesBody ? ", refused" : ", abort\(execute(machine.abort()))"))
            }
        }
        machine.endBurst()
        return steps.joined(separator: ", ") + endIfComplete()
    }

    mutating func part(_ part: HTTP2StreamMachine.Part, _ count: Int = 0) -> String {
        switch part {
        case .drop: return ""
        case .abort: return "abort\(execute(machine.abort()))"
        case .take: break
        }
        machine.wrote(count)
        return "take\(execute(machine.checkOutput(collected: 0)))"
    }

    mutating func end() -> String {
        switch machine.endResponse() {
        case .drop: return ""
        case .abort: return "abort\(execute(machine.abort()))"
        case .take: break
        }
        finished += 1
        let actions = machine.wroteEnd(.sendable)
        return "end\(execute(actions))\(endIfComplete())"
    }

    /// The codec says of how many bytes it has sent them, and the last frame is one of them once the response is whole.
    mutating func sent(_ count: Int) -> String {
        var isEnd = false
        if case .sent = machine.response { isEnd = count == machine.unsent }
        guard count > 0 && count <= machine.unsent || isEnd else { return "" }
        return execute(machine.sent(count, isEnd: isEnd, collected: 0, at: 0)) + endIfComplete()
    }

    /// The codec closes a stream that both sides have ended.
    private mutating func endIfComplete() -> String {
        guard case .sent = machine.response, machine.unsent == 0, !machine.mayBeSentMore else { return "" }
        return ", complete: \(close())"
    }

    mutating func close() -> String {
        guard case .closed(let unread, let actions) = machine.close() else { return "closed before" }
        return "closed, \(unread) unread\(execute(actions))"
    }

    mutating func execute(_ actions: HTTP2StreamActions) -> String {
        if actions.contains(.reportFinished) { finished += 1 }
        let names = HTTP2StreamActions.names.filter { actions.contains($0.0) }.map(\.1)
        var text = names.isEmpty ? "" : " [" + names.joined(separator: " ") + "]"
        if actions.contains(.deliver) { text += ": " + deliver() }
        if !actions.isDisjoint(with: [.resetBroken, .resetAnswered]), !machine.isClosed { text += ": " + close() }
        return text
    }

    var state: String {
        let body = "\(machine.request) \(machine.body.delivery)\(machine.body.missing.map { " missing \($0)" } ?? "")"
        let limit = if case .body = machine.limit { "body" } else { "\(machine.limit)" }
        let waiting = machine.inbox.isEmpty ? "" : " waiting"
        let ended = machine.inbox.isEnded ? " ended" : ""
        let full = machine.output == .full ? " full" : ""
        let unsent = machine.unsent > 0 ? " unsent" : ""
        let used = machine.window.open <= 100_000 ? " window used" : ""
        let response = "\(machine.response)".replacing("Server.HTTP2StreamMachine.Framing.", with: "")
        return "\(begun == 0 ? "new, " : "")\(body), response \(response), limit \(limit)\(waiting)\(ended)\(full)\(unsent)\(used)"
    }
}

extension HTTP2StreamActions {
    fileprivate static let names: [(Self, String)] = [
        (.setDeadline, "setDeadline"), (.clearDeadline, "clearDeadline"), (.sendContinue, "sendContinue"), (.reportEnd, "reportEnd"),
        (.deliver, "deliver"), (.noteAborted, "noteAborted"), (.writeOut, "writeOut"), (.flush, "flush"), (.sendNow, "sendNow"),
        (.reportWritable, "reportWritable"), (.reportFull, "reportFull"), (.reportClosed, "reportClosed"),
        (.reportFinished, "reportFinished"), (.answerLate, "answerLate"), (.resetBroken, "resetBroken"), (.resetAnswered, "resetAnswered"),
    ]
}

private struct Event: MachineEvent {
    let name: String
    let run: @Sendable (inout Machine) -> String

    init(_ name: String, _ run: @escaping @Sendable (inout Machine) -> String) {
        self.name = name
        self.run = run
    }

    private static func head(_ name: String, _ status: Int, _ framing: ResponseFraming) -> Event {
        Event(name) {
            switch $0.machine.beginResponse(status: status, framing) {
            case .drop: ""
            case .abort: "abort\($0.execute($0.machine.abort()))"
            case .take: "take"
            }
        }
    }

    static let get = Event("HEADERS with END_STREAM") { $0.begin(.none, isEnd: true) }
    static let post = Event("HEADERS") { $0.begin(.chunked, isEnd: false) }
    static let length = Event("HEADERS with a length of 4") { $0.begin(.length(4), isEnd: false) }
    static let refuse = Event("refused HEADERS") { $0.refuse(isEnd: false) }
    static let data = Event("DATA of 2 bytes") { $0.receive(2, isEnd: false) }
    static let lastData = Event("DATA of 2 bytes with END_STREAM") { $0.receive(2, isEnd: true) }
    static let largeData = Event("DATA of 9 bytes") { $0.receive(9, isEnd: false) }
    static let emptyData = Event("empty DATA with END_STREAM") { $0.receive(0, isEnd: true) }
    static let trailers = Event("trailers") { $0.receive(trailers: ByteBuffer(string: "a: b\r\n"), isEnd: true) }
    static let openTrailers = Event("trailers without END_STREAM") { $0.receive(trailers: ByteBuffer(string: "a: b\r\n"), isEnd: false) }
    static let badTrailers = Event("malformed trailers") { $0.receive(trailers: nil, isEnd: true) }
    static let passedOn = Event("passedOn") { $0.machine.passedOn() ? "read complete" : "" }
    static let startBody = Event("startBody") { $0.execute($0.machine.startBody(limit: 5, expectsContinue: true, at: 0)) }
    static let pause = Event("pause") { $0.execute($0.machine.pause(true, at: 0)) }
    static let resume = Event("resume") { $0.execute($0.machine.pause(false, at: 0)) }
    static let lengthHead = head("head of 5 bytes", 200, .length(5))
    static let streamHead = head("head of a stream", 200, .stream)
    static let emptyHead = head("head without a body", 204, .none)
    static let switching = head("head 101", 101, .none)
    static let small = Event("part of 3 bytes") { $0.part($0.machine.sendPart(3), 3) }
    static let large = Event("part of 70,000 bytes") { $0.part($0.machine.sendPart(70_000), 70_000) }
    static let end = Event("end") { $0.end() }
    static let sentSome = Event("1 byte was sent") { $0.sent(1) }
    static let sentMost = Event("40,000 bytes were sent") { $0.sent(40_000) }
    static let sentAll = Event("all was sent") { $0.sent($0.machine.unsent) }
    static let failed = Event("all has failed") {
        guard $0.machine.unsent > 0 else { return "" }
        $0.machine.failed($0.machine.unsent)
        return $0.machine.isClosed ? "" : $0.execute($0.machine.abort())
    }
    static let abort = Event("abort") { $0.execute($0.machine.abort()) }
    static let deadline = Event("deadline") { $0.execute($0.machine.deadlineExpired()) }
    static let close = Event("close") { $0.close() }
    static let padding = Event("DATA with 199,999 bytes of padding") { $0.receive(0, padding: 199_999, isEnd: false) }
    static let credit = Event("credit") { $0.machine.credit().map { "\($0)" } ?? "" }

    static let all = [
        get, post, length, refuse, data, lastData, largeData, emptyData, trailers, openTrailers, badTrailers, passedOn, startBody, pause,
        resume, lengthHead, streamHead, emptyHead, switching, small, large, end, sentSome, sentMost, sentAll, failed, abort, deadline,
        close,
        padding, credit,
    ]
}

/// The states by the events that lead to them.
private let states: [(name: String, events: [Event])] = [
    ("idle", []),
    ("half-closed (remote), pending", [.get]),
    ("half-closed (remote), streaming a length", [.get, .lengthHead]),
    ("half-closed (remote), streaming", [.get, .streamHead]),
    ("half-closed (remote), streaming, full", [.get, .streamHead, .large]),
    ("half-closed (remote), sent, not all has left", [.get, .streamHead, .large, .end]),
    ("open, refused", [.refuse]),
    ("open, body unwanted", [.post]),
    ("open, body unwanted and paused", [.post, .pause]),
    ("open, body unwanted and waiting", [.post, .data]),
    ("open, body", [.post, .startBody]),
    ("open, body with parts", [.post, .startBody, .data]),
    ("open, body paused", [.post, .startBody, .pause]),
    ("open, body paused and waiting", [.post, .startBody, .pause, .data]),
    ("open, body of a length", [.length, .startBody]),
    ("open, body of a length, half of it", [.length, .startBody, .data]),
    ("open, body complete", [.post, .startBody, .lastData]),
    ("open, trailers wait", [.post, .trailers]),
    ("open, streaming beside the body", [.post, .startBody, .streamHead]),
    ("open, full beside the body", [.post, .startBody, .streamHead, .large]),
    ("open, full beside the body that is complete", [.post, .startBody, .streamHead, .large, .emptyData]),
    ("open, sent, not all has left", [.post, .startBody, .streamHead, .small, .end]),
    ("half-closed (local), body refused late", [.post, .startBody, .largeData, .emptyHead, .end]),
    ("open, body, window used", [.post, .startBody, .padding]),
    ("half-closed (local)", [.post, .emptyHead, .end]),
    ("closed", [.get, .close]),
    ("closed with a body", [.post, .startBody, .data, .close]),
]

private let table = MachineTable(states, quiet: [""]) { Machine() }

@Suite("The machine of HTTP/2 streams")
struct HTTP2StreamMachineTests {
    @Test("every event in every state does what the table says")
    func differences() throws {
        for difference in try table.differences(from: "server/http2-stream-machine.txt") { Issue.record("\(difference)") }
    }

    @Test("in every state that can be reached, however long the way, each event keeps the rules of RFC 9113 sections 5.1 and 8.1")
    func invariants() {
        let count = table.explore(check) { next, _ in
            // More of the same in the inbox or in the codec is no other state.
            next.machine.inbox.count < 50 && next.machine.unsent < 200_000 && next.machine.window.open >= 0
        }
        #expect(count > 150)
    }

    private func check(_ before: Machine, _ event: Event, _ result: String, _ after: Machine) {
        let step = "\(event.name) in \(before.state): \(result) → \(after.state)"
        let machine = after.machine
        // Each request is answered or ends with its stream, once.
        #expect(after.begun - after.finished == (machine.isAnswering ? 1 : 0), "\(step)")
        // An end is final, and nothing runs or waits after it.
        if before.machine.isClosed { #expect(machine.isClosed && !result.contains("Deadline"), "\(step)") }
        if machine.isClosed {
            if case .none = machine.limit, machine.inbox.isEmpty {} else { Issue.record("left over: \(step)") }
        }
        // Nothing of the body is delivered once it is complete, or unless it is wanted.
        if before.machine.request == .complete { #expect(!result.contains("part ") && !result.contains("end with trailers"), "\(step)") }
        // A deadline is set when a limit begins.
        if case .none = machine.limit { #expect(!result.hasSuffix("[setDeadline]"), "\(step)") }
        // What waits for the client, and may wait for ever, has a limit: a response that it does not take, else a body that is wanted.
        if case .sent = machine.response {
            if case .write = machine.limit {} else { Issue.record("no limit: \(step)") }
        } else if machine.isAnswering, machine.output == .full {
            if case .write = machine.limit {} else { Issue.record("no limit: \(step)") }
        } else if machine.isBodyAwaited, event.name != Event.deadline.name {
            if case .body = machine.limit {} else { Issue.record("no limit: \(step)") }
        } else if case .body = machine.limit {
            Issue.record("a limit without a body: \(step)")
        }
        // Both sides have ended: so has the stream.
        if case .sent = machine.response, machine.unsent == 0, !machine.mayBeSentMore { Issue.record("not closed: \(step)") }
        // The client gets no more of the window once it has ended its body or the stream; before, no more than it has used.
        var credited = machine
        guard let credit = credited.credit() else { return }
        #expect(!machine.isClosed && !machine.inbox.isEnded && credit >= machine.window.size / 2, "\(step)")
        #expect(credited.window.open + machine.inbox.count == machine.window.size, "\(step)")
    }
}

import Primitives
import Exchanges
import HTTPWire
import NIOCore
import MachineTables
import Testing

@testable import Server

/// A machine with what its connection keeps for it.
private struct Machine: TestedMachine {
    var machine = HTTP1ServerMachine(limits: HeadLimits())
    var head = RequestHead()
    /// The exchanges that have begun and ended.
    var begun = 0
    var finished = 0

    /// What an event returned, with all that follows from it inside the machine.
    mutating func run(_ event: Event) -> String { event.run(&self) }

    mutating func receive(_ text: String) -> String {
        var bytes = ByteBuffer(string: text)
        guard machine.receive(&bytes) else { return "thrown away" }
        return process()
    }

    mutating func process() -> String {
        guard machine.beginBurst() else { return "" }
        var steps: [String] = []
        loop: while true {
            if machine.awaitsHead {
                switch machine.nextHead(&head) {
                case .wait(let actions):
                    steps.append("wait\(describe(actions))")
                    break loop
                case .begin:
                    begun += 1
                    steps.append("begin")
                case .refuse(let error, _):
                    begun += 1
                    steps.append("refuse \(error.rawValue)")
                }
                continue
            }
            switch machine.nextBytes(at: 0) {
            case .wait(let actions):
                steps.append("wait\(describe(actions))")
                break loop
            case .part(let bytes): steps.append("part \(bytes.readableBytes)")
            case .end(_, let actions): steps.append("end\(describe(actions))")
            case .failed(let error, _):
                let isRefused = machine.refusesBody()
                steps.append("failed \(error.rawValue)" + (isRefused ? ", refused" : ", abort\(describe(machine.abort()))"))
            case .truncated: steps.append("truncated, abort\(describe(machine.abort()))")
            }
        }
        if machine.endBurst() { steps.append("flush") }
        return steps.joined(separator: ", ")
    }

    mutating func execute(_ actions: HTTP1Actions) -> String {
        if actions.contains(.beginExchange) { begun += 1 }
        var text = describe(actions)
        if actions.contains(.endResponse) { text += ": " + end() }
        if actions.contains(.process) { text += ": " + process() }
        return text
    }

    mutating func end() -> String {
        let end = machine.endResponse()
        guard end == .plain || end == .lastChunk else { return "\(end)" }
        finished += 1
        switch machine.next(after: &head) {
        case .finish: return "\(end), finish\(describe(machine.finish()))"
        case .idle: return "\(end), idle"
        case .request: return "\(end), request, \(process())"
        }
    }

    mutating func describe(_ actions: HTTP1Actions) -> String {
        if actions.contains(.reportFinished) { finished += 1 }
        let names = HTTP1Actions.names.filter { actions.contains($0.0) }.map(\.1)
        return names.isEmpty ? "" : " [" + names.joined(separator: " ") + "]"
    }

    var state: String {
        let request =
            switch machine.request {
            case .head: "head"
            case .body: "body \(machine.body.delivery)"
            case .complete: "complete"
            case .tunnel: "tunnel \(machine.tunnel.phase)"
            }
        let limit = if case .body = machine.limit { "body" } else { "\(machine.limit)" }
        let waiting = machine.inbox.isEmpty ? "" : " waiting"
        let ended = machine.inbox.isEnded ? " ended" : ""
        let full = machine.output == .full ? " full" : ""
        let response = "\(machine.response)".replacing("Server.HTTP1ServerMachine.Framing.", with: "")
        return "\(request), response \(response), \(machine.ending), limit \(limit)\(waiting)\(ended)\(full)"
    }
}

extension HTTP1Actions {
    fileprivate static let names: [(Self, String)] = [
        (.setDeadline, "setDeadline"), (.clearDeadline, "clearDeadline"), (.sendContinue, "sendContinue"), (.noteAborted, "noteAborted"),
        (.reportEnd, "reportEnd"), (.sendGoingAway, "sendGoingAway"), (.reportClosed, "reportClosed"),
        (.reportFinished, "reportFinished"), (.reportWritability, "reportWritability"), (.beginExchange, "beginExchange"),
        (.answerLate, "answerLate"), (.endResponse, "endResponse"), (.process, "process"), (.finish, "finish"),
        (.closeOutput, "closeOutput"), (.resumeReading, "resumeReading"), (.discardOutput, "discardOutput"),
        (.resetOnClose, "resetOnClose"), (.close, "close"),
    ]
}

private struct Event: MachineEvent {
    let name: String
    let run: @Sendable (inout Machine) -> String

    init(_ name: String, _ run: @escaping @Sendable (inout Machine) -> String) {
        self.name = name
        self.run = run
    }

    private static func head(_ name: String, _ framing: ResponseFraming, isSwitching: Bool = false) -> Event {
        Event(name) {
            guard $0.machine.maySendHead else { return "dropped" }
            let context = HTTP1ServerMachine.HeadContext(
                isSwitching: isSwitching, minorVersion: $0.head.minorVersion, keepsAlive: $0.head.keepsAlive, isDraining: false)
            var bytes = LineBytes()
            let actions = $0.machine.beginResponse(framing, context, into: &bytes)
            let lines = String(decoding: bytes.bytes).replacing("\r\n", with: "|")
            return lines + $0.describe(actions)
        }
    }

    static let get = Event("receive GET") { $0.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
    static let nonsense = Event("receive nonsense") { $0.receive("@\r\n") }
    static let half = Event("receive bb") { $0.receive("bb") }
    static let endOfInput = Event("end of input") { $0.execute($0.machine.inputEnded()) }
    static let full = Event("output full") { $0.execute($0.machine.outputChanged(.full)) }
    static let writable = Event("output writable") { $0.execute($0.machine.outputChanged(.writable)) }
    static let startBody = Event("startBody") { $0.execute($0.machine.startBody(limit: 3, expectsContinue: true, at: 0)) }
    static let pause = Event("pause") { $0.execute($0.machine.pause(true, at: 0)) }
    static let resume = Event("resume") { $0.execute($0.machine.pause(false, at: 0)) }
    static let lengthHead = head("head of 5 bytes", .length(5))
    static let streamHead = head("head of a stream", .stream)
    static let switchingHead = head("head 101", .none, isSwitching: true)
    static let small = Event("part of 3 bytes") { "\($0.machine.sendPart(3))" }
    static let large = Event("part of 9 bytes") { "\($0.machine.sendPart(9))" }
    static let endResponse = Event("end") { $0.end() }
    static let startTunnel = Event("startTunnel") { $0.execute($0.machine.startTunnel(isWebSocket: true)) }
    static let frame = Event("half a frame") { $0.execute($0.machine.tunnelSent(ByteBuffer(bytes: [0x81]))) }
    static let restOfFrame = Event("rest of the frame") { $0.execute($0.machine.tunnelSent(ByteBuffer(bytes: [0]))) }
    static let endTunnel = Event("endTunnel") { $0.execute($0.machine.endTunnel()) }
    static let closeAfterResponse = Event("closeAfterResponse") {
        $0.machine.closeAfterResponse()
        return ""
    }
    static let abort = Event("abort") { $0.execute($0.machine.abort()) }
    static let terminate = Event("terminate") { $0.execute($0.machine.terminate()) }
    static let drain = Event("drain") { $0.execute($0.machine.drain()) }
    static let written = Event("written") { $0.execute($0.machine.written()) }
    static let deadline = Event("deadline") { $0.execute($0.machine.deadlineExpired()) }
    static let close = Event("close") {
        guard $0.machine.close() else { return "idle" }
        $0.finished += 1
        return "was answering"
    }

    static let all = [
        get, nonsense, half, endOfInput, full, writable, startBody, pause, resume, lengthHead, streamHead, switchingHead, small, large,
        endResponse, startTunnel, frame, restOfFrame, endTunnel, closeAfterResponse, abort, terminate, drain, written, deadline, close,
    ]
}

/// The states by the events that lead to them.
private let states: [(name: String, events: [Event])] = [
    ("idle", []),
    ("part of a head", [Event("") { $0.receive("GET / HT") }]),
    ("pending", [.get]),
    ("pending, another waits", [.get, .get]),
    ("pending, old version", [Event("") { $0.receive("GET / HTTP/1.0\r\nHost: a\r\n\r\n") }]),
    ("pending, last", [.get, .closeAfterResponse]),
    ("pending, input ended", [.get, .endOfInput]),
    ("refused", [.nonsense]),
    ("body unwanted", [body]),
    ("body unwanted and paused", [body, .pause]),
    ("body", [body, .startBody]),
    ("body paused", [body, .startBody, .pause]),
    ("body, answered early", [body, .startBody, .lengthHead]),
    ("body broken", [body, .startBody, .endOfInput]),
    ("chunked body", [Event("") { $0.receive("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n") }, .startBody]),
    ("streaming a length", [.get, .lengthHead]),
    ("streaming chunks", [.get, .streamHead]),
    ("streaming until close", [Event("") { $0.receive("GET / HTTP/1.0\r\nHost: a\r\n\r\n") }, .streamHead]),
    ("streaming, full", [.get, .lengthHead, .full]),
    ("idle, full", [.full]),
    ("full, a request waits", [.full, .get]),
    ("tunnel", [.get, .switchingHead, .startTunnel]),
    ("tunnel paused", [.get, .switchingHead, .startTunnel, .pause]),
    ("tunnel in a frame, ending", [.get, .switchingHead, .startTunnel, .frame, .endTunnel]),
    ("finishing", [.get, .closeAfterResponse, .streamHead, .endResponse]),
    ("finishing, will linger", [.nonsense, .streamHead, .endResponse]),
    ("lingering", [.nonsense, .streamHead, .endResponse, .written]),
    ("closed", [.close]),
]

private let body = Event("") { $0.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n") }

private let table = MachineTable(states, quiet: ["", "drop", "dropped"]) {
    var machine = Machine()
    _ = machine.machine.open()
    return machine
}

@Suite("The machine of HTTP/1.1 connections")
struct HTTP1ServerMachineTests {
    @Test("every event in every state does what the table says")
    func differences() throws {
        for difference in try table.differences(from: "server/http1-machine.txt") { Issue.record("\(difference)") }
    }

    @Test("in every state that can be reached, however long the way, each event keeps the rules of RFC 9112")
    func invariants() {
        let count = table.explore(check) { next, result in
            // More of the same in the inbox is no other state. Of a channel that closes, only its end is heard.
            next.machine.inbox.count < 200 && !result.contains("close]")
        }
        #expect(count > 150)
    }

    private func check(_ before: Machine, _ event: Event, _ result: String, _ after: Machine) {
        let step = "\(event.name) in \(before.state): \(result) → \(after.state)"
        // Each request is answered or ends with its connection, once.
        #expect(after.begun - after.finished == (after.machine.isAnswering ? 1 : 0), "\(step)")
        // A connection that ends reads no further request, and an end is final.
        if before.machine.isFinishing { #expect(!result.contains("begin"), "\(step)") }
        if before.machine.isClosed { #expect(after.machine.isClosed && !result.contains("setDeadline"), "\(step)") }
        if before.machine.discardsInput {
            #expect(after.machine.discardsInput && after.machine.inbox.count <= before.machine.inbox.count, "\(step)")
        }
        // A deadline is set when the limit begins, and cleared when there is none any longer.
        if case .none = after.machine.limit { #expect(!result.hasSuffix("[setDeadline]"), "\(step)") }
        // What waits for the client, and may wait for ever, has a limit.
        if after.machine.isFinishing || after.machine.isIdle, !result.contains("close]") {
            if case .none = after.machine.limit { Issue.record("no limit: \(step)") }
        }
    }
}

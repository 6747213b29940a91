import MachineTables
import NIOHTTP2
import Testing

@testable import Proxy

/// A machine with what its session keeps for it.
private struct Machine: TestedMachine {
    var machine = HTTP2ClientConnectionMachine(streamLimit: 2)
    /// The pool gives it requests.
    var isListed = true

    mutating func execute(_ actions: HTTP2ClientConnectionActions) -> String {
        var names: [String] = []
        if actions.contains(.leave) { names.append("leave") }
        if actions.contains(.setDeadline) { names.append("setDeadline") }
        if actions.contains(.leave) { isListed = false }
        if actions.contains(.close) { names.append(close()) }
        return names.joined(separator: " ")
    }

    mutating func close() -> String {
        guard machine.close() else { return "" }
        isListed = false
        return "close"
    }

    mutating func received(_ settings: HTTP2Settings) -> String {
        switch machine.received(settings) {
        case .none: ""
        case .ready: "ready"
        case .noStreams: "no streams"
        case .smallerWindows: "smaller windows \(close())"
        }
    }

    var state: String {
        let streams = machine.streams == 0 ? "no stream" : machine.streams == 1 ? "one stream" : "streams"
        let room = machine.hasRoom ? "room" : "no room"
        let unknown = machine.neverLooked(at: 3) ? ", 3 was not looked at" : ""
        let peer = machine.peer == .unknown ? ", silent" : ""
        return "\(machine.phase), \(streams), \(room)\(machine.use == .repeated ? ", reused" : "")\(peer)\(unknown)"
    }
}

private struct Event: MachineEvent {
    let name: String
    let run: @Sendable (inout Machine) -> String

    init(_ name: String, _ run: @escaping @Sendable (inout Machine) -> String) {
        self.name = name
        self.run = run
    }

    static let settings = Event("SETTINGS") { $0.received([]) }
    static let noStreams = Event("SETTINGS with no streams") { $0.received([HTTP2Setting(parameter: .maxConcurrentStreams, value: 0)]) }
    static let manyStreams = Event("SETTINGS with 100 streams") {
        $0.received([HTTP2Setting(parameter: .maxConcurrentStreams, value: 100)])
    }
    static let smaller = Event("SETTINGS with smaller windows") { $0.received([HTTP2Setting(parameter: .initialWindowSize, value: 0)]) }
    static let begin = Event("a request") {
        // The pool asks first.
        guard $0.isListed, $0.machine.hasRoom else { return "" }
        $0.machine.beginStream()
        return "begin"
    }
    static let end = Event("a stream ends") {
        guard $0.machine.streams > 0 else { return "" }
        $0.machine.endStream()
        return $0.execute($0.machine.rest())
    }
    static let goAway = Event("GOAWAY with stream 1") { $0.execute($0.machine.goAway(last: 1)) }
    static let retire = Event("retire") { $0.execute($0.machine.retire()) }
    static let deadline = Event("deadline") { $0.execute($0.machine.deadlineExpired()) }
    static let close = Event("the connection closes") { $0.close() }

    static let all = [settings, noStreams, manyStreams, smaller, begin, end, goAway, retire, deadline, close]
}

/// The states by the events that lead to them.
private let states: [(name: String, events: [Event])] = [
    ("opening", []),
    ("open", [.settings]),
    ("open without streams", [.noStreams]),
    ("one stream", [.settings, .begin]),
    ("full", [.settings, .begin, .begin]),
    ("unused after a stream", [.settings, .begin, .end]),
    ("retired with a stream", [.settings, .begin, .retire]),
    ("GOAWAY with a stream", [.settings, .begin, .goAway]),
    ("closed before SETTINGS", [.close]),
    ("closed, unused", [.settings, .deadline]),
    ("closed with a stream", [.settings, .begin, .close]),
]

private let table = MachineTable(states) { Machine() }

@Suite("The machine of HTTP/2 connections to upstreams")
struct HTTP2ClientConnectionMachineTests {
    @Test("every event in every state does what the table says")
    func differences() throws {
        for difference in try table.differences(from: "proxy/http2-connection-machine.txt") { Issue.record("\(difference)") }
    }

    @Test("in every state that can be reached, each event keeps the rules")
    func invariants() {
        let count = table.explore { before, event, result, after in
            let step = "\(event.name) in \(before.state): \(result) → \(after.state)"
            if before.machine.phase == .closed { #expect(after.machine.phase == .closed && !result.contains("setDeadline"), "\(step)") }
            // A retired connection takes no request, and closes with its last stream (RFC 9113 section 6.8).
            if before.machine.phase == .retired { #expect(!after.machine.hasRoom && after.machine.phase != .open, "\(step)") }
            if after.machine.phase == .retired { #expect(after.machine.streams > 0 && !after.isListed, "\(step)") }
            #expect(after.machine.streams <= 2, "\(step)")
            // Nobody waits for a connection whose streams are gone: it is closed, or has a limit.
            if after.machine.isUnused, before.machine.streams > 0 { #expect(result.contains("setDeadline"), "\(step)") }
        }
        #expect(count > 15)
    }
}

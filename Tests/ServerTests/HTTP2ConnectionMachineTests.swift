import NIOHTTP2
import MachineTables
import Testing

@testable import Server

/// A machine with what its connection keeps for it.
private struct Machine: TestedMachine {
    var machine = HTTP2ConnectionMachine()
    var isOpened = false
    /// The connection's own set of streams.
    var streams = 0
    var nextID: HTTP2StreamID = 1
    /// GOAWAY frames that name the last stream.
    var lastNamed = 0

    mutating func headers(_ id: HTTP2StreamID) -> String {
        guard let actions = machine.beginStream(id) else { return "dropped" }
        streams += 1
        return "begin\(execute(actions))"
    }

    mutating func endStream() -> String {
        guard streams > 0 else { return "" }
        streams -= 1
        return execute(machine.endStream())
    }

    mutating func fail(_ code: HTTP2ErrorCode) -> String {
        guard !machine.isEnding else { return "" }
        lastNamed += 1
        return "GOAWAY \(code.networkCode)\(execute(machine.finish()))"
    }

    mutating func execute(_ actions: HTTP2ConnectionActions) -> String {
        if actions.contains(.nameLastStream) { lastNamed += 1 }
        let names = HTTP2ConnectionActions.names.filter { actions.contains($0.0) }.map(\.1)
        var text = names.isEmpty ? "" : " [" + names.joined(separator: " ") + "]"
        // Streams end one by one, and each is an event of its own.
        if !actions.isDisjoint(with: [.endStreams, .finish]) {
            while streams > 0 {
                let result = endStream()
                text += result.isEmpty ? "" : ", stream ended:\(result)"
            }
        }
        return text
    }

    var state: String {
        let used = machine.window.open <= 0 ? ", window used" : ""
        let unread = machine.unread > 0 ? ", unread" : ""
        let shrunk = machine.streamWindows == .shrunk ? ", smaller windows" : ""
        let streams = machine.openStreams == 0 ? "no stream" : machine.openStreams == 1 ? "one stream" : "streams"
        return "\(machine.phase), limit \(machine.limit), \(streams)\(used)\(unread)\(shrunk)"
    }
}

extension HTTP2ConnectionActions {
    fileprivate static let names: [(Self, String)] = [
        (.setDeadline, "setDeadline"), (.clearDeadline, "clearDeadline"), (.announce, "announce"), (.nameLastStream, "nameLastStream"),
        (.endStreams, "endStreams"), (.finish, "finish"), (.close, "close"),
    ]
}

private struct Event: MachineEvent {
    let name: String
    let run: @Sendable (inout Machine) -> String

    init(_ name: String, _ run: @escaping @Sendable (inout Machine) -> String) {
        self.name = name
        self.run = run
    }

    static let open = Event("open") {
        // A channel opens once.
        guard !$0.isOpened else { return "" }
        $0.isOpened = true
        return $0.execute($0.machine.open())
    }
    static let preface = Event("the first SETTINGS") { $0.execute($0.machine.prefaceReceived()) }
    static let blockBegan = Event("a field section begins") { $0.execute($0.machine.headerBlockBegan()) }
    static let blockEnded = Event("a field section ends") { $0.execute($0.machine.headerBlockEnded()) }
    static let headers = Event("HEADERS of a new stream") {
        let id = $0.nextID
        $0.nextID = id.advanced(by: 2)
        return $0.headers(id)
    }
    static let lateHeaders = Event("HEADERS of an old stream") { $0.headers($0.machine.lastStreamID) }
    static let endStream = Event("a stream ends") { $0.endStream() }
    static let malformed = Event("a malformed request") { $0.machine.toleratesMalformed() ? "" : "ends the connection" }
    static let tooMany = Event("501 malformed requests") {
        var isTolerated = true
        for _ in 0..<501 { isTolerated = $0.machine.toleratesMalformed() }
        return isTolerated ? "tolerated" : $0.fail(.enhanceYourCalm)
    }
    static let data = Event("DATA of 10 bytes") {
        $0.machine.received(10)
        $0.machine.clientSent(10)
        return $0.machine.credit().map { "credit \($0)" } ?? ""
    }
    static let took = Event("all bytes are read") {
        $0.machine.took($0.machine.unread)
        return $0.machine.credit().map { "credit \($0)" } ?? ""
    }
    static let windowUsed = Event("65,535 bytes of the window are used") {
        $0.machine.clientSent(65_535)
        return $0.machine.credit().map { "credit \($0)" } ?? ""
    }
    static let larger = Event("SETTINGS with larger windows") { $0.machine.initialWindowChanged(to: 100_000) ? "may be negative" : "" }
    static let smaller = Event("SETTINGS with smaller windows") { $0.machine.initialWindowChanged(to: 10) ? "may be negative" : "" }
    static let drain = Event("drain") { $0.execute($0.machine.drain()) }
    static let ping = Event("PING acknowledged") { $0.execute($0.machine.pingAcknowledged()) }
    static let failure = Event("the codec sends GOAWAY") {
        $0.machine.noteFailure()
        return ""
    }
    static let error = Event("the codec reports an error") { $0.execute($0.machine.errorCaught()) }
    static let fail = Event("fail") { $0.fail(.streamClosed) }
    static let terminate = Event("terminate") { $0.execute($0.machine.terminate()) }
    static let closeIdle = Event("closeIdle") {
        // The registry closes idle connections only.
        guard $0.machine.isIdle else { return "" }
        $0.machine.closeIdle()
        return "close"
    }
    static let deadline = Event("deadline") {
        switch $0.machine.deadlineExpired() {
        case .act(let actions): $0.execute(actions)
        case .fail(let code): $0.fail(code)
        }
    }
    static let close = Event("the channel closes") {
        guard $0.machine.close() else { return "" }
        return "closed\($0.execute(.endStreams))"
    }

    static let all = [
        open, preface, blockBegan, blockEnded, headers, lateHeaders, endStream, malformed, tooMany, data, took, windowUsed, larger, smaller,
        drain, ping,
        failure, error, fail, terminate, closeIdle, deadline, close,
    ]
}

/// The states by the events that lead to them.
private let states: [(name: String, events: [Event])] = [
    ("new", []),
    ("before the preface", [.open]),
    ("idle", idle),
    ("a head before the first SETTINGS", [.open, .blockBegan]),
    ("a head arrives", idle + [.blockBegan]),
    ("a stream", stream),
    ("a stream, another head arrives", stream + [.blockBegan]),
    ("two streams", stream + [.headers]),
    ("a stream with unread bytes", stream + [.data]),
    ("a stream, the window is used", stream + [.data, .windowUsed]),
    ("idle again", stream + [.endStream]),
    ("announced, idle", idle + [.drain]),
    ("announced, a stream", stream + [.drain]),
    ("announced, the stream has ended", stream + [.drain, .endStream]),
    ("final, a stream", stream + [.drain, .ping]),
    ("final, two streams", stream + [.headers, .drain, .ping]),
    ("failed, idle", idle + [.failure]),
    ("failed, a stream", stream + [.failure]),
    ("ending", stream + [.fail]),
    ("ending at once", stream + [.terminate]),
    ("closed", stream + [.close]),
]

private let idle: [Event] = [.open, .preface]
private let stream: [Event] = idle + [.blockBegan, .headers, .blockEnded]

private let table = MachineTable(states, quiet: ["", "dropped"]) { Machine() }

@Suite("The machine of HTTP/2 connections")
struct HTTP2ConnectionMachineTests {
    @Test("every event in every state does what the table says")
    func differences() throws {
        for difference in try table.differences(from: "server/http2-connection-machine.txt") { Issue.record("\(difference)") }
    }

    @Test("in every state that can be reached, however long the way, each event keeps the rules of RFC 9113 sections 5.1 and 6.8")
    func invariants() {
        let count = table.explore(after: [.open], check) { next, _ in
            // More streams or bytes of the same are no other state.
            next.streams < 4 && next.machine.unread < 50 && next.machine.window.open >= 0
        }
        #expect(count > 50)
    }

    private func check(_ before: Machine, _ event: Event, _ result: String, _ after: Machine) {
        let step = "\(event.name) in \(before.state): \(result) → \(after.state)"
        let machine = after.machine
        // The machine counts the streams of the connection, and their numbers only grow (section 5.1.1).
        #expect(machine.openStreams == after.streams, "\(step)")
        #expect(machine.lastStreamID >= before.machine.lastStreamID, "\(step)")
        // After GOAWAY with the last stream none begins, and a second one is an error's (section 6.8).
        if before.lastNamed > 0 || before.machine.isEnding { #expect(!result.contains("begin"), "\(step)") }
        if after.lastNamed > 1, after.lastNamed > before.lastNamed { #expect(result.hasPrefix("GOAWAY"), "\(step)") }
        // An end is final, and a connection that ends has no streams, gives out no window and does not stay.
        if before.machine.isEnding { #expect(machine.isEnding && !result.contains("finish"), "\(step)") }
        if before.machine.isClosed { #expect(machine.isClosed && result.trimmingPrefix(" ").isEmpty || result == "dropped", "\(step)") }
        if machine.isEnding {
            #expect(after.streams == 0 && !result.contains("credit"), "\(step)")
            if !before.machine.isEnding, !result.contains("close") { #expect(machine.limit == .linger, "\(step)") }
        }
        // The connection never offers more than its window, and takes back what it gave once the bytes are read.
        if result.contains("credit") { #expect(machine.window.open + machine.unread == machine.window.size, "\(step)") }
        // A connection that waits for the client has a limit, unless the codec is about to report an error.
        if machine.isIdle, machine.phase != .failed, event.name != Event.deadline.name {
            #expect(machine.limit != .none, "\(step)")
        }
        if machine.limit == .none { #expect(!result.contains("setDeadline"), "\(step)") }
    }
}

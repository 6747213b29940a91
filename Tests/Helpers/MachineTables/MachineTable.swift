import Foundation

/// A state machine under test, with what its handler keeps for it.
package protocol TestedMachine {
    /// Two machines with the same text are in the same state.
    var state: String { get }
}

/// An event of a machine. `run` returns the actions as text.
package protocol MachineEvent: Sendable {
    associatedtype Machine: TestedMachine
    var name: String { get }
    var run: @Sendable (inout Machine) -> String { get }
    static var all: [Self] { get }
}

/// Every event in every state, as a table in a file of `Fixtures`, and the search through all states that can be reached.
package struct MachineTable<Event: MachineEvent>: Sendable {
    /// The states by the events that lead to them.
    private let states: [(name: String, events: [Event])]
    /// Results that mean that nothing happened.
    private let quiet: Set<String>
    private let start: @Sendable () -> Event.Machine

    package init(
        _ states: [(name: String, events: [Event])], quiet: Set<String> = [""], start: @escaping @Sendable () -> Event.Machine
    ) {
        self.states = states
        self.quiet = quiet
        self.start = start
    }

    package func machine(after events: [Event]) -> Event.Machine {
        var machine = start()
        for event in events { _ = event.run(&machine) }
        return machine
    }

    private var text: String {
        var text = ""
        for state in states {
            text += "\(state.name): \(machine(after: state.events).state)\n"
            var without: [String] = []
            for event in Event.all {
                var machine = machine(after: state.events)
                let before = machine.state
                let result = event.run(&machine).trimmingCharacters(in: .whitespaces)
                if machine.state == before, quiet.contains(result) {
                    without.append(event.name)
                } else {
                    text += "    \(event.name): \(result)\(machine.state == before ? "" : " → \(machine.state)")\n"
                }
            }
            text += "    nothing: \(without.joined(separator: ", "))\n"
        }
        return text
    }

    /// The lines that differ from the file below `Fixtures`; empty if none does.
    ///
    /// With UPDATE_GOLDEN=1 in the environment the file is written anew: read the difference before committing it.
    package func differences(from fixture: String, test: String = #filePath) throws -> [String] {
        let file = URL(filePath: test).deletingLastPathComponent().appending(path: "../../Fixtures/\(fixture)")
        let text = text
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" { try text.write(to: file, atomically: true, encoding: .utf8) }
        let lines = text.split(separator: "\n")
        let expected = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        var differences = zip(lines, expected).filter { $0 != $1 }.map { "\($0)\ninstead of\n\($1)" }
        if lines.count != expected.count { differences.append("\(lines.count) lines instead of \(expected.count)") }
        return differences
    }

    /// Runs every event in every state that can be reached, and returns how many states there are.
    ///
    /// `isWorthIt`: false for a state that differs in an amount only, such as more of the same in a buffer.
    package func explore(
        after events: [Event] = [], _ check: (_ before: Event.Machine, _ event: Event, _ result: String, _ after: Event.Machine) -> Void,
        isWorthIt: (_ machine: Event.Machine, _ result: String) -> Bool = { _, _ in true }
    ) -> Int {
        var seen: Set<String> = []
        var queue = [machine(after: events)]
        while let machine = queue.popLast() {
            for event in Event.all {
                var next = machine
                let result = event.run(&next)
                check(machine, event, result, next)
                if isWorthIt(next, result), seen.insert(next.state).inserted { queue.append(next) }
            }
        }
        return seen.count
    }
}

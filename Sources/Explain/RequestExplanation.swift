package import Access
import Telemetry

/// The decision of a configuration about one request, step by step.
package struct RequestExplanation: Sendable {
    package enum Outcome: String, Sendable {
        case permit, challenge, deny
        /// One of the gateway's own endpoints.
        case own
        /// Answered before authentication.
        case refuse
    }

    package struct Matched: Sendable {
        package var label: String
        /// Of the configuration file; 0 for what no route matches.
        package var line: Int
        package var upstream: String
    }

    package struct Person: Sendable {
        package var uid: String
        package var provider: String
        package var email: String?
        package var isEmailVerified: Bool
        package var groups: [String]
    }

    package var method: String
    package var target: String
    package var canonicalPath: String = ""
    package var outcome: Outcome
    /// Of the gateway's own answer; nil when the upstream answers.
    package var status: Int?
    /// A code or reason, stable.
    package var reason: String?
    package var location: String?
    package var route: Matched?
    package var person: Person?
    package var verdicts: [ConditionVerdict] = []
    /// The request head for the upstream, line by line.
    package var head: [String] = []
    package var notes: [String] = []
}

extension RequestExplanation {
    /// The text format of `gateway trace`.
    package func text(file: String) -> String {
        var lines = ["\(method) \(target)"]
        func add(_ name: String, _ value: String) {
            lines.append("  " + name + String(repeating: " ", count: max(1, 11 - name.count)) + value)
        }
        if !canonicalPath.isEmpty { add("path", canonicalPath) }
        if let route {
            add(
                "route",
                route.line > 0 ? "\(route.label)  (\(file):\(route.line))" : "\(route.label)  (no route matches: requires a sign-in)")
        }
        if let person {
            var words = "\(person.uid), signed in with \(person.provider)"
            if let email = person.email { words += ", \(email)\(person.isEmailVerified ? "" : " (not verified)")" }
            if !person.groups.isEmpty { words += ", in " + person.groups.joined(separator: ", ") }
            add("user", words)
        } else if outcome != .refuse {
            add("user", "not signed in (use --as claims.json to set claims)")
        }
        for (index, verdict) in verdicts.enumerated() {
            let indent = String(repeating: "  ", count: verdict.depth)
            add(
                index == 0 ? "access" : "",
                "\(indent)\(verdict.holds ? "+" : "-") \(verdict.condition)" + (verdict.reason.map { ": \($0)" } ?? ""))
            for operand in verdict.operands {
                let sign = operand.failed ? "!" : "="
                add("", indent + String(repeating: "  ", count: operand.depth + 1) + "\(operand.text) \(sign) \(operand.value)")
            }
        }
        var verdict = outcome.rawValue
        if let status { verdict += ", status \(status)" }
        if let reason { verdict += " (\(reason))" }
        add("verdict", verdict)
        if let location { add("location", location) }
        if outcome == .permit, status == nil, let route { add("upstream", route.upstream) }
        for line in head { add("", line) }
        for note in notes { add("note", note) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The JSON format of `gateway trace`.
    package var json: String {
        var object = JSONLine()
        object.add("formatVersion", .text("1"))
        object.add("method", .text(method))
        object.add("target", .text(target))
        object.add("path", .text(canonicalPath))
        object.add("outcome", .text(outcome.rawValue))
        if let status { object.add("status", .number(status)) }
        if let reason { object.add("reason", .text(reason)) }
        if let location { object.add("location", .text(location)) }
        if let route {
            object.object("route") {
                $0.add("label", .text(route.label))
                $0.add("line", .number(route.line))
                $0.add("upstream", .text(route.upstream))
            }
        }
        if let person {
            object.object("person") { inner in
                inner.add("uid", .text(person.uid))
                inner.add("provider", .text(person.provider))
                if let email = person.email {
                    inner.add("email", .text(email))
                    inner.add("email_verified", .flag(person.isEmailVerified))
                }
                inner.add("groups", .text(person.groups.joined(separator: ",")))
            }
        }
        object.array(
            "access",
            verdicts.map { verdict in
                var inner = JSONLine()
                inner.add("depth", .number(verdict.depth))
                inner.add("condition", .text(verdict.condition))
                inner.add("holds", .flag(verdict.holds))
                if let reason = verdict.reason { inner.add("reason", .text(reason)) }
                if !verdict.operands.isEmpty {
                    inner.array(
                        "operands",
                        verdict.operands.map { operand in
                            var part = JSONLine()
                            part.add("depth", .number(operand.depth))
                            part.add("text", .text(operand.text))
                            part.add(operand.failed ? "failure" : "value", .text(operand.value))
                            return part
                        })
                }
                return inner
            })
        object.array(
            "upstreamHead",
            head.map { line in
                var inner = JSONLine()
                inner.add("line", .text(line))
                return inner
            })
        object.end()
        return object.text + "\n"
    }
}

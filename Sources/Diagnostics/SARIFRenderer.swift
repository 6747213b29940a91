/// Renders a report as SARIF 2.1.0 for code scanning services.
package struct SARIFRenderer: Sendable {
    /// The gateway's version, for `tool.driver.version`.
    private let version: String
    /// All rules with a summary of each.
    private let rules: [(name: RuleName, summary: String)]

    package init(version: String, rules: [(name: RuleName, summary: String)]) {
        self.version = version
        self.rules = rules
    }

    package func render(_ report: Report) -> String {
        let found = Set(report.files.flatMap { $0.diagnostics.map(\.rule) })
        let rules = rules.filter { found.contains($0.name) }
        let index = Dictionary(rules.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let results = report.files.flatMap { file in
            file.diagnostics.map { result($0, in: file.source, ruleIndex: index[$0.rule] ?? 0) }
        }
        let driver = JSONText.object([
            ("name", .string("gateway")), ("version", .string(version)),
            ("rules", .array(rules.map(descriptor))),
        ])
        let run = JSONText.object([
            ("tool", .object([("driver", driver)])), ("columnKind", .string("unicodeCodePoints")), ("results", .array(results)),
        ])
        let document = JSONText.object([
            ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")), ("version", .string("2.1.0")), ("runs", .array([run])),
        ])
        var text = ""
        document.write(into: &text)
        return text + "\n"
    }

    private func descriptor(_ name: RuleName, _ summary: String) -> JSONText {
        .object([
            ("id", .string(name.rawValue)),
            ("shortDescription", .object([("text", .string(summary))])),
            ("defaultConfiguration", .object([("level", .string(name.severity.rawValue))])),
        ])
    }

    private func result(_ diagnostic: Diagnostic, in source: SourceFile, ruleIndex: Int) -> JSONText {
        let text = diagnostic.messageWithHelp
        var members: [(String, JSONText)] = [
            ("ruleId", .string(diagnostic.rule.rawValue)), ("ruleIndex", .number(ruleIndex)),
            ("level", .string(diagnostic.severity.rawValue)), ("message", .object([("text", .string(text))])),
            ("locations", .array([location(diagnostic.span, message: nil, in: source)])),
        ]
        if !diagnostic.related.isEmpty {
            members.append(("relatedLocations", .array(diagnostic.related.map { location($0.span, message: $0.message, in: source) })))
        }
        if let fix = diagnostic.fix {
            let replacements = fix.edits.map { edit in
                JSONText.object([
                    ("deletedRegion", region(edit.span, in: source)), ("insertedContent", .object([("text", .string(edit.text))])),
                ])
            }
            let change = JSONText.object([("artifactLocation", artifact(source)), ("replacements", .array(replacements))])
            members.append(("fixes", .array([.object([("artifactChanges", .array([change]))])])))
        }
        return .object(members)
    }

    private func location(_ span: SourceSpan, message: String?, in source: SourceFile) -> JSONText {
        let physical = JSONText.object([("artifactLocation", artifact(source)), ("region", region(span, in: source))])
        var members: [(String, JSONText)] = [("physicalLocation", physical)]
        if let message { members.append(("message", .object([("text", .string(message))]))) }
        return .object(members)
    }

    private func artifact(_ source: SourceFile) -> JSONText { .object([("uri", .string(Self.uri(source.name)))]) }

    private func region(_ span: SourceSpan, in source: SourceFile) -> JSONText {
        let range = source.range(of: span)
        return .object([
            ("startLine", .number(range.start.line)), ("startColumn", .number(range.start.column)), ("endLine", .number(range.end.line)),
            ("endColumn", .number(range.end.column)),
        ])
    }

    /// The path as a URI reference (RFC 3986 section 3.3).
    private static func uri(_ path: String) -> String {
        var result = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return result
    }
}

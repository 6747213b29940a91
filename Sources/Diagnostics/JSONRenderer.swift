/// Renders a report as JSON on one line, with a fixed order of members and `formatVersion` 1.
package struct JSONRenderer: Sendable {
    package init() {}

    package func render(_ report: Report) -> String {
        let diagnostics = report.files.flatMap { file in file.diagnostics.map { json($0, in: file.source) } }
        let document = JSONText.object([
            ("formatVersion", .string("1")),
            ("valid", .bool(report.isValid)),
            ("errorCount", .number(report.errorCount)),
            ("warningCount", .number(report.warningCount)),
            ("diagnostics", .array(diagnostics)),
        ])
        var text = ""
        document.write(into: &text)
        return text + "\n"
    }

    private func json(_ diagnostic: Diagnostic, in source: SourceFile) -> JSONText {
        .object([
            ("rule", .string(diagnostic.rule.rawValue)),
            ("severity", .string(diagnostic.severity.rawValue)),
            ("message", .string(diagnostic.messageWithLabel)),
            ("help", .optional(diagnostic.help)),
            ("file", .string(source.name)),
            ("range", range(diagnostic.span, in: source)),
            (
                "related",
                .array(diagnostic.related.map { .object([("message", .string($0.message)), ("range", range($0.span, in: source))]) })
            ),
            ("fix", diagnostic.fix.map { fix($0, in: source) } ?? .null),
        ])
    }

    private func fix(_ fix: Fix, in source: SourceFile) -> JSONText {
        .object([
            ("safe", .bool(fix.isSafe)),
            ("edits", .array(fix.edits.map { .object([("range", range($0.span, in: source)), ("text", .string($0.text))]) })),
        ])
    }

    private func range(_ span: SourceSpan, in source: SourceFile) -> JSONText {
        let range = source.range(of: span)
        func position(_ position: SourcePosition) -> JSONText {
            .object([("line", .number(position.line)), ("column", .number(position.column)), ("offset", .number(position.offset))])
        }
        return .object([("start", position(range.start)), ("end", position(range.end))])
    }
}

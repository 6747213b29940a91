/// Renders a report as text: message, location, snippet with carets, help.
package struct TextRenderer: Sendable {
    /// True if ANSI colours are used. The text is the same without.
    package var color: Bool
    /// The number of terminal columns to which snippet lines are cut.
    package var columns: Int

    package init(color: Bool = false, columns: Int = 80) {
        self.color = color
        self.columns = max(columns, 40)
    }

    package func render(_ report: Report) -> String {
        var text = ""
        for file in report.files where !file.diagnostics.isEmpty {
            let lines = file.diagnostics.flatMap { [$0.span] + $0.related.map(\.span) }.map { file.source.position(at: $0.start).line }
            let mask = SecretMask(source: file.source, spans: file.secrets, through: lines.max() ?? 1)
            for diagnostic in file.diagnostics {
                render(diagnostic, in: file.source, mask: mask, into: &text)
                text += "\n"
            }
        }
        for file in report.files { text += summary(of: file) + "\n" }
        return text
    }

    private func summary(of file: Report.FileFindings) -> String {
        let errors = file.diagnostics.count { $0.severity == .error }
        let warnings = file.diagnostics.count { $0.severity == .warning }
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        return "\(plain(file.source.name)): \(count(errors, "error")), \(count(warnings, "warning"))"
    }

    private func render(_ diagnostic: Diagnostic, in source: SourceFile, mask: SecretMask, into text: inout String) {
        let places = [diagnostic.span] + diagnostic.related.map(\.span)
        let widest = places.map { source.position(at: $0.start).line }.max() ?? 1
        let gutter = String(repeating: " ", count: String(widest).count)

        let style = Style(severity: diagnostic.severity)
        text +=
            paint("\(diagnostic.severity.rawValue)[\(diagnostic.rule.rawValue)]", style) + paint(": \(plain(diagnostic.message))", .strong)
            + "\n"
        snippet(diagnostic.span, label: diagnostic.label, caret: "^", style: style, gutter: gutter, source: source, mask: mask, into: &text)
        for related in diagnostic.related {
            text += paint("note", .place) + ": \(plain(related.message))\n"
            snippet(related.span, label: nil, caret: "-", style: .place, gutter: gutter, source: source, mask: mask, into: &text)
        }
        if let help = diagnostic.help { text += paint("help", .help) + ": \(plain(help))\n" }
        text += "\(gutter) = see `gateway explain \(diagnostic.rule.rawValue)`\n"
    }

    private func snippet(
        _ span: SourceSpan, label: String?, caret: Character, style: Style, gutter: String, source: SourceFile, mask: SecretMask,
        into text: inout String
    ) {
        let start = source.position(at: span.start)
        let number = String(start.line)
        let padded = String(repeating: " ", count: gutter.count - number.count) + number
        let bar = paint("|", .place)
        let window = excerpt(around: span.start, onLine: start.line, in: source)
        let skipped = source.position(at: window.lowerBound).column - 1
        let cut = SnippetLine(
            mask.scalars(of: window, onLine: start.line), from: start.column - 1 - skipped,
            through: endColumn(of: span, within: window, in: source) - skipped, columns: columns - gutter.count - 3,
            isCutBefore: skipped > 0)
        text += "\(gutter)\(paint("-->", .place)) \(plain(source.name)):\(start.line):\(start.column)\n"
        text += "\(gutter) \(bar)\n"
        text += "\(paint(padded, .place)) \(bar)\(cut.text.isEmpty ? "" : " ")\(cut.text)\n"
        let carets = String(repeating: caret, count: cut.caretWidth)
        let labelled = label.map { carets + " " + plain($0) } ?? carets
        text += "\(gutter) \(bar) \(String(repeating: " ", count: cut.caretStart))\(paint(labelled, style))\n"
        text += "\(gutter) \(bar)\n"
    }

    /// The offsets of a line, or of the visible part of a very long one.
    private func excerpt(around offset: Int, onLine line: Int, in source: SourceFile) -> Range<Int> {
        let content = source.contentOffsets(ofLine: line)
        // No terminal is wider.
        let reach = max(1024, 4 * columns)
        guard content.count > 4 * reach else { return content }
        var start = max(content.lowerBound, offset - reach)
        while start < content.upperBound, start > content.lowerBound, source.bytes[start] & 0xC0 == 0x80 { start += 1 }
        return start..<max(start, min(content.upperBound, offset + reach))
    }

    /// The column (from 0, exclusive) where the span or the visible part of its first line ends.
    private func endColumn(of span: SourceSpan, within window: Range<Int>, in source: SourceFile) -> Int {
        source.position(at: max(span.start, min(span.end, window.upperBound))).column - 1
    }

    /// Makes text from outside safe for a terminal.
    private func plain(_ text: String) -> String { sanitized(text) }

    private enum Style: String {
        case error = "1;31"
        case warning = "1;33"
        case note = "1;36"
        case strong = "1"
        case place = "1;34"
        case help = "1;32"

        init(severity: Severity) {
            switch severity {
            case .error: self = .error
            case .warning: self = .warning
            case .note: self = .note
            }
        }
    }

    private func paint(_ text: String, _ style: Style) -> String {
        color ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// Replaces control characters and direction overrides, which could change what a terminal displays, with U+FFFD.
package func sanitized(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnprintable) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(isUnprintable(scalar) ? "\u{FFFD}" : scalar) }
    return String(result)
}

func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
}

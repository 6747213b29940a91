/// Renders a report as GitHub workflow commands, which annotate the changed lines of a pull request.
package struct GitHubRenderer: Sendable {
    package init() {}

    package func render(_ report: Report) -> String {
        var text = ""
        for file in report.files {
            for diagnostic in file.diagnostics {
                let range = file.source.range(of: diagnostic.span)
                let command =
                    switch diagnostic.severity {
                    case .error: "error"
                    case .warning: "warning"
                    case .note: "notice"
                    }
                text += "::\(command) file=\(property(file.source.name)),line=\(range.start.line),endLine=\(range.end.line)"
                text += ",col=\(range.start.column),endColumn=\(range.end.column),title=\(property(diagnostic.rule.rawValue))"
                text += "::\(data(diagnostic.messageWithHelp))\n"
            }
        }
        return text
    }

    /// Escapes characters that end the data of a command.
    private func data(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(isUnprintable(scalar) ? "\u{FFFD}" : scalar)
            }
        }
        return result
    }

    /// Escapes characters that end a property of a command.
    private func property(_ text: String) -> String {
        var result = ""
        for character in data(text) {
            switch character {
            case ":": result += "%3A"
            case ",": result += "%2C"
            default: result.append(character)
            }
        }
        return result
    }
}

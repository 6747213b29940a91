/// The pages of error codes that `gateway explain` prints. The tables of `docs/errors.md` have the same text.
package enum ErrorCodePages {
    /// One published code, explained to the operator of a gateway.
    package struct Entry: Sendable {
        package let code: String
        package let status: Int
        package let happened: String
        package let remedy: String

        init(_ code: String, _ status: Int, _ happened: String, remedy: String) {
            self.code = code
            self.status = status
            self.happened = happened
            self.remedy = remedy
        }

        /// The row of `docs/errors.md`.
        package var row: String { "| `\(code)` | \(status) | \(happened) | \(remedy) |" }
    }

    /// The page as text for a terminal; nil when no such code is published.
    package static func page(for code: String) -> String? {
        entries.first { $0.code == code }.map { entry in
            "\(entry.code) (status \(entry.status))\n\n\(sentence(entry.happened))\n\nWhat to do\n  \(sentence(entry.remedy))\n"
        }
    }

    /// The text with its full stop, and with the path of a page in place of a link.
    private static func sentence(_ text: String) -> String {
        let text = text.replacing(#/\[([^\]]+)\]\(([^)#]+)[^)]*\)/#) { "\($0.1) (docs/\($0.2))" }
        return text.hasSuffix(".") ? text : text + "."
    }
}

import Pages

/// The pages of error codes that `gateway explain` prints; `docs/errors.md` has the same text in tables.
package enum ErrorCodePages {
    /// One published code, for the operator of a gateway.
    package struct Entry: Sendable {
        package var code: String
        package var status: Int
        package var happened: String
        package var remedy: String

        /// The row of `docs/errors.md`.
        package var row: String { "| `\(code)` | \(status) | \(happened) | \(remedy) |" }
    }

    /// Every published code. Codes of a failed sign-in have words for operators; of the rest, the user's page says enough.
    package static let entries: [Entry] =
        Entry.signIn
        + ErrorText.catalogue.filter { text in !Entry.signIn.contains { $0.code == text.code } }
        .map { Entry(code: $0.code, status: $0.status, happened: $0.happened, remedy: $0.next) }

    /// The page as text for a terminal; nil when no such code is published.
    package static func page(for code: String) -> String? {
        entries.first { $0.code == code }.map { entry in
            "\(entry.code) (status \(entry.status))\n\n\(sentence(entry.happened))\n\nWhat to do\n  \(sentence(entry.remedy))\n"
        }
    }

    private static func sentence(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }
}

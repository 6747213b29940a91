import Primitives
import Config

/// Placeholders that templates and documentation use for credentials.
enum Placeholder {
    static func matches(_ text: String) -> Bool {
        let folded = String(text.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " && $0 != "." })
        if folded.isEmpty { return !text.isEmpty }
        if text.hasPrefix("<"), text.hasSuffix(">") { return true }
        if words.contains(folded) { return true }
        if folded.allSatisfy({ $0 == "x" || $0 == "*" || $0 == "…" }), folded.count >= 3 || folded.contains("…") { return true }
        return beginnings.contains { folded.hasPrefix($0) }
    }

    /// The host that `gateway init` writes where it knows none. It never resolves (RFC 6761 section 6.4). Other names under `.invalid` may be
    /// there on purpose.
    static let host = "replace-me.invalid"

    /// True if a URL or an e-mail pattern has the host that `gateway init` writes.
    static func hasPlaceholderHost(_ text: String) -> Bool {
        let host =
            AbsoluteURL(text, schemes: ["http", "https", "h2c"], allowing: .all)?.host ?? text.split(separator: "@").last.map(String.init)
            ?? ""
        return host.lowercased() == self.host
    }

    /// A credential that `matches` reports.
    static let credential = "replace-me"

    private static let words: Set<String> = [
        "changeme", "changeit", "replaceme", "todo", "tbd", "fixme", "placeholder", "none", "null", "example", "dummy", "clientid",
        "clientsecret", "mysecret", "myclientid", "myclientsecret", "supersecret", "insecure", "secretgoeshere", "redacted",
    ]

    private static let beginnings = [
        "yourclient", "yoursecret", "yourapp", "yourapi", "yourkey", "yourtenant", "yourown", "yourdomain", "yourproject", "yourorg",
        "inserthere", "insertyour",
        "replacewith",
        "replacethis", "pastehere", "pasteyour", "enteryour", "putyour", "changethis", "changeme", "<your",
    ]
}

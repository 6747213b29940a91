/// Finds passwords in URLs of stores and mail servers.
package enum URLPassword {
    /// Returns whether a URL as written, with its references, has a password that is more than references.
    package static func isLiteral(in written: String) -> Bool {
        passwords(in: masked(written)).contains { $0.contains { $0 != mask } }
    }

    /// Returns whether an expanded URL has a password or a part that may be one.
    package static func isPresent(in url: String) -> Bool { url.contains("@") || !passwords(in: url).isEmpty }

    /// Stands for a reference. YAML text contains no NUL.
    private static let mask: Character = "\0"

    private static func passwords(in url: String) -> [Substring] {
        guard let scheme = url.firstRange(of: "://") else { return [] }
        let rest = url[scheme.upperBound...]
        var found: [Substring] = []
        // A password that is not escaped may contain `/`, `?` and `@`.
        if let at = rest.lastIndex(of: "@"), let colon = rest[..<at].firstIndex(of: ":") {
            found.append(rest[rest.index(after: colon)..<at])
        }
        for parameter in rest.split(separator: "?", maxSplits: 1).dropFirst().joined().split(separator: "&") {
            guard let equals = parameter.firstIndex(of: "="), names.contains(parameter[..<equals].lowercased()) else { continue }
            found.append(parameter[parameter.index(after: equals)...])
        }
        return found.filter { !$0.isEmpty }
    }

    /// The parameters of libpq that hold a secret.
    private static let names: Set<String> = ["password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key"]

    private static func masked(_ written: String) -> String {
        var result = ""
        var rest = written[...]
        while let open = rest.firstRange(of: "${") {
            result += rest[..<open.lowerBound]
            guard let close = rest[open.upperBound...].firstIndex(of: "}") else { break }
            let reference = rest[open.upperBound..<close]
            // `$${` is a literal `${`. A default is a part of the file.
            let isLiteral = result.last == "$" || reference.contains(":-")
            result += isLiteral ? String(rest[open.lowerBound...close]) : String(mask)
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}

import Providers

/// Writes `docs/configuration.md` from the schema.
package enum ConfigurationReference {
    package static var markdown: String {
        var text = """
            # Configuration reference

            Generated from the schema that the gateway decodes with; change `Sources/Config/Schema*.swift` and write it anew.

            Durations are written `500ms`, `30s`, `15m`, `12h`, `7d`, or compound as `1h30m`; sizes `32KiB`, `10MiB`. Any string may
            hold references: `${env:NAME}`, `${env:NAME:-default}`, `${file:PATH}` (one trailing newline trimmed, relative to the
            configuration file); `$${` is a literal `${`. An empty value counts as absent. `x-…` keys at the top level are free.

            A reload applies every key. Open connections keep `server.tls`, `server.http2`, `server.proxyProtocol` and some of `server.limits`
            and `server.timeouts` from when they were accepted, and the log names the changed ones; see
            [Changing the configuration while it runs](operations/reload.md).

            Authorization parameters that nobody can set: \(ReservedParameters.builtIn.map { "`\($0)`" }.joined(separator: ", ")).

            """
        for shape in ShapeName.allCases { text += section(shape) }
        return text
    }

    private static func section(_ shape: ShapeName) -> String {
        var text = "\n## \(shape.place.map { "`\($0)`" } ?? "Top level")\n\n| key | type | default | meaning |\n|---|---|---|---|\n"
        for key in shape.keys {
            let fallback = key.isRequired ? "**required**" : key.fallback.map { "`\($0)`" } ?? ""
            let example = key.example.map { " For example `\(cell($0))`." } ?? ""
            text += "| `\(key.name)` | \(cell(type(key.type))) | \(cell(fallback)) | \(cell(key.doc))\(example) |\n"
        }
        return text
    }

    private static func cell(_ text: String) -> String { String(text.flatMap { $0 == "|" ? "\\|" : String($0) }) }

    private static func type(_ type: ValueType) -> String {
        switch type {
        case .scalar(let scalar): scalar.noun
        case .list(let element): "list of " + plain(self.type(element))
        case .mapping(let shape): "[mapping](#\(anchor(shape)))"
        case .map(let element, let keys): "mapping from \(keys) to \(plain(self.type(element)))"
        case .anyOf(let types): types.map(self.type).joined(separator: ", or ")
        }
    }

    private static func plain(_ noun: String) -> String {
        noun.hasPrefix("a ") ? String(noun.dropFirst(2)) : noun.hasPrefix("an ") ? String(noun.dropFirst(3)) : noun
    }

    private static func anchor(_ shape: ShapeName) -> String {
        String((shape.place ?? "top-level").lowercased().filter { $0.isLetter || $0.isNumber || $0 == "-" })
    }
}

import Providers

/// Writes `docs/configuration.md` from the schema.
package enum ConfigurationReference {
    package static var markdown: String {
        var text = """
            # Configuration reference

            Every key of the configuration file, with its type, default and meaning. This page is generated from
            `Sources/Config/Schema*.swift`.

            - Durations are written `500ms`, `30s`, `15m`, `12h` or `7d`, or combined as in `1h30m`.
            - Sizes are written `512B`, `32KiB`, `10MiB` or `1GiB`.
            - Any string may contain references: `${env:NAME}`, `${env:NAME:-default}` or `${file:PATH}`. A relative path starts at the
              configuration file. One line break at the end of the file's contents is removed. For a literal `${`, write `$${`.
            - An empty value counts as absent.
            - Top-level keys that start with `x-` are ignored. Use them for anchors and notes.

            A reload applies every key. Open connections keep the `server.tls`, `server.http2` and `server.proxyProtocol` settings from
            when they were accepted, and some of `server.limits` and `server.timeouts`. The log names the keys that changed. See
            [Changing the configuration while it runs](operations/reload.md).

            Authorization parameters that the configuration cannot set: \(ReservedParameters.builtIn.map { "`\($0)`" }.joined(separator: ", ")).

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

import Primitives
package import Config
package import Diagnostics

/// Loading for commands that read a few keys: only these must have a value on this machine.
extension ConfigLoader {
    /// A key below sections, such as `["server", "listen"]`.
    package typealias KeyPath = [String]

    /// Loads a configuration, with any reference optional but those under `keys`.
    package static func load(_ source: SourceFile, surroundings: Surroundings, deciding keys: [KeyPath]) -> Result<Loaded, Refusal> {
        let surroundings = surroundings.optional(.all)
        let unresolved = ConfigReader.read(source, surroundings: surroundings).document.withheldFindings(at: keys)
        guard unresolved.isEmpty else { return .failure(refusal(source, surroundings, adding: unresolved)) }
        return load(source, surroundings: surroundings)
    }

    /// Returns the address below which the gateway's own endpoints lie: `publicURL` and `pathPrefix`.
    ///
    /// Other findings do not matter: the redirect URI is registered before the file is complete.
    package static func endpointBase(of source: SourceFile, surroundings: Surroundings) -> Result<String, Refusal> {
        let surroundings = surroundings.optional(.all)
        let reading = ConfigReader.read(source, surroundings: surroundings)
        let server = reading.draft.server
        let isPrefixKnown = !(reading.document.item(at: ["server", "pathPrefix"])?.isUnreadable ?? false)
        if let publicURL = server.publicURL, isPrefixKnown { return .success(publicURL.text + server.pathPrefix) }
        let unresolved = reading.document.withheldFindings(at: [["server", "publicURL"], ["server", "pathPrefix"]])
        let refusal = refusal(source, surroundings, adding: unresolved)
        guard refusal.report.isValid else { return .failure(refusal) }
        let missing = Diagnostic(
            .missingKey, at: reading.document.root?.span ?? SourceSpan(start: 0, end: 0), "`server.publicURL` is missing",
            help: "add the address that browsers use: `server: { publicURL: https://app.example.com }`")
        return .failure(self.refusal(source, surroundings, adding: [missing]))
    }

    private static func refusal(_ source: SourceFile, _ surroundings: Surroundings, adding more: [Diagnostic]) -> Refusal {
        let found = Linter.check(source, surroundings: surroundings).findings
        return Refusal(
            report: Report(files: [
                Report.FileFindings(source: source, diagnostics: found.diagnostics + more, secrets: found.secrets)
            ]))
    }
}

extension ConfigDocument {
    fileprivate func item(at keys: ConfigLoader.KeyPath) -> Item? {
        var object = root
        for key in keys.dropLast() { object = object?[key]?.object }
        return keys.last.flatMap { object?[$0] }
    }

    /// The findings of unresolved values, which a lazy reading does not report.
    fileprivate func withheldFindings(at paths: [ConfigLoader.KeyPath]) -> [Diagnostic] {
        paths.compactMap(item).flatMap { item in
            ([item] + (item.list ?? [])).flatMap { $0.unresolved?.findings ?? [] }
        }
    }
}

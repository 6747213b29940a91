package import Diagnostics
import YAML

package enum ConfigReader {
    /// What one file says: its values with their places, the configuration they make, and every structural finding.
    package struct Reading: Sendable {
        package var document: ConfigDocument
        /// Defaults stand for what could not be read. To be served only when nothing at all reports an error.
        package var draft: Configuration
        package var diagnostics: [Diagnostic]
        /// True when the file is not YAML, so that nothing behind the break was read.
        package var isBroken: Bool
        /// Stretches of the file that must not be shown.
        package var secrets: [SourceSpan]
    }

    /// Reads a file's structure. Whether the values make sense together is the linter's to say.
    package static func read(_ source: SourceFile, surroundings: Surroundings) -> Reading {
        let parsed = YAMLParser.parse(source)
        var decoder = Decoder(source: source, surroundings: surroundings)
        let root = parsed.isBroken ? nil : decoder.root(parsed.root)
        let document = ConfigDocument(source: source, root: root, multilineScalars: parsed.multilineScalars, anchors: parsed.anchors)
        return Reading(
            document: document, draft: root.map { ConfigurationBuilder(source: source).configuration(from: $0) } ?? Configuration(),
            diagnostics: document.withAnchors(parsed.diagnostics + decoder.diagnostics), isBroken: parsed.isBroken, secrets: decoder.secrets
        )
    }
}

package import Diagnostics
import YAML

package enum ConfigReader {
    /// The contents of a file: values with their locations, the resulting configuration, and every structural finding.
    package struct Reading: Sendable {
        package var document: ConfigDocument
        /// The configuration, with defaults for unreadable values. Serve it only if nothing reports an error.
        package var draft: Configuration
        package var diagnostics: [Diagnostic]
        /// True if the file is not valid YAML, so that the part after the syntax error was not read, or if the file belongs to another product.
        package var isBroken: Bool
        /// Ranges of the file that contain secrets.
        package var secrets: [SourceSpan]
    }

    /// Reads the structure of a file. The linter checks whether the values are consistent.
    package static func read(_ source: SourceFile, surroundings: Surroundings) -> Reading {
        let parsed = YAMLParser.parse(source)
        if let foreign = ForeignConfiguration(source, parsed.root) {
            return Reading(
                document: ConfigDocument(source: source, root: nil, multilineScalars: [], anchors: [:]), draft: Configuration(),
                diagnostics: [foreign.diagnostic], isBroken: true, secrets: [foreign.rest])
        }
        var decoder = Decoder(source: source, surroundings: surroundings)
        let root = parsed.isBroken ? nil : decoder.root(parsed.root)
        let document = ConfigDocument(source: source, root: root, multilineScalars: parsed.multilineScalars, anchors: parsed.anchors)
        return Reading(
            document: document, draft: root.map { ConfigurationBuilder(source: source).configuration(from: $0) } ?? Configuration(),
            diagnostics: document.withAnchors(parsed.diagnostics + decoder.diagnostics), isBroken: parsed.isBroken, secrets: decoder.secrets
        )
    }
}

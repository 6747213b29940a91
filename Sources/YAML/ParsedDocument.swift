package import Diagnostics

/// The readable contents of a YAML file.
package struct ParsedDocument: Sendable {
    /// The root node; nil if the file is empty or has a syntax error.
    package var root: Node?
    package var diagnostics: [Diagnostic]
    /// True if reading stopped before the end, so that keys may only seem to be missing from `root`.
    package var isBroken: Bool
    /// Scalars of several lines, inside which a `#` starts no comment.
    package var multilineScalars: [SourceSpan]
    /// Each alias and the anchor that it refers to.
    package var anchors: [SourceSpan: SourceSpan] = [:]
}

/// The size limits of a document. A key and its value count as one node.
package struct YAMLLimits: Sendable {
    /// The limit for nodes repeated by aliases: a few bytes of aliases can stand for billions of nodes.
    package var aliasedNodes = 10_000
    /// The limit for all nodes, including repeated ones.
    package var nodes = 500_000
    package var depth = 64
    package init() {}
}

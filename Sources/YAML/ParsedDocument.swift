package import Diagnostics

/// What one YAML file holds, as far as it could be read.
package struct ParsedDocument: Sendable {
    /// Nil when the file is empty or its syntax is broken.
    package var root: Node?
    package var diagnostics: [Diagnostic]
    /// True when reading stopped before the end: what is missing from `root` says nothing.
    package var isBroken: Bool
    /// Scalars of more than one line, inside which a `#` starts no comment.
    package var multilineScalars: [SourceSpan]
    /// Each alias and the anchor that it repeats.
    package var anchors: [SourceSpan: SourceSpan] = [:]
}

/// How much one document may hold. A word as key counts with its value.
package struct YAMLLimits: Sendable {
    /// Nodes that aliases repeat: a few bytes of aliases can stand for billions of them.
    package var aliasedNodes = 10_000
    /// All nodes, repeated ones included.
    package var nodes = 500_000
    package var depth = 64
    package init() {}
}

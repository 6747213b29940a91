package import Diagnostics
import YAML

/// The parts of the machine that a configuration may read. Passed in, so that reading stays a pure function.
package struct Surroundings: Sendable {
    package var variable: @Sendable (_ name: String) -> String?
    /// Reads a file whose path is as written; relative paths start at the configuration file.
    package var file: @Sendable (_ path: String) -> FileOutcome
    /// Reads a file again while the gateway runs; nil for files that cannot be read twice, such as a pipe.
    package var fileAgain: @Sendable (_ path: String) -> [UInt8]? = { _ in nil }

    /// What is at the path of a database file, relative to the configuration file; nil skips the checks of it.
    package var database: @Sendable (_ path: String) -> DatabaseFileFacts? = { _ in nil }

    /// Unix time in milliseconds; nil skips checks that depend on the date.
    package var now: (@Sendable () -> Int64)?

    /// Only commands that serve nothing set this.
    package var optionalReferences = OptionalReferences.none

    package init(
        variable: @escaping @Sendable (_ name: String) -> String?, file: @escaping @Sendable (_ path: String) -> FileOutcome,
        now: (@Sendable () -> Int64)? = nil
    ) {
        self.variable = variable
        self.file = file
        self.now = now
    }

    /// The current value of `${file:path}`; nil if it cannot be read again or is not text.
    package func textAgain(_ path: String) -> String? {
        guard var bytes = self.fileAgain(path) else { return nil }
        ReferenceExpander.trimNewline(&bytes)
        return String(validating: bytes, as: UTF8.self)
    }

    package enum FileOutcome: Sendable {
        case contents([UInt8], FileFacts)
        /// A short reason for the operator, such as `no such file`.
        case unreadable(reason: String)
    }
}

/// Metadata of a file.
package struct FileFacts: Sendable, Hashable {
    /// The permission bits of `st_mode`; nil if the platform has none.
    package var permissions: UInt32?
    /// True if the file is in a Kubernetes volume, whose modes the cluster sets.
    package var isKubernetesVolume: Bool

    package init(permissions: UInt32? = nil, isKubernetesVolume: Bool = false) {
        self.permissions = permissions
        self.isKubernetesVolume = isKubernetesVolume
    }
}

/// The state of a database file that the gateway creates or opens for writing.
package enum DatabaseFileFacts: Sendable, Hashable {
    case noFolder
    case readOnlyFolder
    /// There is something other than a file.
    case noFile
    case readOnlyFile
    /// The permission bits of `st_mode`; nil if the file does not exist yet.
    case usable(permissions: UInt32?)
}

/// A `${…}` in a scalar.
package struct Reference: Sendable, Hashable {
    package enum Target: Sendable, Hashable {
        case environment(name: String)
        case file(path: String, FileFacts)
    }
    package var target: Target
    /// The location of the `${…}`.
    package var span: SourceSpan
    /// True if the variable is unset and the default after `:-` is used.
    package var usesDefault = false
}

/// The text of a scalar with every `${…}` replaced.
package struct ExpandedText: Sendable {
    package var text: String
    package var references: [Reference]
    /// True if the scalar consists of one `${…}`.
    package var isOneReference: Bool
    /// Ranges of the file that contain the defaults after `:-`.
    package var defaults: [SourceSpan] = []

    package var isLiteral: Bool { references.isEmpty }
}

/// Expands `${env:NAME}`, `${env:NAME:-default}`, `${file:PATH}` and `$${`.
struct ReferenceExpander {
    private let surroundings: Surroundings
    private let source: SourceFile

    init(surroundings: Surroundings, source: SourceFile) {
        self.surroundings = surroundings
        self.source = source
    }

    enum Expansion {
        case text(ExpandedText)
        /// A finding for each reference without a value. No finding contains a value.
        case refused([Diagnostic])
        /// Well-formed references without a value here, where they are optional.
        case unresolved(UnresolvedValue)
    }

    func expand(_ node: Node, _ scalar: Node.Scalar, as type: ScalarType) -> Expansion {
        guard scalar.text.utf8.contains(UInt8(ascii: "$")) else {
            return .text(ExpandedText(text: scalar.text, references: [], isOneReference: false))
        }
        var places = ReferencePlaces(node: node, scalar: scalar, source: source)
        var progress = Progress()
        var rest = scalar.text[...]
        while let dollar = rest.firstIndex(of: "$") {
            progress.addLiteral(rest[..<dollar])
            rest = rest[dollar...]
            if rest.hasPrefix("$${") {
                progress.addLiteral("${")
                rest = rest.dropFirst(3)
                places.skip()
            } else if rest.hasPrefix("${") {
                guard progress.count < Self.mostReferences else {
                    progress.add(Self.tooMany, at: node.span)
                    break
                }
                let close = rest.firstIndex(of: "}")
                let span = places.next(isClosed: close != nil)
                let inner = rest.dropFirst(2)
                switch resolve(close.map { inner[..<$0] }, span) {
                case .success(let (text, reference)): progress.add(text, reference, defaultAt: defaultSpan(in: span))
                case .failure(let problem): progress.add(problem, at: span)
                }
                rest = close.map { rest[rest.index(after: $0)...] } ?? ""
            } else {
                progress.addLiteral("$")
                rest = rest.dropFirst()
            }
        }
        progress.addLiteral(rest)
        guard !progress.problems.isEmpty else { return .text(progress.expanded) }
        guard !progress.isMalformed, surroundings.optionalReferences.includes(type) else { return .refused(progress.problems) }
        return .unresolved(UnresolvedValue(references: progress.unresolved, findings: progress.problems))
    }

    /// The place of the default in a reference, if it has one.
    private func defaultSpan(in span: SourceSpan) -> SourceSpan? {
        source.text(of: span).range(ofDefaultMarker: ()).map { SourceSpan(start: span.start + $0, end: span.end - 1) }
    }

    /// The result of the text that has been read so far.
    private struct Progress {
        private var result = ExpandedText(text: "", references: [], isOneReference: false)
        private var literalLength = 0
        private(set) var problems: [Diagnostic] = []
        private(set) var unresolved: [Reference] = []
        /// A reference is not well-formed: a value elsewhere would not help.
        private(set) var isMalformed = false

        var count: Int { result.references.count + problems.count }

        var expanded: ExpandedText {
            var expanded = result
            expanded.isOneReference = result.references.count == 1 && literalLength == 0
            return expanded
        }

        mutating func addLiteral(_ text: Substring) {
            result.text += text
            literalLength += text.utf8.count
        }

        mutating func add(_ text: String, _ reference: Reference, defaultAt span: SourceSpan?) {
            result.text += text
            result.references.append(reference)
            if let span { result.defaults.append(span) }
        }

        mutating func add(_ problem: Problem, at span: SourceSpan) {
            problems.append(problem.diagnostic(at: span))
            if let target = problem.target {
                unresolved.append(Reference(target: target, span: span))
            } else {
                isMalformed = true
            }
        }
    }

    /// The maximum number of references in a value.
    private static let mostReferences = 100
    private static let tooMany = Problem(
        message: "this value contains more than \(mostReferences) references", label: "too many",
        help: "write the whole value into one variable or file")

    private struct Problem: Error {
        var message: String
        var label: String
        var help: String
        /// What the reference names, when it is well-formed and only has no value here.
        var target: Reference.Target?

        func diagnostic(at span: SourceSpan) -> Diagnostic {
            Diagnostic(.unresolvedReference, at: span, message, label: label, help: help)
        }
    }

    private func resolve(_ inner: Substring?, _ span: SourceSpan) -> Result<(String, Reference), Problem> {
        guard let inner else {
            return .failure(
                Problem(
                    message: "this reference has no closing brace", label: "`}` is missing",
                    help: "add `}`; for a literal `${` write `$${`"))
        }
        if inner.hasPrefix("env:") { return environment(inner.dropFirst(4), span) }
        if inner.hasPrefix("file:") { return file(String(inner.dropFirst(5)), span) }
        let isName = Self.isVariableName(inner)
        return .failure(
            Problem(
                message: "unknown kind of reference", label: "neither `env:` nor `file:`",
                help: isName
                    ? "for an environment variable write `${env:\(inner)}`; for a literal `${` write `$${`"
                    : "write `${env:NAME}`, `${env:NAME:-default}` or `${file:PATH}`; for a literal `${` write `$${`"))
    }

    private func environment(_ inner: Substring, _ span: SourceSpan) -> Result<(String, Reference), Problem> {
        var name = inner
        var fallback: String?
        if let colon = inner.firstIndex(of: ":") {
            name = inner[..<colon]
            guard inner[colon...].hasPrefix(":-") else {
                return .failure(
                    Problem(
                        message: "this reference is malformed", label: "expected `:-default`",
                        help: "write `${env:NAME}` or `${env:NAME:-default}`"))
            }
            fallback = String(inner[inner.index(colon, offsetBy: 2)...])
        }
        guard Self.isVariableName(name) else {
            return .failure(
                Problem(
                    message: "this is not the name of an environment variable", label: "letters, digits and `_` only",
                    help: "write `${env:NAME}` or `${env:NAME:-default}`"))
        }
        let value = surroundings.variable(String(name))
        let reference = Reference(target: .environment(name: String(name)), span: span)
        if let value, !(value.isEmpty && fallback != nil) { return .success((value, reference)) }
        guard let fallback else {
            return .failure(
                Problem(
                    message: "the environment variable `\(name)` is not set", label: "not set",
                    help: "set it where the gateway runs, or give a default: `${env:\(name):-default}`", target: reference.target))
        }
        var standIn = reference
        standIn.usesDefault = true
        return .success((fallback, standIn))
    }

    private func file(_ path: String, _ span: SourceSpan) -> Result<(String, Reference), Problem> {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            return .failure(Problem(message: "this reference has no file name", label: "no path", help: "write `${file:PATH}`"))
        }
        switch surroundings.file(path) {
        case .unreadable(let reason):
            return .failure(
                Problem(
                    message: "the file `\(path)` cannot be read", label: reason,
                    help: "create the file or correct the path; a relative path starts at the configuration file",
                    target: .file(path: path, FileFacts())))
        case .contents(var bytes, let facts):
            Self.trimNewline(&bytes)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return .failure(
                    Problem(
                        message: "the file `\(path)` is not UTF-8 text", label: "not text",
                        help: "store the value as text, in base64 if it is binary"))
            }
            return .success((text, Reference(target: .file(path: path, facts), span: span)))
        }
    }

    /// Removes one trailing line break, which editors add.
    static func trimNewline(_ bytes: inout [UInt8]) {
        guard bytes.last == 0x0A else { return }
        bytes.removeLast()
        if bytes.last == 0x0D { bytes.removeLast() }
    }

    /// Returns whether the name is valid (POSIX XBD 8.1): letters, digits and `_`, not starting with a digit.
    static func isVariableName(_ name: Substring) -> Bool {
        guard let first = name.utf8.first, !isDigit(first) else { return false }
        return name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
            default: isDigit($0)
            }
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

/// Locates each `${…}` of a scalar in the text of the file, in order.
private struct ReferencePlaces {
    private let node: Node
    private let source: SourceFile
    /// Offsets of each `${`; nil if escapes make the text differ from the file, so that only the whole scalar can be located.
    private var openings: [Int]?
    private var index = 0

    init(node: Node, scalar: Node.Scalar, source: SourceFile) {
        self.node = node
        self.source = source
        guard node.anchor == nil else { return }
        let bytes = source.bytes
        var found: [Int] = []
        for offset in node.extent.start..<max(node.extent.start, node.extent.end - 1)
        where bytes[offset] == UInt8(ascii: "$") && bytes[offset + 1] == UInt8(ascii: "{") {
            found.append(offset)
        }
        let expected = zip(scalar.text.utf8, scalar.text.utf8.dropFirst()).count { $0 == UInt8(ascii: "$") && $1 == UInt8(ascii: "{") }
        openings = found.count == expected ? found : nil
    }

    mutating func skip() { index += 1 }

    mutating func next(isClosed: Bool) -> SourceSpan {
        guard let openings, index < openings.count else { return node.span }
        defer { index += 1 }
        let start = openings[index]
        var end = start
        while end < node.extent.end, source.bytes[end] != UInt8(ascii: "}") { end += 1 }
        return SourceSpan(start: start, end: isClosed ? min(end + 1, node.extent.end) : trimmed(end))
    }

    /// An unclosed reference ends with the scalar, before its closing quote.
    private func trimmed(_ end: Int) -> Int {
        var end = end
        while end > node.extent.start, [0x22, 0x27, 0x20, 0x0A, 0x0D].contains(source.bytes[end - 1]) { end -= 1 }
        return end
    }
}

extension String {
    /// The byte offset after the first `:-`.
    fileprivate func range(ofDefaultMarker: Void) -> Int? {
        let bytes = Array(utf8)
        for index in bytes.indices.dropLast() where bytes[index] == UInt8(ascii: ":") && bytes[index + 1] == UInt8(ascii: "-") {
            return index + 2
        }
        return nil
    }
}

import Diagnostics
import YAML

/// Recognises `$NAME` and `$(NAME)`, which shells and Kubernetes replace by a variable and the gateway does not.
enum ShellReference {
    static func finding(_ node: Node, _ text: String, _ style: Node.Scalar.Style) -> Diagnostic? {
        guard let name = name(in: text) else { return nil }
        // A real secret may begin with `$`, and must not be shown.
        guard isPlainlyAName(name) else {
            return Diagnostic(
                .unresolvedReference, at: node.span, "a value that begins with `$` is not a reference", label: "not replaced by a variable",
                help: "write `${env:NAME}` with the name of the environment variable")
        }
        let reference = "${env:\(name)}"
        let canFix = style != .block && node.anchor == nil
        return Diagnostic(
            .unresolvedReference, at: node.span, "`\(text)` is not a reference", label: "not replaced by a variable",
            help: "write `\(reference)`",
            fix: canFix ? Fix(safe: true, [Fix.Edit(replacing: node.span, with: "\"\(reference)\"")]) : nil)
    }

    /// True for short words in capitals, with digits only if there are several words: random text hardly ever looks so.
    private static func isPlainlyAName(_ name: Substring) -> Bool {
        let words = name.split(separator: "_", omittingEmptySubsequences: false)
        return words.allSatisfy { word in
            (1...12).contains(word.utf8.count)
                && word.utf8.allSatisfy { (0x41...0x5A).contains($0) || words.count > 1 && ReferenceExpander.isDigit($0) }
        }
    }

    private static func name(in text: String) -> Substring? {
        guard text.hasPrefix("$") else { return nil }
        var name = text.dropFirst()
        if name.hasPrefix("("), name.hasSuffix(")") { name = name.dropFirst().dropLast() }
        return ReferenceExpander.isVariableName(name) ? name : nil
    }
}

import Diagnostics
import YAML

/// Recognises `$NAME` and `$(NAME)`, which shells and Kubernetes replace by a variable and the gateway does not.
enum ShellReference {
    static func finding(_ node: Node, _ text: String, _ style: Node.Scalar.Style) -> Diagnostic? {
        guard let name = name(in: text) else { return nil }
        // A real secret may begin with `$`. It is hardly ever capitals alone, which can be shown.
        guard name.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || ReferenceExpander.isDigit($0) || (0x41...0x5A).contains($0) }) else {
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

    private static func name(in text: String) -> Substring? {
        guard text.hasPrefix("$") else { return nil }
        var name = text.dropFirst()
        if name.hasPrefix("("), name.hasSuffix(")") { name = name.dropFirst().dropLast() }
        return ReferenceExpander.isVariableName(name) ? name : nil
    }
}

import Diagnostics

extension Rule {
    static let deprecatedKey = Rule(
        .deprecatedKey,
        what:
            "A key still works and will be removed. No key of version 1 is deprecated so far, so nothing reports this yet and there is no bad example.",
        why: "A release that removes it would not start with this file.",
        instead: "Write the key that replaces it; the finding will name it.", bad: nil, good: Example("version: 1\n"))
}

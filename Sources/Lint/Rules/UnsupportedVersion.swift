import Diagnostics

extension Rule {
    static let unsupportedVersion = Rule(
        .unsupportedVersion, what: "The file is written for another version of the format.",
        why: "Keys may have another meaning in that version.",
        instead: "Write `version: 1`, or use a gateway release that reads the other version.",
        bad: Example("version: «2»\n"), good: Example("version: 1\n"))
}

import Diagnostics

extension Rule {
    static let wrongType = Rule(
        .wrongType, what: "A list stands where a mapping belongs, a single value where a list belongs, or the like.",
        why: "The value cannot be read as what its key means.",
        instead: "Write the kind of value that the message names.",
        bad: Example("server: { publicURL: https://app.example.com, trustedProxies: «10.0.0.0/8» }\n"),
        good: Example("server: { publicURL: https://app.example.com, trustedProxies: [10.0.0.0/8] }\n"))
}

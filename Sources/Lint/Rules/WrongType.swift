import Diagnostics

extension Rule {
    static let wrongType = Rule(
        .wrongType, what: "A value has the wrong type, such as a list instead of a mapping, or a single value instead of a list.",
        why: "The gateway cannot read the value.",
        instead: "Write a value of the type that the message names.",
        bad: Example("server: { publicURL: https://app.example.com, trustedProxies: «10.0.0.0/8» }\n"),
        good: Example("server: { publicURL: https://app.example.com, trustedProxies: [10.0.0.0/8] }\n"))
}

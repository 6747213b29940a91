import YAML
import Config
import Diagnostics
import Providers

extension RuleName {
    static let unknownParameter = RuleName("unknown-parameter", .warning)
}

extension Rule {
    static let unknownParameter = Rule(
        .unknownParameter, what: "The provider does not document a custom parameter.",
        why: "Providers ignore unknown parameters, so a misspelt one silently has no effect.",
        instead: "Correct the name. `gateway providers ID` lists the documented parameters.",
        bad: Example(
            """
            providers:
              - id: google.com
                clientID: 1234.apps.googleusercontent.com
                clientSecret: ${env:GOOGLE_CLIENT_SECRET}
                customParameters: { hd: example.com, «promt»: consent }
            """),
        good: Example(
            """
            providers:
              - id: google.com
                clientID: 1234.apps.googleusercontent.com
                clientSecret: ${env:GOOGLE_CLIENT_SECRET}
                customParameters: { hd: example.com, prompt: consent }
            """),
        check: { context in
            context.providers.flatMap { provider -> [Diagnostic] in
                guard let preset = provider.preset, !provider.isGeneric else { return [] }
                let reserved = ReservedParameters(
                    adding: provider.configuration.reservedParameters + context.configuration.reservedParameters)
                let known = preset.parameters.map(\.name)
                let names = ParameterName.all(of: provider)
                return names.enumerated().compactMap { index, parameter in
                    let name = parameter.name
                    // Another spelling in upper or lower case is reported as a duplicate.
                    let isDuplicate = names[..<index].contains {
                        $0.isOffered == parameter.isOffered && $0.name.lowercased() == name.lowercased()
                    }
                    if isDuplicate { return nil }
                    guard !known.contains(name), !reserved.contains(name), Translations.meaning(of: name) == nil else { return nil }
                    let near = Spelling.nearest(to: name, among: known)
                    return Diagnostic(
                        .unknownParameter, at: parameter.node.span, "\(preset.displayName) does not document the parameter `\(name)`",
                        label: near.map { "did you mean `\($0)`?" } ?? "unknown parameter",
                        help: near.map { "write `\($0)`" } ?? "documented: \(known.sorted().joined(separator: ", "))",
                        fix: parameter.node.anchor == nil
                            ? near.map { Fix(safe: false, [.init(replacing: parameter.node.span, with: $0)]) } : nil)
                }
            }
        })
}

import YAML
import Providers
import Config
import Diagnostics

extension RuleName {
    static let translatedParameter = RuleName("translated-parameter")
}

extension Rule {
    static let translatedParameter = Rule(
        .translatedParameter, what: "A parameter name is a machine translation of a protocol parameter.",
        why:
            "Providers silently ignore unknown names. Such names usually come from machine-translated documentation.",
        instead: "Remove the entry. The gateway sets the original parameter itself.",
        bad: Example(
            """
            providers:
              - id: yahoo.com
                clientID: dj0yJmk9
                clientSecret: ${env:YAHOO_CLIENT_SECRET}
                customParameters:
                  «redirigir_uri»: https://app.example.com
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        good: Example(
            """
            providers:
              - id: yahoo.com
                clientID: dj0yJmk9
                clientSecret: ${env:YAHOO_CLIENT_SECRET}
                customParameters:
                  language: es
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        check: { context in
            context.providers.flatMap { provider in
                ParameterName.all(of: provider).compactMap { parameter in
                    guard let meant = Translations.meaning(of: parameter.name), !isDocumented(parameter.name, provider) else { return nil }
                    return Diagnostic(
                        .translatedParameter, at: parameter.node.span, "`\(parameter.name)` is a translation of `\(meant)`",
                        label: "no provider knows this name", help: "remove it; the gateway sets `\(meant)` itself")
                }
            }
        })

    private static func isDocumented(_ name: String, _ provider: LintContext.Provider) -> Bool {
        provider.preset?.parameter(named: name) != nil
    }
}

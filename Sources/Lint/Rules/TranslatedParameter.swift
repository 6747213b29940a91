import YAML
import Providers
import Config
import Diagnostics

extension Rule {
    static let translatedParameter = Rule(
        .translatedParameter, what: "A parameter name is the machine translation of a protocol word.",
        why:
            "Providers ignore names that they do not know, so the setting would silently do nothing. Translated documentation is where these come from.",
        instead: "Use the protocol's own name. The one that is meant here is reserved, so the entry goes.",
        bad: Example(
            """
            providers:
              - id: yahoo.com
                clientID: dj0yJmk9
                clientSecret: ${env:YAHOO_CLIENT_SECRET}
                customParameters:
                  «redirigir_uri»: https://app.example.com
            routes: [{ path: /**, access: { groups: [staff] } }]
            """),
        good: Example(
            """
            providers:
              - id: yahoo.com
                clientID: dj0yJmk9
                clientSecret: ${env:YAHOO_CLIENT_SECRET}
                customParameters:
                  language: es
            routes: [{ path: /**, access: { groups: [staff] } }]
            """),
        check: { context in
            context.providers.flatMap { provider in
                ParameterName.all(of: provider).compactMap { parameter in
                    guard let meant = Translations.meaning(of: parameter.name), !isDocumented(parameter.name, provider) else { return nil }
                    return Diagnostic(
                        .translatedParameter, at: parameter.node.span, "`\(parameter.name)` is a translation of `\(meant)`",
                        label: "no provider knows this name", help: "remove it; `\(meant)` is reserved, the gateway sets it")
                }
            }
        })

    private static func isDocumented(_ name: String, _ provider: LintContext.Provider) -> Bool {
        provider.preset?.parameter(named: name) != nil
    }
}

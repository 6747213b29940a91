import Config
import Diagnostics
import Pages
import Primitives
import TokenCrypto

extension RuleName {
    static let invalidPageTemplate = RuleName("invalid-page-template")
}

extension Rule {
    static let invalidPageTemplate = Rule(
        .invalidPageTemplate, what: "A page template is not valid Mustache, or could output a value unescaped.",
        why:
            "Pages show values that come from providers and users. The gateway escapes every value and allows no scripts. A template that bypasses this would open the sign-in page to cross-site scripting.",
        instead:
            "Write values as `{{name}}` and partials as `{{> name}}`. Put styles into a `<style>` element that contains no `{{…}}`. Remove scripts.",
        bad: Example(
            """
            pages: { templates: { error: «"<h1>{{{title}}}</h1>"» } }
            """),
        good: Example(
            """
            pages: { templates: { error: "<h1>{{title}}</h1><p>{{happened}} {{next}}</p>" } }
            """),
        check: { context in
            guard let templates = context.root["pages"]?.object?["templates"]?.object else { return [] }
            do throws(PageTemplates.Problem) {
                let pages = context.configuration.pages
                _ = try PageTemplates(pages: pages.templates, partials: pages.partials) { Base64.encode(SHA2.sha256(Array($0.utf8))) }
                return []
            } catch {
                let partial = templates["partials"]?.map?.first { $0.name == error.name }?.item
                return [
                    Diagnostic(
                        .invalidPageTemplate, at: (templates[error.name] ?? partial)?.referenceSpan ?? templates.span, error.description,
                        label: "cannot be used", help: "see docs/pages.md for what a template may contain")
                ]
            }
        })
}

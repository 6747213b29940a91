import Config
import Diagnostics
import Pages
import TokenCrypto

extension Rule {
    static let invalidPageTemplate = Rule(
        .invalidPageTemplate, what: "A page template is no Mustache template, or could let a value through unescaped.",
        why:
            "Pages show what providers and people wrote: every value is escaped, and no script runs. A template that undid this would open the sign-in page to cross-site scripting.",
        instead: "Write values as `{{name}}`, partials as `{{> name}}`, styles in a `<style>` element without values; take scripts out.",
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
                        label: "cannot be used", help: "see docs/pages.md for what a template may hold")
                ]
            }
        })
}

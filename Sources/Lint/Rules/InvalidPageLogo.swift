import Config
import Diagnostics
import Pages

extension RuleName {
    static let invalidPageLogo = RuleName("invalid-page-logo")
}

extension Rule {
    static let invalidPageLogo = Rule(
        .invalidPageLogo, what: "The file in `pages.logo` cannot be read, is too large, or is not an image that the pages can show.",
        why:
            "The gateway reads the logo once and sends it inside every page, so the file must be small and in a format that browsers support. The gateway does not start without the file.",
        instead: "Use an SVG, PNG, JPEG, GIF or WebP file of at most 64 KiB. Remove `<script>` elements from an SVG file: they never run.",
        bad: Example(
            """
            pages: { logo: «missing.svg» }
            """),
        good: Example(
            """
            pages: { logo: "https://cdn.example.com/logo.svg" }
            """),
        check: { context in
            guard case .file(let path, _) = context.configuration.pages.logo,
                let item = context.root["pages"]?.object?["logo"]
            else { return [] }
            func finding(_ problem: String, _ label: String, _ help: String) -> [Diagnostic] {
                [Diagnostic(.invalidPageLogo, at: item.referenceSpan, "the logo `\(path)` \(problem)", label: label, help: help)]
            }
            // Read again when the gateway starts, which a pipe does not allow.
            guard let contents = context.surroundings.fileAgain(path) else {
                return finding(
                    "cannot be read", "no readable file", "name a regular file; a relative path starts at the configuration file")
            }
            do throws(PageLogo.Problem) {
                try PageLogo.mediaType(of: contents)
                return []
            } catch {
                return switch error {
                case .tooLarge(let bytes):
                    finding(
                        "has \(bytes) bytes, more than \(PageLogo.largestFile)", "too large",
                        "save it in a smaller size: it is shown 32 pixels high")
                case .unknownFormat: finding("is not an image", "unknown format", "use an SVG, PNG, JPEG, GIF or WebP file")
                case .script: finding("contains a script", "never runs", "remove the `<script>` element from the file")
                }
            }
        })
}

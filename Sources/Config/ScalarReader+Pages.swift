import Primitives

extension ScalarReader {
    /// A path, or a URL that the content policy of the pages can name.
    func logo() -> Result<ScalarValue, ScalarProblem> {
        if text.hasPrefix("<") || text.hasPrefix("data:") {
            return .failure(
                ScalarProblem(
                    "`\(key)` must be a path or an https URL", label: "the picture itself",
                    help: "write the path of the file, without `${file:…}`"))
        }
        guard PagesConfiguration.isURL(text) else { return path() }
        guard let url = AbsoluteURL(text, allowing: .all), url.isSecure, !url.hasUserInfo else {
            return .failure(
                ScalarProblem(
                    "`\(key)` must be a path or an https URL", label: "not an https URL",
                    help: "write it like `https://cdn.example.com/logo.svg`, or the path of a file"))
        }
        return .success(.text(text))
    }

    /// `#0b5d57`, with or without the `#`.
    static func isColor(_ text: String) -> Bool {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        return digits.utf8.count == 6 && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    func color() -> Result<ScalarValue, ScalarProblem> {
        guard Self.isColor(text) else {
            return .failure(
                ScalarProblem(
                    "`\(key)` must be a color of six hexadecimal digits", label: "not a color",
                    help: "write it in quotes, like `\"#0b5d57\"`"))
        }
        return .success(.text(text))
    }

    /// The forms that `LinkTarget` of the pages accepts, and no other scheme: `javascript:` would run on the sign-in page.
    func link() -> Result<ScalarValue, ScalarProblem> {
        let isClean = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
        let isAddress = text.hasPrefix("mailto:") && text.dropFirst(7).contains("@")
        let isPath = text.hasPrefix("/") && !text.hasPrefix("//")
        guard isClean, isAddress || isPath || AbsoluteURL(text, allowing: .all) != nil else {
            return .failure(
                ScalarProblem(
                    "`\(key)` must be a URL, a path of the site or `mailto:` with an address", label: "not a link",
                    help: "write it like `https://example.com/help`, `/help` or `mailto:help@example.com`"))
        }
        return .success(.text(text))
    }
}

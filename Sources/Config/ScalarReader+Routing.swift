import Diagnostics

extension ScalarReader {
    /// `null` is the origin of sandboxed frames and files, so any page can have it.
    func pageOrigin() -> Result<ScalarValue, ScalarProblem> {
        if text == "*" { return .success(.text(text)) }
        if text == "null" {
            return .failure(
                ScalarProblem(
                    "`null` cannot be an allowed origin", label: "any page can have this origin",
                    help: "serve the page from its own address, and list that origin"))
        }
        return origin()
    }

    /// Checks a header value (RFC 9110 section 5.5): no control characters, and no white space at the ends.
    func headerValue() -> Result<ScalarValue, ScalarProblem> {
        let scalars = text.unicodeScalars
        if scalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) {
            return .failure(ScalarProblem("a header value contains a control character", label: "not one line of text"))
        }
        guard scalars.first?.properties.isWhitespace != true, scalars.last?.properties.isWhitespace != true else {
            return .failure(ScalarProblem("a header value starts or ends with white space", label: "receivers remove it"))
        }
        return .success(.text(text))
    }

    /// `protocol-name ["/" protocol-version]` (RFC 9110 section 7.8).
    func upgradeProtocol() -> Result<ScalarValue, ScalarProblem> {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ Self.isToken(String($0)) }) else {
            return .failure(
                ScalarProblem("\(shown) is not a protocol name", label: "not a name", help: "write it as in `Upgrade`, like `websocket`"))
        }
        return .success(.text(text))
    }
}

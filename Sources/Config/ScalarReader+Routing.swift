import Diagnostics

extension ScalarReader {
    /// `null` is what sandboxed frames and files call their origin: anybody can be `null`.
    func pageOrigin() -> Result<ScalarValue, ScalarProblem> {
        if text == "*" { return .success(.text(text)) }
        if text == "null" {
            return .failure(
                ScalarProblem(
                    "`null` is no origin of yours", label: "anybody can have it",
                    help: "serve the page from an address of its own and list that"))
        }
        return origin()
    }

    /// RFC 9110 section 5.5: no control characters, nothing at the ends that receivers cut off.
    func headerValue() -> Result<ScalarValue, ScalarProblem> {
        let scalars = text.unicodeScalars
        if scalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) {
            return .failure(ScalarProblem("a header value holds no control characters", label: "not one line of text"))
        }
        guard scalars.first?.properties.isWhitespace != true, scalars.last?.properties.isWhitespace != true else {
            return .failure(ScalarProblem("a header value begins or ends with white space", label: "would be cut off"))
        }
        return .success(.text(text))
    }

    /// `protocol-name ["/" protocol-version]` (RFC 9110 section 7.8).
    func upgradeProtocol() -> Result<ScalarValue, ScalarProblem> {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ Self.isToken(String($0)) }) else {
            return .failure(
                ScalarProblem("\(shown) is not a protocol", label: "not a name", help: "write it as in `Upgrade`, like `websocket`"))
        }
        return .success(.text(text))
    }
}

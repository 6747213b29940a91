import Primitives
import Diagnostics

extension ScalarReader {
    /// A name that a certificate can carry as a DNS name (RFC 9525 section 3).
    func serverName() -> Result<ScalarValue, ScalarProblem> {
        if text.contains("/") || text.contains(":") {
            return .failure(
                ScalarProblem(
                    "`serverName` must be only a host name", label: "more than a name", help: "write it like `app.internal.example`"))
        }
        if NetworkAddress(text) != nil {
            return .failure(
                ScalarProblem(
                    "`serverName` must be a name, because TLS does not send addresses", label: "an address",
                    help: "remove it; if a target's URL contains an address, its certificate must contain that address"))
        }
        guard AbsoluteURL.isHostName(text), !text.hasSuffix(".") else {
            return .failure(ScalarProblem("\(shown) is not a host name", label: "not a name", help: "write it like `app.internal.example`"))
        }
        return .success(.text(text.lowercased()))
    }

    /// A path with an optional query, in the bytes that RFC 3986 allows there.
    func healthPath() -> Result<ScalarValue, ScalarProblem> {
        guard text.hasPrefix("/") else {
            return .failure(
                ScalarProblem(
                    "the path of a health check must start with `/`", label: text.contains("://") ? "a URL" : "no slash",
                    help: text.contains("://") ? "write only the path; the gateway adds each target's address" : "write `/\(shownPath)`"))
        }
        guard !text.contains("#"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return .failure(
                ScalarProblem(
                    "\(shown) is not a path", label: "contains invalid characters",
                    help: "escape spaces and other bytes as `%20`; remove `#…`"))
        }
        return .success(.text(text))
    }

    private var shownPath: String { shown.hasPrefix("`") ? text : "healthz" }
}

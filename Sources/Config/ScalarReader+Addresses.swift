import Primitives
import Diagnostics

extension ScalarReader {
    func listen() -> Result<ScalarValue, ScalarProblem> {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // sun_path holds 108 bytes, the last of them NUL (unix(7)).
            guard path.hasPrefix("/"), !path.utf8.contains(0), path.utf8.count <= 107 else {
                return .failure(
                    ScalarProblem(
                        "\(shown) is not a socket path", label: "not an absolute path", help: "write `unix:/path`, at most 107 bytes"))
            }
            return .success(.address(.unix(path: path)))
        }
        if text.hasPrefix(":"), let port = AbsoluteURL.portNumber(text.dropFirst()) {
            return .success(.address(.tcp(host: "", port: port)))
        }
        if let (host, port) = AbsoluteURL.hostAndPort(text[...]), let port {
            return .success(.address(.tcp(host: host, port: port)))
        }
        let isPort = AbsoluteURL.portNumber(text[...]) != nil
        return .failure(
            ScalarProblem(
                "\(shown) is not an address to listen on", label: isPort ? "only a port" : "not an address",
                help: isPort && shown != "this value"
                    ? "write \":\(text)\" to listen on every interface, or 127.0.0.1:\(text)"
                    : "write `host:port`, `[v6]:port`, `:port` or `unix:/path`",
                replacement: nil))
    }

    func upstream() -> Result<ScalarValue, ScalarProblem> {
        if text.hasPrefix("unix:") {
            return listen().map { value in
                guard case .address(let address) = value else { return value }
                return .upstream(UpstreamAddress(scheme: .http, endpoint: address))
            }
        }
        guard let url = AbsoluteURL(text, schemes: ["http", "https", "h2c"], allowing: .all),
            let scheme = UpstreamAddress.Scheme(rawValue: url.scheme)
        else {
            return .failure(
                ScalarProblem(
                    "\(shown) is not an upstream", label: isHostAndPort ? "no scheme" : "not a URL",
                    help: isHostAndPort
                        ? "write `http://\(text)`" : "write `http://host:port`, `https://host`, `h2c://host:port` or `unix:/path`"))
        }
        guard !url.hasUserInfo, url.query == nil, url.fragment == nil, url.path.isEmpty || url.path == "/" else {
            return .failure(
                ScalarProblem(
                    "an upstream must be an origin: scheme, host and port", label: "more than an origin",
                    help: "write only `\(url.origin.text)`; the gateway appends the request's path, and `rewrite` can change it"))
        }
        return .success(.upstream(UpstreamAddress(scheme: scheme, endpoint: .tcp(host: url.host, port: url.port))))
    }

    /// Whether the scheme alone is missing, and the text may be shown.
    private var isHostAndPort: Bool {
        guard shown != "this value", let url = AbsoluteURL("http://" + text, allowing: .all) else { return false }
        return url.isOriginOnly && url.explicitPort != nil
    }

    func publicURL() -> Result<ScalarValue, ScalarProblem> {
        guard let url = AbsoluteURL(text, allowing: .all) else {
            return .failure(
                ScalarProblem(
                    .publicURL, "`publicURL` must be an https origin", label: "not an origin",
                    help: "write it like `https://app.example.com`"))
        }
        guard url.isOriginOnly else {
            let isSlash = url.path == "/" && url.query == nil && url.fragment == nil && !url.hasUserInfo
            return .failure(
                ScalarProblem(
                    .publicURL, "`publicURL` must be an origin: scheme, host and port",
                    label: isSlash ? "ends with a slash" : "more than an origin",
                    help: "write `\(url.origin.text)`", replacement: url.origin.text, safe: isSlash))
        }
        guard url.isSecure || url.isLoopback else {
            return .failure(
                ScalarProblem(
                    .publicURL, "`publicURL` must be https", label: "http is allowed on loopback only",
                    help: "write the `https://…` address that users open, also behind a TLS proxy"))
        }
        return .success(.origin(url.origin))
    }

    func origin() -> Result<ScalarValue, ScalarProblem> {
        guard let url = AbsoluteURL(text, allowing: .all), url.isOriginOnly else {
            return .failure(
                ScalarProblem("\(shown) is not an origin", label: "not an origin", help: "write it like `https://www.example.com`"))
        }
        guard url.isSecure || url.isLoopback else { return .failure(insecure("an origin")) }
        return .success(.origin(url.origin))
    }

    func url() -> Result<ScalarValue, ScalarProblem> {
        guard let url = AbsoluteURL(text, allowing: .all), url.fragment == nil, !url.hasUserInfo else {
            return .failure(
                ScalarProblem("`\(key)` must be a URL", label: "not a URL", help: "write it like `https://login.example.com/path`"))
        }
        guard url.isSecure || url.isLoopback else { return .failure(insecure("`\(key)`")) }
        return .success(.text(text))
    }

    /// OpenID Connect Discovery 1.0 section 3: https, no query and no fragment.
    func issuer() -> Result<ScalarValue, ScalarProblem> {
        func invalid(_ message: String, _ label: String, _ help: String) -> Result<ScalarValue, ScalarProblem> {
            .failure(ScalarProblem(.invalidIssuer, message, label: label, help: help))
        }
        guard let url = AbsoluteURL(text, allowing: .all) else {
            return invalid("`issuer` must be a URL", "not a URL", "copy it from the provider, like `https://auth.example.com`")
        }
        if url.path.contains("/.well-known/") {
            return invalid(
                "`issuer` must not be the address of the discovery document", "the gateway appends this path",
                "write only the part before `/.well-known/`")
        }
        if url.hasUserInfo {
            return invalid("`issuer` must not contain a user name or password", "user information", "remove everything up to the `@`")
        }
        if url.query != nil { return invalid("`issuer` must not have a query", "a query", "remove the `?` and everything after it") }
        if url.fragment != nil {
            return invalid("`issuer` must not have a fragment", "a fragment", "remove the `#` and everything after it")
        }
        guard url.isSecure || url.isLoopback else { return .failure(insecure("`issuer`")) }
        return .success(.text(text))
    }

    private func insecure(_ what: String) -> ScalarProblem {
        ScalarProblem(
            .insecureURL, "\(what) must be https", label: "plain http", help: "write `https://`; http is allowed on loopback only")
    }

    func network() -> Result<ScalarValue, ScalarProblem> {
        if text.utf8.contains(UInt8(ascii: "/")), CIDRBlock(text) != nil { return .success(.text(text)) }
        if NetworkAddress(text) != nil {
            let block = text + (text.utf8.contains(UInt8(ascii: ":")) ? "/128" : "/32")
            return .failure(
                ScalarProblem(
                    "\(shown) is an address, not a network", label: "no prefix length",
                    help: shown == "this value" ? "add `/32`" : "write `\(block)`",
                    replacement: block, safe: true))
        }
        return .failure(
            ScalarProblem("\(shown) is not a network", label: "not in CIDR notation", help: "write it like `10.0.0.0/8` or `fd00::/8`"))
    }

    func pathPrefix() -> Result<ScalarValue, ScalarProblem> {
        let segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isPath = text.hasPrefix("/") && !segments.isEmpty && segments.allSatisfy { Self.isPlainSegment($0) }
        if isPath { return .success(.text(text)) }
        let isSlash = text.hasSuffix("/") && text.count > 1
        return .failure(
            ScalarProblem(
                "\(shown) is not a path prefix", label: isSlash ? "ends with a slash" : "not a prefix",
                help:
                    "write it like `/_gateway`: start with `/`, do not end with `/`, and use only letters, digits, `-`, `.`, `_` and `~`"
            ))
    }

    /// Returns whether a segment has unreserved characters only (RFC 3986 section 2.3) and is not a dot segment.
    private static func isPlainSegment(_ segment: Substring) -> Bool {
        !segment.isEmpty && segment != "." && segment != ".."
            && segment.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                    true
                default: false
                }
            }
    }

    func pathPattern() -> Result<ScalarValue, ScalarProblem> {
        func invalid(_ message: String, _ help: String) -> Result<ScalarValue, ScalarProblem> {
            .failure(ScalarProblem(message, label: "not a path pattern", help: help))
        }
        guard text.hasPrefix("/") else { return invalid("a path pattern must start with `/`", "write `/**` for every path") }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }) else {
            return invalid(
                "a path pattern contains a character that paths cannot contain",
                "write only the path, without a query; escape a space as `%20`")
        }
        var names = Set<Substring>()
        let segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            if segment == "*" || segment == "**" { continue }
            if segment.isEmpty {
                if index == segments.count - 1 { continue }
                return invalid("a path pattern has an empty segment", "remove one `/`")
            }
            if segment.contains("*") {
                return invalid("`*` and `**` match whole segments", "write `/*/` or `/**`, not part of a segment")
            }
            if segment == "." || segment == ".." {
                return invalid("a path pattern has a dot segment", "write the path without `.` and `..`")
            }
            guard segment.contains("{") || segment.contains("}") else { continue }
            let name = segment.dropFirst().dropLast()
            let isName =
                segment.hasPrefix("{") && segment.hasSuffix("}") && !name.isEmpty
                && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
            guard isName else {
                return invalid("`{name}` matches a whole segment", "write `/{name}/` with letters, digits, `_` and `-`")
            }
            guard names.insert(name).inserted else {
                return invalid("a path pattern uses `{\(name)}` twice", "give each segment a different name")
            }
        }
        return .success(.text(text))
    }

    func hostPattern() -> Result<ScalarValue, ScalarProblem> {
        let name = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
        let isAddress = name.hasPrefix("[") && AbsoluteURL.hostAndPort(name) != nil
        let bare = AbsoluteURL.hostAndPort(name)?.host ?? String(name)
        if isAddress || AbsoluteURL.isHostName(bare) { return .success(.text(text)) }
        return .failure(
            ScalarProblem(
                "\(shown) is not a host", label: text.contains("://") ? "a URL" : "not a host name",
                help: "write it like `app.example.com`, or \"*.example.com\" for every host below a domain"))
    }

    func cookieDomain() -> Result<ScalarValue, ScalarProblem> {
        func invalid(_ message: String, _ label: String) -> Result<ScalarValue, ScalarProblem> {
            .failure(
                ScalarProblem(.cookieDomain, message, label: label, help: "write a parent domain of `publicURL`'s host, like `example.com`")
            )
        }
        if text.contains("/") || text.contains(":") { return invalid("a cookie domain is a host name, not a URL", "a URL") }
        let name = text.hasPrefix(".") ? String(text.dropFirst()) : text
        guard AbsoluteURL.isHostName(name), NetworkAddress(name) == nil else {
            return invalid("\(shown) is not a domain", "not a domain")
        }
        if PublicSuffixes.contains(name) { return invalid("\(shown) is a public suffix, which other owners share", "a public suffix") }
        return .success(.text(text))
    }

    func store() -> Result<ScalarValue, ScalarProblem> {
        if text == "cookie" { return .success(.text(text)) }
        guard text.contains("://") else {
            return .failure(
                ScalarProblem(
                    "`store` must be `cookie` or the URL of a store", label: "not a store",
                    help: "write `cookie`, `redis://host:6379/0` or `rediss://…`"))
        }
        return sessionStoreURL()
    }

    func sessionStoreURL() -> Result<ScalarValue, ScalarProblem> {
        do throws(RedisURL.Problem) {
            _ = try RedisURL(text)
            return .success(.text(text))
        } catch {
            return .failure(
                ScalarProblem(
                    "this session store's URL \(error.rawValue)", label: "not a valid URL",
                    help: "write it like `rediss://user:password@redis.example.com:6379/0`"))
        }
    }
}

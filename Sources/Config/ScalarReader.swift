import Diagnostics
import Primitives

/// Reads the text of a scalar as its key's type.
struct ScalarReader {
    let key: String
    let text: String
    let isShowable: Bool

    /// The value as shown in messages: its text if it is in the file, never text from a reference.
    var shown: String {
        guard isShowable else { return "this value" }
        let isLong = text.unicodeScalars.count > 60
        return "`\(isLong ? String(text.unicodeScalars.prefix(57)) + "…" : text)`"
    }

    func read(_ type: ScalarType) -> Result<ScalarValue, ScalarProblem> {
        switch type {
        case .text, .secret, .credential, .parameterValue: .success(.text(text))
        case .boolean: boolean()
        case .integer(let range): integer(range)
        case .duration(let minimum): duration(minimum)
        case .size(let range): size(range)
        case .words(let words): word(words)
        case .version: version()
        case .flow: flow()
        case .listen: listen()
        case .upstream: upstream()
        case .serverName: serverName()
        case .healthPath: healthPath()
        case .publicURL: publicURL()
        case .origin: origin()
        case .url: url()
        case .issuer: issuer()
        case .network: network()
        case .path: path()
        case .logDestination: logDestination()
        case .pathPrefix: pathPrefix()
        case .pathPattern: pathPattern()
        case .hostPattern: hostPattern()
        case .method: method()
        case .scope: token("scope")
        case .contextClass: token("authentication context class")
        case .parameterName: parameterName()
        case .sessionKey: sealingKey("session key")
        case .accountKey: sealingKey("account key")
        case .accountStore: accountStore()
        case .mailURL: mailURL()
        case .mailSender: mailSender()
        case .mailDomain: mailDomain()
        case .cookieName: cookieName()
        case .headerName: headerName()
        case .cookieDomain: cookieDomain()
        case .template: .success(.text(text))
        case .emailPattern: emailPattern()
        case .store: store()
        case .sessionStoreURL: sessionStoreURL()
        case .pageOrigin: pageOrigin()
        case .headerValue: headerValue()
        case .upgradeProtocol: upgradeProtocol()
        case .logo: logo()
        case .color: color()
        case .link: link()
        }
    }

    // MARK: Plain values

    private func logDestination() -> Result<ScalarValue, ScalarProblem> {
        switch text {
        case "stdout", "stderr": return .success(.text(text))
        case _ where text.hasPrefix("/") && !text.hasSuffix("/"): return .success(.text(text))
        default:
            return .failure(
                ScalarProblem(
                    "`\(key)` must be `stdout`, `stderr` or the absolute path of a file", label: "not a destination",
                    help: "write an absolute path; a relative one would depend on the working directory"))
        }
    }

    private func boolean() -> Result<ScalarValue, ScalarProblem> {
        switch text {
        case "true", "True", "TRUE": return .success(.boolean(true))
        case "false", "False", "FALSE": return .success(.boolean(false))
        default: break
        }
        let meaning: Bool? =
            switch text.lowercased() {
            case "yes", "on", "y": true
            case "no", "off", "n": false
            default: nil
            }
        if let meaning {
            return .failure(
                ScalarProblem(
                    .yaml11Boolean, "\(shown) is not a boolean in YAML 1.2", label: "a string here", help: "write `\(meaning)`",
                    replacement: String(meaning), safe: true))
        }
        return .failure(ScalarProblem("`\(key)` must be `true` or `false`", label: "not a boolean"))
    }

    /// Parses decimal digits without leading zeros.
    private func integer(_ range: ClosedRange<Int>) -> Result<ScalarValue, ScalarProblem> {
        guard isDecimal(text[...]), let value = Int(text) else {
            return .failure(
                ScalarProblem("`\(key)` must be a whole number", label: "not a number", help: "write it in digits without a leading zero"))
        }
        guard range.contains(value) else {
            return .failure(
                ScalarProblem("`\(key)` must be from \(range.lowerBound) to \(range.upperBound)", label: "out of range"))
        }
        return .success(.integer(value))
    }

    private func isDecimal(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } && (text == "0" || text.first != "0")
    }

    /// Parses `1h30m`: whole numbers with units, each unit once, the largest first.
    private func duration(_ minimum: Int64) -> Result<ScalarValue, ScalarProblem> {
        let units: [(String, Int64)] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)]
        var rest = text[...]
        var total: Int64 = 0
        var previous = -1
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest[digits.endIndex...]
            let unit = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest[unit.endIndex...]
            guard isDecimal(digits), let amount = Int64(digits), let index = units.firstIndex(where: { $0.0 == unit }), index > previous
            else { return .failure(notADuration()) }
            previous = index
            let (product, overflow) = amount.multipliedReportingOverflow(by: units[index].1)
            let (sum, carry) = total.addingReportingOverflow(product)
            guard !overflow, !carry, sum <= 36_500 * 86_400_000 else {
                return .failure(ScalarProblem("`\(key)` is longer than 100 years", label: "too long"))
            }
            total = sum
        }
        guard previous >= 0 else { return .failure(notADuration()) }
        guard total >= minimum else {
            return .failure(
                ScalarProblem("`\(key)` must be at least \(minimum < 1000 ? "1ms" : "\(minimum / 1000)s")", label: "too short"))
        }
        return .success(.milliseconds(total))
    }

    private func notADuration() -> ScalarProblem {
        let isBare = isDecimal(text[...])
        return ScalarProblem(
            "`\(key)` must be a duration", label: isBare ? "a number without a unit" : "not a duration",
            help: isBare
                ? "add the unit: `\(shownDigits)s`, `\(shownDigits)m` or `\(shownDigits)h`"
                : "write it like `500ms`, `30s`, `15m`, `12h`, `7d` or `1h30m`")
    }

    private var shownDigits: String { shown == "this value" ? "30" : String(text.prefix(12)) }

    private func size(_ range: ClosedRange<Int>) -> Result<ScalarValue, ScalarProblem> {
        let units = ["B": 1, "KiB": 1024, "MiB": 1024 * 1024, "GiB": 1024 * 1024 * 1024]
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard isDecimal(digits), let factor = units[String(text[digits.endIndex...])] else {
            let isBare = isDecimal(text[...])
            return .failure(
                ScalarProblem(
                    "`\(key)` must be a size", label: isBare ? "a number without a unit" : "not a size",
                    help: isBare ? "add the unit: `\(shownDigits)B` or `\(shownDigits)KiB`" : "write it like `32KiB` or `10MiB`"))
        }
        guard let amount = Int(digits) else { return .failure(ScalarProblem("`\(key)` is too large", label: "too large")) }
        let (bytes, overflow) = amount.multipliedReportingOverflow(by: factor)
        guard !overflow, range.contains(bytes) else {
            return .failure(ScalarProblem("`\(key)` is outside the allowed range", label: "out of range"))
        }
        return .success(.bytes(bytes))
    }

    private func word(_ words: [String]) -> Result<ScalarValue, ScalarProblem> {
        if words.contains(text) { return .success(.text(text)) }
        let near = Spelling.nearest(to: text, among: words)
        // Words stand for an id in the forms of `providers` with their own.
        return .failure(
            ScalarProblem(
                key == "id" ? .unknownProvider : .invalidValue,
                "\(shown == "this value" ? "this" : shown) is not \(key == "id" ? "a known provider" : "a value of `\(key)`")",
                label: near.map { "did you mean `\($0)`?" },
                help: "write \(ScalarType.alternatives(words))", replacement: near,
                safe: near.map { Spelling.isSameWord($0, text) } ?? false))
    }

    private func version() -> Result<ScalarValue, ScalarProblem> {
        if text == "1" { return .success(.integer(1)) }
        let isNumber = isDecimal(text[...]) || (Double(text) != nil && text.first != "0")
        guard isNumber else {
            return .failure(ScalarProblem("`version` must be a number", label: "not a version", help: "write `version: 1`"))
        }
        return .failure(
            ScalarProblem(
                .unsupportedVersion, "this gateway does not read version \(shown)", label: "it reads version 1",
                help: "write `version: 1`, or use the gateway release that this file was written for"))
    }

    private func flow() -> Result<ScalarValue, ScalarProblem> {
        if text == "code" { return .success(.text(text)) }
        return .failure(
            ScalarProblem(
                .implicitFlow, "the flow \(shown) is not supported", label: "only `code` is supported",
                help: "remove this key; the default is the authorization code flow with PKCE"))
    }

    /// A path with a line break is a file's contents by mistake, from `${file:…}` or a block scalar. Messages and logs show paths but
    /// must not show a key.
    func path() -> Result<ScalarValue, ScalarProblem> {
        if text.hasPrefix("-----BEGIN ") || text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            return .failure(
                ScalarProblem(
                    "`\(key)` must be a path", label: "this is the contents of the file",
                    help: "write the path of the file, without `${file:…}`"))
        }
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return .failure(ScalarProblem("`\(key)` must be a path", label: "contains a control character"))
        }
        return .success(.text(text))
    }

    // MARK: Words of HTTP and OAuth

    /// RFC 9110 section 5.6.2.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains($0)
                }
            }
    }

    /// Checks a cookie name (RFC 6265 section 4.1.1). The gateway adds the prefixes of RFC 6265bis itself.
    private func cookieName() -> Result<ScalarValue, ScalarProblem> {
        guard Self.isToken(text) else {
            return .failure(ScalarProblem("\(shown) is not a cookie name", label: "not allowed", help: "use letters, digits, `-` and `_`"))
        }
        let lowered = text.lowercased()
        guard !lowered.hasPrefix("__host-"), !lowered.hasPrefix("__secure-") else {
            return .failure(
                ScalarProblem(
                    "the cookie name has a reserved prefix", label: "the gateway adds it",
                    help: "write the name without `__Host-` or `__Secure-`"))
        }
        return .success(.text(text))
    }

    private func headerName() -> Result<ScalarValue, ScalarProblem> {
        Self.isToken(text)
            ? .success(.text(text))
            : .failure(
                ScalarProblem(
                    .invalidHeaderName, "\(shown) is not a header name", label: "not allowed", help: "use letters, digits and `-`"))
    }

    private func method() -> Result<ScalarValue, ScalarProblem> {
        guard Self.isToken(text) else {
            return .failure(ScalarProblem("\(shown) is not an HTTP method", label: "not a method", help: "write it like `GET` or `POST`"))
        }
        let upper = text.uppercased()
        if upper == "CONNECT" || upper == "TRACE" {
            return .failure(ScalarProblem("the gateway never forwards \(shown)", label: "always answered with 405", help: "remove it"))
        }
        guard text == upper else {
            return .failure(
                ScalarProblem(
                    "\(shown) is not an HTTP method", label: "methods are upper case", help: "write `\(upper)`", replacement: upper,
                    safe: true))
        }
        return .success(.text(text))
    }

    /// One value of a list that is sent with spaces between them (RFC 6749 section 3.3; OpenID Connect Core 1.0 section 3.1.2.1).
    private func token(_ name: String) -> Result<ScalarValue, ScalarProblem> {
        let isToken =
            !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        if isToken { return .success(.text(text)) }
        return .failure(
            ScalarProblem(
                "\(shown) is not a single \(name)", label: text.contains(" ") ? "contains a space" : "not one value",
                help: "write each \(name) as a separate list item"))
    }

    private func parameterName() -> Result<ScalarValue, ScalarProblem> {
        let isName = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        return isName ? .success(.text(text)) : .failure(ScalarProblem("\(shown) is not a parameter name", label: "not a name"))
    }

    /// Checks an address or `*@domain`. The linter reports patterns that match several domains.
    private func emailPattern() -> Result<ScalarValue, ScalarProblem> {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let isPattern =
            parts.count == 2 && !parts[0].isEmpty && (parts[0] == "*" || !parts[0].contains("*")) && AbsoluteURL.isHostName(parts[1])
        if isPattern { return .success(.text(text)) }
        if text.hasPrefix("*"), parts.count == 1 || parts[0] == "*" || parts[0].isEmpty {
            let domain = String(text.drop { $0 == "*" || $0 == "." || $0 == "@" })
            let isDomain = AbsoluteURL.isHostName(domain)
            return .failure(
                ScalarProblem(
                    .unanchoredDomain, "\(shown) is not limited to one domain", label: "no `*@` before the domain",
                    help: isDomain ? "write \"*@\(domain)\"" : "write an address, or \"*@example.com\" for every address of a domain",
                    replacement: isDomain ? "\"*@\(domain)\"" : nil))
        }
        return .failure(
            ScalarProblem(
                "\(shown) is not an address", label: "not an address",
                help: "write `name@example.com`, or \"*@example.com\" for every address of a domain"))
    }

    /// Base64 (RFC 4648 sections 4 and 5, with or without padding).
    private func sealingKey(_ noun: String) -> Result<ScalarValue, ScalarProblem> {
        guard let bytes = Base64.decodeAny(text) else {
            return .failure(
                ScalarProblem(
                    "\(noun == "account key" ? "an" : "a") \(noun) must be base64", label: "not base64",
                    help: "create one with `gateway keygen session`"))
        }
        let isConstant = bytes.allSatisfy { $0 == bytes.first }
        guard bytes.count >= 32, !isConstant else {
            let reason = bytes.count < 32 ? "it decodes to \(bytes.count) bytes instead of at least 32" : "it repeats one byte"
            return .failure(
                ScalarProblem(
                    .weakSecret, "this \(noun) is too weak: \(reason)", label: "can be guessed",
                    help: "create one with `gateway keygen session`"))
        }
        return .success(.key(bytes))
    }
}

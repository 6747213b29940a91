package import Config
import HTTPWire
package import NIOCore
import Primitives

/// The answer to a preflight of a listed origin: 204 with the permission.
package struct PreflightAnswer: Sendable {
    /// Complete lines.
    package let lines: ByteBuffer
    /// Names and values besides.
    package let headers: [(name: String, value: String)]
}

/// The CORS responses of a route to pages of other origins (Fetch Standard section 3.2).
///
/// The gateway alone speaks of CORS on such a route: a browser must be able to read a 401 that no app has seen, and a preflight comes without
/// a cookie, so that no app may see it.
package struct CrossOriginPolicy: Sendable {
    /// Origins and what is said to them: complete lines.
    private let listed: [(origin: [UInt8], lines: ByteBuffer)]
    /// The lines for every origin (`*`).
    private let toEverybody: ByteBuffer?
    /// The lines for all other origins: the response depends on the origin.
    private let toOthers: ByteBuffer
    private let allowedHeaders: String?
    private let maxAge: Int64
    package let origins: [String]

    package init(_ configuration: CORSConfiguration) {
        var common = ""
        if configuration.credentials { common += "access-control-allow-credentials: true\r\n" }
        if !configuration.exposeHeaders.isEmpty {
            common += "access-control-expose-headers: \(configuration.exposeHeaders.joined(separator: ", "))\r\n"
        }
        let isOpen = configuration.origins.contains("*")
        origins = configuration.origins.filter { $0 != "*" }
        listed = origins.map {
            (Array($0.utf8), ByteBuffer(string: "access-control-allow-origin: \($0)\r\n\(common)vary: Origin\r\n"))
        }
        // Browsers refuse `*` with credentials; the linter rejects it, and here it permits no origin.
        toEverybody =
            isOpen && !configuration.credentials ? ByteBuffer(string: "access-control-allow-origin: *\r\n\(common)vary: Origin\r\n") : nil
        toOthers = ByteBuffer(string: "vary: Origin\r\n")
        allowedHeaders = configuration.headers.map { $0.joined(separator: ", ") }
        maxAge = configuration.maxAge / 1000
    }

    /// The lines of an answer to a request with this `Origin`.
    package func lines(for origin: RawSpan?) -> ByteBuffer {
        guard let origin else { return toOthers }
        return permission(for: origin) ?? toOthers
    }

    /// The lines that permit; nil for an origin that is not listed.
    private func permission(for origin: RawSpan) -> ByteBuffer? {
        for entry in listed where origin.equals(entry.origin) { return entry.lines }
        return toEverybody
    }

    /// The answer to a preflight; nil for an origin that is not listed.
    ///
    /// `method` is a token, since a route was looked up with it; `asked` is what the page asks to send.
    package func preflight(origin: RawSpan, method: String, headers asked: String?) -> PreflightAnswer? {
        guard let lines = permission(for: origin) else { return nil }
        var headers = [("Access-Control-Allow-Methods", method)]
        if let allowed = allowedHeaders ?? asked.flatMap(Self.tokens) { headers.append(("Access-Control-Allow-Headers", allowed)) }
        headers += [
            ("Access-Control-Max-Age", String(maxAge)), ("Vary", "Access-Control-Request-Method, Access-Control-Request-Headers"),
            ("Cache-Control", "no-store"),
        ]
        return PreflightAnswer(lines: lines, headers: headers)
    }

    /// A list of field names as it came; nil for anything else.
    private static func tokens(_ list: String) -> String? {
        guard (1...2_048).contains(list.utf8.count) else { return nil }
        let isList = list.utf8.allSatisfy {
            ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D || $0 == 0x5F || $0 == 0x2C
                || $0 == 0x20
        }
        return isList ? list : nil
    }
}

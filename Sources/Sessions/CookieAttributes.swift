/// One `Set-Cookie` (RFC 6265 section 4.1), as a value.
package struct CookieAttributes: Sendable, Equatable {
    package enum SameSite: String, Sendable, CaseIterable {
        case strict = "Strict"
        case lax = "Lax"
        case none = "None"
    }

    package var name: String
    package var value: String
    /// Seconds; nil: until the browser ends its session. 0 deletes. Written as 400 days at most, beyond which browsers cut off.
    package var maxAge: Int64?
    package var sameSite: SameSite
    package var secure: Bool
    package var httpOnly: Bool
    package var path: String
    package var domain: String?

    /// 400 days (RFC 6265bis section 5.5).
    private static let maximumAge: Int64 = 400 * 24 * 3600

    package init(
        name: String, value: String, maxAge: Int64? = nil, sameSite: SameSite = .lax, secure: Bool, httpOnly: Bool = true,
        path: String = "/", domain: String? = nil
    ) {
        self.name = name
        self.value = value
        self.maxAge = maxAge
        self.sameSite = sameSite
        self.secure = secure
        self.httpOnly = httpOnly
        self.path = path
        self.domain = domain
    }

    /// The complete header value, `name=value; Path=/; …`.
    ///
    /// Traps when a part would end its place in the line: names and domains come from a checked
    /// configuration, values are base64url of our own making, and a browser's text is never put here.
    package func headerValue() -> String {
        precondition(Self.isName(name) && value.utf8.allSatisfy(Self.isValueByte), "not a cookie name and value")
        precondition(path.utf8.allSatisfy(Self.isAttributeByte) && (domain ?? "").utf8.allSatisfy(Self.isAttributeByte))
        var line = "\(name)=\(value); Path=\(path)"
        if let domain { line += "; Domain=\(domain)" }
        if let maxAge { line += "; Max-Age=\(min(max(0, maxAge), Self.maximumAge))" }
        if secure { line += "; Secure" }
        if httpOnly { line += "; HttpOnly" }
        return line + "; SameSite=\(sameSite.rawValue)"
    }

    /// The same cookie, deleted: a browser does so only when name, path, domain and `Secure` are as they were.
    package func deleting() -> CookieAttributes {
        var deletion = self
        deletion.value = ""
        deletion.maxAge = 0
        return deletion
    }

    /// Whether a text may be a cookie's name: a token (RFC 9110 section 5.6.2).
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// RFC 6265 section 4.1.1: `cookie-octet`.
    private static func isValueByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\\"): false
        default: byte >= 0x21 && byte <= 0x7E
        }
    }

    private static func isAttributeByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: ";")
    }
}

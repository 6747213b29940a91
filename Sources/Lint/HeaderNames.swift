enum HeaderNames {
    /// RFC 9110 section 5.6.2.
    static func isValid(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { isAlphanumeric($0) || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }

    /// A name as seen by apps that map headers to variables: lower-case letters and digits; any other character is a separator.
    static func folded(_ name: String) -> String {
        String(decoding: name.lowercased().utf8.map { isAlphanumeric($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    /// Headers that the gateway sets on every request, or that are part of HTTP itself.
    static let owned: Set<String> = [
        "host", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "trailer", "upgrade", "content-length",
        "content-type", "content-encoding", "expect", "cookie", "via", "forwarded", "x-forwarded-for", "x-forwarded-proto",
        "x-forwarded-host",
        "x-request-id", "traceparent", "tracestate", "proxy-authorization", "proxy-authenticate", "x-gateway-assertion",
    ]
}

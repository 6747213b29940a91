import Primitives

/// The header fields that the gateway acts on. Every other name is `other`.
public enum KnownField: UInt8, Sendable, CaseIterable {
    case other
    case accept, authorization, cacheControl, connection, contentLength, contentType, cookie, date, expect, forwarded, host, http2Settings
    case keepAlive, location, maxForwards, origin, proxyAuthenticate, proxyAuthenticationInfo, proxyAuthorization, proxyConnection, referer
    case secFetchDest, secFetchMode, secFetchSite, server, setCookie, strictTransportSecurity, te, traceparent, tracestate, trailer,
        transferEncoding, upgrade, via
    case xForwardedFor, xForwardedHost, xForwardedProto, xRequestID, xRequestedWith, accessControlRequestMethod
    case wwwAuthenticate, persistentAuth

    @inlinable @inline(__always)
    public static func == (left: KnownField, right: KnownField) -> Bool { left.number == right.number }

    /// The field's bit in a set of fields.
    @inlinable @inline(__always)
    public var bit: UInt64 { 1 << UInt64(number) }

    /// The fields whose lower-case name satisfies the predicate, one bit each.
    package static func bits(where predicate: (String) -> Bool) -> UInt64 {
        let named: [(String, KnownField)] = [
            ("accept", .accept), ("authorization", .authorization), ("content-type", .contentType), ("date", .date),
            ("origin", .origin), ("referer", .referer), ("sec-fetch-dest", .secFetchDest), ("sec-fetch-mode", .secFetchMode),
            ("sec-fetch-site", .secFetchSite), ("cache-control", .cacheControl),
        ]
        return named.reduce(0) { predicate($1.0) ? $0 | $1.1.bit : $0 }
    }

    /// True if this is a hop-by-hop field, which is never forwarded unchanged (RFC 9110 section 7.6.1).
    package var isHopByHop: Bool {
        switch self {
        case .connection, .keepAlive, .proxyConnection, .te, .trailer, .transferEncoding, .upgrade, .http2Settings,
            .proxyAuthenticate, .proxyAuthenticationInfo, .proxyAuthorization:
            true
        default: false
        }
    }

    /// True if this is a field about the message or the connection: hop-by-hop, or about host and framing.
    var isAboutMessage: Bool {
        switch self {
        case .host, .contentLength, .expect: true
        default: isHopByHop
        }
    }

    /// True if a request may contain only one line of this field, because programs disagree on which of several counts.
    var isSingleInRequests: Bool {
        switch self {
        case .host, .contentLength, .transferEncoding, .authorization, .contentType, .expect, .maxForwards, .origin, .referer,
            .secFetchMode, .secFetchSite:
            true
        default: false
        }
    }

    /// True if the field counts as absent if a request contains several lines. A proxy or tracer may have added the second one, so
    /// the request is not rejected.
    var isAbsentWhenRepeated: Bool {
        switch self {
        case .traceparent, .xRequestID: true
        default: false
        }
    }

    /// Finds the field of a name, ignoring case (RFC 9110 section 5.1).
    @inline(__always)
    static func identify(_ name: UnsafePointer<UInt8>, _ length: Int) -> KnownField {
        switch length {
        case 2: return match(name, length, "te", .te)
        case 3: return match(name, length, "via", .via)
        case 4:
            switch name[0] | 0x20 {
            case UInt8(ascii: "h"): return match(name, length, "host", .host)
            case UInt8(ascii: "d"): return match(name, length, "date", .date)
            default: return .other
            }
        case 6:
            switch name[1] | 0x20 {
            case UInt8(ascii: "c"): return match(name, length, "accept", .accept)
            case UInt8(ascii: "o"): return match(name, length, "cookie", .cookie)
            case UInt8(ascii: "x"): return match(name, length, "expect", .expect)
            case UInt8(ascii: "r"): return match(name, length, "origin", .origin)
            case UInt8(ascii: "e"): return match(name, length, "server", .server)
            default: return .other
            }
        case 7:
            switch name[0] | 0x20 {
            case UInt8(ascii: "r"): return match(name, length, "referer", .referer)
            case UInt8(ascii: "t"): return match(name, length, "trailer", .trailer)
            case UInt8(ascii: "u"): return match(name, length, "upgrade", .upgrade)
            default: return .other
            }
        case 8: return match(name, length, "location", .location)
        case 9: return match(name, length, "forwarded", .forwarded)
        case 10:
            switch name[0] | 0x20 {
            case UInt8(ascii: "c"): return match(name, length, "connection", .connection)
            case UInt8(ascii: "k"): return match(name, length, "keep-alive", .keepAlive)
            case UInt8(ascii: "s"): return match(name, length, "set-cookie", .setCookie)
            case UInt8(ascii: "t"): return match(name, length, "tracestate", .tracestate)
            default: return .other
            }
        case 11: return match(name, length, "traceparent", .traceparent)
        case 12:
            switch name[0] | 0x20 {
            case UInt8(ascii: "c"): return match(name, length, "content-type", .contentType)
            case UInt8(ascii: "m"): return match(name, length, "max-forwards", .maxForwards)
            case UInt8(ascii: "x"): return match(name, length, "x-request-id", .xRequestID)
            default: return .other
            }
        case 13:
            let authorization = match(name, length, "authorization", .authorization)
            return authorization == .other ? match(name, length, "cache-control", .cacheControl) : authorization
        case 14:
            switch name[0] | 0x20 {
            case UInt8(ascii: "c"): return match(name, length, "content-length", .contentLength)
            case UInt8(ascii: "h"): return match(name, length, "http2-settings", .http2Settings)
            case UInt8(ascii: "s"):
                let mode = match(name, length, "sec-fetch-mode", .secFetchMode)
                if mode != .other { return mode }
                let dest = match(name, length, "sec-fetch-dest", .secFetchDest)
                return dest == .other ? match(name, length, "sec-fetch-site", .secFetchSite) : dest
            default: return .other
            }
        case 15:
            let forwardedFor = match(name, length, "x-forwarded-for", .xForwardedFor)
            return forwardedFor == .other ? match(name, length, "persistent-auth", .persistentAuth) : forwardedFor
        case 16: return identify16(name, length)
        case 17:
            switch name[0] | 0x20 {
            case UInt8(ascii: "t"): return match(name, length, "transfer-encoding", .transferEncoding)
            case UInt8(ascii: "x"): return match(name, length, "x-forwarded-proto", .xForwardedProto)
            default: return .other
            }
        case 18: return match(name, length, "proxy-authenticate", .proxyAuthenticate)
        case 19: return match(name, length, "proxy-authorization", .proxyAuthorization)
        case 25:
            let security = match(name, length, "strict-transport-security", .strictTransportSecurity)
            return security == .other ? match(name, length, "proxy-authentication-info", .proxyAuthenticationInfo) : security
        case 29: return match(name, length, "access-control-request-method", .accessControlRequestMethod)
        default: return .other
        }
    }

    /// The same for names of 16 letters.
    private static func identify16(_ name: UnsafePointer<UInt8>, _ length: Int) -> KnownField {
        switch name[0] | 0x20 {
        case UInt8(ascii: "p"): return match(name, length, "proxy-connection", .proxyConnection)
        case UInt8(ascii: "w"): return match(name, length, "www-authenticate", .wwwAuthenticate)
        case UInt8(ascii: "x"):
            let with = match(name, length, "x-requested-with", .xRequestedWith)
            return with == .other ? match(name, length, "x-forwarded-host", .xForwardedHost) : with
        default: return .other
        }
    }

    @inline(__always)
    private static func match(
        _ name: UnsafePointer<UInt8>, _ length: Int, _ lowercased: StaticString, _ field: KnownField
    ) -> KnownField {
        equalsIgnoringASCIICase(name, length, lowercased) ? field : .other
    }
}

extension RawSpan {
    /// Compares with a text of lower-case letters and characters below `@`, ignoring case. Only letters fold: `_` is not `-`.
    package func equalsIgnoringCase(_ lowercased: StaticString) -> Bool {
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return lowercased.utf8CodeUnitCount == 0 }
            return equalsIgnoringASCIICase(base.assumingMemoryBound(to: UInt8.self), bytes.count, lowercased)
        }
    }

    /// The same for a name that is not part of the program.
    package func equalsIgnoringCase(_ lowercased: RawSpan) -> Bool {
        guard byteCount == lowercased.byteCount else { return false }
        for offset in byteOffsets {
            let byte = self[offset]
            guard (byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) == lowercased[offset] else { return false }
        }
        return true
    }

    /// The same for the first bytes.
    package func beginsIgnoringCase(with lowercased: StaticString) -> Bool {
        withUnsafeBytes { bytes in
            guard bytes.count >= lowercased.utf8CodeUnitCount, let base = bytes.baseAddress else { return false }
            return equalsIgnoringASCIICase(base.assumingMemoryBound(to: UInt8.self), lowercased.utf8CodeUnitCount, lowercased)
        }
    }
}

/// Compares a text with `lowercased`: `length` bytes, lower-case letters and characters below `@`. Only letters fold: `_` is not `-`.
@inline(__always)
func equalsIgnoringASCIICase(_ bytes: UnsafePointer<UInt8>, _ length: Int, _ lowercased: StaticString) -> Bool {
    guard length == lowercased.utf8CodeUnitCount else { return false }
    let given = UnsafeRawPointer(bytes)
    let wanted = UnsafeRawPointer(lowercased.utf8Start)
    // Compares whole words, the last one overlapping. In the expected name only letters have the bit 0x40, and there
    // the bit 0x20 is ignored.
    if length >= 8 {
        var index = 0
        while true {
            let word = wanted.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let folded = given.loadUnaligned(fromByteOffset: index, as: UInt64.self) | (word & 0x4040_4040_4040_4040) >> 1
            if folded != word { return false }
            if index == length - 8 { return true }
            index = min(index + 8, length - 8)
        }
    }
    if length >= 4 {
        func matches(_ index: Int) -> Bool {
            let word = wanted.loadUnaligned(fromByteOffset: index, as: UInt32.self)
            return given.loadUnaligned(fromByteOffset: index, as: UInt32.self) | (word & 0x4040_4040) >> 1 == word
        }
        return matches(0) && matches(length - 4)
    }
    for index in 0..<length {
        let byte = lowercased.utf8Start[index]
        if bytes[index] | (byte & 0x40) >> 1 != byte { return false }
    }
    return true
}

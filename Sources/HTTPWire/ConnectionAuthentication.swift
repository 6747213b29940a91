import Primitives

/// Schemes that authenticate the connection instead of the request: NTLM, and Negotiate, which may use it (RFC 4559).
///
/// Whoever sends the next request on such a connection is the user who authenticated before.
package enum ConnectionAuthentication {
    private static let ntlm: StaticString = "ntlm"
    private static let negotiate: StaticString = "negotiate"

    /// Whether credentials (`Authorization`) are of such a scheme.
    static func isScheme(ofCredentials value: RawSpan) -> Bool {
        for scheme in [ntlm, negotiate] where value.beginsIgnoringCase(with: scheme) {
            let length = scheme.utf8CodeUnitCount
            return value.byteCount == length || value[length] == 0x20 || value[length] == 0x09
        }
        return false
    }

    /// Whether challenges (`WWW-Authenticate`) name such a scheme. One within another scheme's parameters counts, too: then a connection is
    /// not shared, and nothing is lost but that.
    static func isNamed(inChallenges value: RawSpan) -> Bool {
        for offset in value.byteOffsets where value[offset] | 0x20 == UInt8(ascii: "n") {
            let rest = value.extracting(droppingFirst: offset)
            if rest.beginsIgnoringCase(with: ntlm) || rest.beginsIgnoringCase(with: negotiate) { return true }
        }
        return false
    }

    /// Whether complete field lines have credentials of such a scheme: what is sent, whoever set it.
    package static func isSent(in lines: RawSpan) -> Bool {
        let name: StaticString = "authorization:"
        var rest = lines
        while let end = rest.firstOffset(of: UInt8(ascii: "\n")) {
            let line = rest.extracting(first: end > 0 && rest[end - 1] == UInt8(ascii: "\r") ? end - 1 : end)
            if line.beginsIgnoringCase(with: name) {
                let value = line.extracting(droppingFirst: name.utf8CodeUnitCount).trimmingBlanks()
                if isScheme(ofCredentials: value) { return true }
            }
            rest = rest.extracting(droppingFirst: end + 1)
        }
        return false
    }
}

extension RequestHead {
    /// The client asks the upstream to authenticate its connection. One test of a bit for requests without `Authorization`.
    @inline(__always)
    package var authenticatesConnection: Bool { has(.authorization) && hasConnectionCredentials }

    private var hasConnectionCredentials: Bool {
        let bytes = bytes.byteSpan
        guard let value = value(.authorization, in: bytes) else { return false }
        return ConnectionAuthentication.isScheme(ofCredentials: value)
    }
}

extension ResponseHead {
    private static let marks = KnownField.wwwAuthenticate.bit | KnownField.persistentAuth.bit

    /// The upstream authenticates its connection, or asks for that. One test of bits for most responses.
    @inline(__always)
    package var authenticatesConnection: Bool { present & Self.marks != 0 && hasConnectionChallenge }

    private var hasConnectionChallenge: Bool {
        let bytes = bytes.byteSpan
        for field in fields {
            switch field.known {
            case .wwwAuthenticate: if ConnectionAuthentication.isNamed(inChallenges: field.value(in: bytes)) { return true }
            // What IIS says when further requests of the connection need no credentials.
            case .persistentAuth: if field.value(in: bytes).equalsIgnoringCase("true") { return true }
            default: continue
            }
        }
        return false
    }
}

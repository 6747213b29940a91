/// Where a person goes after signing in or out: a path of this origin, or a URL of an origin the configuration lists.
package enum ReturnPath {
    /// `rd` as it may be followed; anything else becomes `/` (RFC 9700 section 4.11.1).
    ///
    /// A path starts with one `/`. Backslashes, control characters, spaces, a second slash and what browsers read as one are refused, raw
    /// and percent-encoded once; so are the gateway's own pages under `ownPrefix`, which would loop. `allowedOrigins` as
    /// `https://host[:port]`, default port left out.
    package static func sanitized(_ rd: String?, allowedOrigins: [String] = [], ownPrefix: String? = nil) -> String {
        guard let rd, !rd.isEmpty, rd.utf8.count <= 8192, rd.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }) else {
            return "/"
        }
        for origin in allowedOrigins where rd.hasPrefix(origin) {
            let rest = rd.dropFirst(origin.count)
            if rest.isEmpty || (rest.hasPrefix("/") && self.isPath(rest)) { return rd }
        }
        guard self.isPath(rd[...]) else { return "/" }
        if let ownPrefix {
            let path = rd.prefix { $0 != "?" && $0 != "#" }
            if path == ownPrefix || path.hasPrefix(ownPrefix + "/") { return "/" }
        }
        return rd
    }

    private static func isPath(_ text: Substring) -> Bool {
        guard text.hasPrefix("/") else { return false }
        // What a second reader might decode: `/%2Fevil`, `/%5Cevil`, `/%09/evil`.
        guard
            let decoded = FormCoding.fields(of: "p=" + String(text.prefix(64).prefix { $0 != "&" && $0 != "?" && $0 != "#" }))?.first?.value
        else {
            // An escape cut in two by the prefix above is read by the strict path parser of the request that follows.
            return !text.dropFirst().hasPrefix("/") && !text.dropFirst().hasPrefix("%")
        }
        let second = decoded.utf8.dropFirst().first
        return second != UInt8(ascii: "/") && second != UInt8(ascii: "\\")
            && decoded.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") }
    }
}

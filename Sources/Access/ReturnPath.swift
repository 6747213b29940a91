package import Primitives
package import Config

/// A validated target for a browser after sign-in or sign-out. Only `ReturnPathValidator` creates it.
package struct ReturnPath: Sendable, Hashable {
    /// The value of `Location`: an absolute path on the gateway's own origin, or a URL of an allowed origin. Printable ASCII.
    package let text: String
    /// The reason why the input was replaced with `/`; nil if it was accepted or empty.
    package let refusal: ReturnPathRefusal?

    fileprivate init(text: String, refusal: ReturnPathRefusal?) {
        self.text = text
        self.refusal = refusal
    }
}

package enum ReturnPathRefusal: String, Error, Sendable, Hashable, CaseIterable {
    case tooLong = "too-long"
    /// A byte up to 0x20, 0x7F or a backslash, which browsers drop or rewrite before parsing a URL.
    case unsafeByte = "unsafe-byte"
    /// Neither `/…` nor an absolute URL with an authority.
    case notAbsolute = "not-absolute"
    /// `//host`, or a path that decodes to one.
    case networkPath = "network-path"
    /// An escape in the path decodes to a control character or a backslash, or decoding does not end.
    case unsafeEscape = "unsafe-escape"
    case incompleteEscape = "incomplete-escape"
    case dotSegment = "dot-segment"
    case unknownScheme = "unknown-scheme"
    case userinfo
    case malformedAuthority = "malformed-authority"
    case unlistedOrigin = "unlisted-origin"
    /// An endpoint of the gateway, which would cause a loop or sign the user out.
    case ownEndpoint = "own-endpoint"
}

/// Validates every URL from a request that names a redirect target, such as `rd`.
///
/// Compares the parsed scheme, host and port, never text (RFC 9700 section 4.11.1). Rejected input
/// becomes `/`.
package struct ReturnPathValidator: Sendable {
    package static let maximumLength = 2048
    private let publicOrigin: Origin?
    private let allowed: Set<Origin>
    private let hosts: SiteHosts
    private let pathPrefix: [UInt8]
    /// The gateway's own pages that a sign-in may return to, byte for byte. None of them changes anything.
    ///
    /// One that ends with `=` is the page of a mail's link, whose token follows. It asks for a sign-in before it confirms an address.
    private let ownPages: Set<String>

    package init(
        publicURL: Origin?, allowedRedirects: [Origin], hosts: SiteHosts = .none, pathPrefix: String, ownPages: Set<String> = []
    ) {
        self.ownPages = ownPages
        publicOrigin = publicURL
        allowed = Set(allowedRedirects)
        self.hosts = hosts
        self.pathPrefix = pathPrefix.utf8.map(ASCII.lower)
    }

    package init(_ configuration: Configuration) {
        let server = configuration.server
        self.init(
            publicURL: server.publicURL, allowedRedirects: server.allowedRedirects, hosts: SiteHosts(configuration),
            pathPrefix: server.pathPrefix,
            ownPages: configuration.accounts == nil
                ? []
                : Set(
                    ["/account", "/account/delete", "/account/pending", "/verify-email?token="].map { server.pathPrefix + $0 }))
    }

    /// `/`, for requests without a target.
    package var root: ReturnPath { ReturnPath(text: "/", refusal: nil) }

    /// Validates a value that was decoded once, as its place requires (such as a query parameter).
    package func validate(_ input: String?) -> ReturnPath {
        guard let input, !input.isEmpty else { return root }
        if isOwnPage(input) { return ReturnPath(text: input, refusal: nil) }
        do throws(ReturnPathRefusal) {
            return ReturnPath(text: try accepted(Array(input.utf8)), refusal: nil)
        } catch {
            return ReturnPath(text: "/", refusal: error)
        }
    }

    /// A token has 43 characters of Base64url, so the whole input is known.
    private func isOwnPage(_ input: String) -> Bool {
        if ownPages.contains(input) { return !input.hasSuffix("=") }
        let bytes = Array(input.utf8)
        let page = String(decoding: bytes.dropLast(43), as: UTF8.self)
        guard page.hasSuffix("="), ownPages.contains(page) else { return false }
        return bytes.suffix(43).allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    private func accepted(_ bytes: [UInt8]) throws(ReturnPathRefusal) -> String {
        if bytes.count > Self.maximumLength { throw .tooLong }
        if bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) { throw .unsafeByte }
        if bytes[0] == UInt8(ascii: "/") { return try Self.text(of: acceptedPath(bytes[...])) }
        let url = try Self.url(bytes)
        var rest = Array(url.rest.utf8)
        if rest.first != UInt8(ascii: "/") { rest.insert(UInt8(ascii: "/"), at: 0) }
        guard url.origin == publicOrigin || allowed.contains(url.origin) || hosts.includes(url.origin) else { throw .unlistedOrigin }
        let path = try Self.text(of: acceptedPath(rest[...]))
        // On the own origin, the path is sufficient and unambiguous.
        return url.origin == publicOrigin ? path : url.origin.text + path
    }

    private static func url(_ bytes: [UInt8]) throws(ReturnPathRefusal) -> AbsoluteURL {
        do throws(AbsoluteURL.Problem) {
            return try AbsoluteURL(parsing: text(of: bytes[...]), allowing: [.fragment, .quotes])
        } catch {
            switch error {
            case .characters: throw .unsafeByte
            case .notAbsolute: throw .notAbsolute
            case .scheme: throw .unknownScheme
            case .userInfo: throw .userinfo
            case .host, .port, .fragment: throw .malformedAuthority
            }
        }
    }

    /// Checks `/path?query#fragment`. Decodes only the path, because only there can a decoded character change the target.
    private func acceptedPath(_ bytes: ArraySlice<UInt8>) throws(ReturnPathRefusal) -> ArraySlice<UInt8> {
        let path = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        var decoded = Array(path)
        // Apps may decode again, so the check must hold after each round.
        for round in 0..<5 {
            try check(decoded)
            guard let next = try Self.decodedOnce(decoded, isFirst: round == 0) else { return bytes }
            decoded = next
        }
        throw .unsafeEscape
    }

    private func check(_ path: [UInt8]) throws(ReturnPathRefusal) {
        // A decoded space is allowed in a name; control characters and the backslash are not.
        if path.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) { throw .unsafeEscape }
        if path.count > 1, path[1] == UInt8(ascii: "/") { throw .networkPath }
        for segment in path.split(separator: UInt8(ascii: "/")) {
            let name = segment.prefix { $0 != UInt8(ascii: ";") }
            if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { throw .dotSegment }
        }
        let folded = path.map(ASCII.lower)
        if !pathPrefix.isEmpty, folded.starts(with: pathPrefix) {
            let after = folded.dropFirst(pathPrefix.count).first
            if after == nil || after == UInt8(ascii: "/") || after == UInt8(ascii: ";") { throw .ownEndpoint }
        }
    }

    /// Decodes every escape once; nil if there are none. Rejects incomplete escapes in the input, but accepts them
    /// in the result of an earlier decoding.
    private static func decodedOnce(_ bytes: [UInt8], isFirst: Bool) throws(ReturnPathRefusal) -> [UInt8]? {
        guard bytes.contains(UInt8(ascii: "%")) else { return nil }
        var decoded: [UInt8] = []
        var changed = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hexDigit(bytes[index + 1]),
                let low = hexDigit(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                changed = true
                index += 3
                continue
            }
            if byte == UInt8(ascii: "%"), isFirst { throw .incompleteEscape }
            decoded.append(byte)
            index += 1
        }
        return changed ? decoded : nil
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }

    /// Escapes non-ASCII characters, as a browser would.
    private static func text(of bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        for byte in bytes {
            if byte < 0x80 {
                result.append(byte)
            } else {
                PercentEncoding.append(byte, to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

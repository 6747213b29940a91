package import HTTPWire
import NIOCore
import Primitives

/// The kind of a request, which decides how the gateway answers without a session.
package enum NavigationKind: Sendable, Hashable {
    /// A browser opens a page: 302 to the sign-in.
    case navigation
    /// A browser submits a form: 303 to the sign-in.
    case formPost
    /// A script, an image or an API client: 401.
    case programmatic
    /// A CORS preflight (Fetch Standard section 4.8), which never carries credentials. Answered by the gateway, never forwarded.
    case preflight
}

extension NavigationKind {
    /// Trusts `Sec-Fetch-Mode`, because scripts cannot set it. Without it, a GET is a navigation, and a POST with a form's content type
    /// is a form submission, if it accepts HTML and has no header that scripts add.
    package init(_ head: RequestHead) {
        let bytes = head.bytes.byteSpan
        let isGet = head.method == .get
        let isPost = head.method == .post
        if head.method == .options {
            self = head.has(.accessControlRequestMethod) ? .preflight : .programmatic
        } else if let mode = head.value(.secFetchMode, in: bytes) {
            let navigates = mode.equalsIgnoringCase("navigate")
            self = !navigates ? .programmatic : isPost ? .formPost : isGet || head.method == .head ? .navigation : .programmatic
        } else if head.has(.xRequestedWith) || head.has(.upgrade) || !Self.acceptsHTML(head.value(.accept, in: bytes)) {
            self = .programmatic
        } else if isGet {
            self = .navigation
        } else {
            self = isPost && Self.isForm(head.value(.contentType, in: bytes)) ? .formPost : .programmatic
        }
    }

    /// Returns whether `text/html` or `application/xhtml+xml` is listed with a quality above 0. API clients send only `*/*`.
    static func acceptsHTML(_ accept: RawSpan?) -> Bool {
        guard let accept else { return false }
        var start = 0
        while start < accept.byteCount {
            var end = start
            while end < accept.byteCount, accept[end] != UInt8(ascii: ",") { end += 1 }
            let item = accept.extracting(start..<end)
            let type = mediaType(item)
            if type.equalsIgnoringCase("text/html") || type.equalsIgnoringCase("application/xhtml+xml"), !isRefused(item) { return true }
            start = end + 1
        }
        return false
    }

    /// The content types that an HTML form can send (HTML section 4.10.22.6).
    private static func isForm(_ contentType: RawSpan?) -> Bool {
        guard let contentType else { return false }
        let type = mediaType(contentType)
        return type.equalsIgnoringCase("application/x-www-form-urlencoded") || type.equalsIgnoringCase("multipart/form-data")
            || type.equalsIgnoringCase("text/plain")
    }

    /// The media type without parameters and white space around it.
    @_lifetime(copy value)
    private static func mediaType(_ value: RawSpan) -> RawSpan {
        value.extracting(first: value.firstOffset(of: UInt8(ascii: ";")) ?? value.byteCount).trimmingBlanks()
    }

    /// Returns whether the quality is zero: `q=0`, or `q=0.0` with up to three digits (RFC 9110 section 12.4.2).
    private static func isRefused(_ item: RawSpan) -> Bool {
        var rest = item
        while let semicolon = rest.firstOffset(of: UInt8(ascii: ";")) {
            rest = rest.extracting(droppingFirst: semicolon + 1)
            let parameter = mediaType(rest)
            guard parameter.byteCount >= 3, ASCII.lower(parameter[0]) == UInt8(ascii: "q"), parameter[1] == UInt8(ascii: "=") else {
                continue
            }
            return parameter.extracting(droppingFirst: 2).allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
        }
        return false
    }
}

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

/// The header values that identify a navigation, unchanged; nil if the header is absent. Valid as long as the bytes they point to.
package struct NavigationHints {
    package var secFetchMode: UnsafeRawBufferPointer?
    package var accept: UnsafeRawBufferPointer?
    package var xRequestedWith: UnsafeRawBufferPointer?
    package var contentType: UnsafeRawBufferPointer?
    package var upgrade: UnsafeRawBufferPointer?
    package var accessControlRequestMethod: UnsafeRawBufferPointer?
    package init() {}
}

extension NavigationKind {
    /// Trusts `Sec-Fetch-Mode`, because scripts cannot set it. Without it, a GET is a navigation, and a POST with a form's content type
    /// is a form submission, if it accepts HTML and has no header that scripts add.
    package init(method: UnsafeRawBufferPointer, hints: NavigationHints) {
        let isGet = Self.equal(method, "GET")
        let isPost = Self.equal(method, "POST")
        if Self.equal(method, "OPTIONS") {
            self = hints.accessControlRequestMethod == nil ? .programmatic : .preflight
        } else if let mode = hints.secFetchMode {
            let navigates = Self.equalIgnoringCase(mode, "navigate")
            self = !navigates ? .programmatic : isPost ? .formPost : isGet || Self.equal(method, "HEAD") ? .navigation : .programmatic
        } else if hints.xRequestedWith != nil || hints.upgrade != nil || !Self.acceptsHTML(hints.accept) {
            self = .programmatic
        } else if isGet {
            self = .navigation
        } else {
            self = isPost && Self.isForm(hints.contentType) ? .formPost : .programmatic
        }
    }

    /// Returns whether `text/html` or `application/xhtml+xml` is listed with a quality above 0. API clients send only `*/*`.
    static func acceptsHTML(_ accept: UnsafeRawBufferPointer?) -> Bool {
        guard let accept else { return false }
        var start = 0
        while start < accept.count {
            var end = start
            while end < accept.count, accept[end] != UInt8(ascii: ",") { end += 1 }
            let item = UnsafeRawBufferPointer(rebasing: accept[start..<end])
            let type = mediaType(item)
            if equalIgnoringCase(type, "text/html") || equalIgnoringCase(type, "application/xhtml+xml"), !isRefused(item) { return true }
            start = end + 1
        }
        return false
    }

    /// The content types that an HTML form can send (HTML section 4.10.22.6).
    private static func isForm(_ contentType: UnsafeRawBufferPointer?) -> Bool {
        guard let contentType else { return false }
        let type = mediaType(contentType)
        return equalIgnoringCase(type, "application/x-www-form-urlencoded") || equalIgnoringCase(type, "multipart/form-data")
            || equalIgnoringCase(type, "text/plain")
    }

    /// The media type without parameters and white space around it.
    private static func mediaType(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        trimmed(value, until: value.firstIndex(of: UInt8(ascii: ";")) ?? value.count)
    }

    /// Returns whether the quality is zero: `q=0`, or `q=0.0` with up to three digits (RFC 9110 section 12.4.2).
    private static func isRefused(_ item: UnsafeRawBufferPointer) -> Bool {
        var rest = item
        while let semicolon = rest.firstIndex(of: UInt8(ascii: ";")) {
            rest = UnsafeRawBufferPointer(rebasing: rest[(semicolon + 1)...])
            let parameter = trimmed(rest, until: rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.count)
            guard parameter.count >= 3, ASCII.lower(parameter[0]) == UInt8(ascii: "q"), parameter[1] == UInt8(ascii: "=") else { continue }
            return parameter[2...].allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
        }
        return false
    }

    private static func trimmed(_ value: UnsafeRawBufferPointer, until limit: Int) -> UnsafeRawBufferPointer {
        var start = 0
        var end = limit
        while start < end, value[start] == 0x20 || value[start] == 0x09 { start += 1 }
        while end > start, value[end - 1] == 0x20 || value[end - 1] == 0x09 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: value[start..<end])
    }

    private static func equal(_ bytes: UnsafeRawBufferPointer, _ literal: StaticString) -> Bool {
        guard bytes.count == literal.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count where bytes[index] != literal.utf8Start[index] { return false }
        return true
    }

    private static func equalIgnoringCase(_ bytes: UnsafeRawBufferPointer, _ lowerCaseLiteral: StaticString) -> Bool {
        guard bytes.count == lowerCaseLiteral.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count where ASCII.lower(bytes[index]) != lowerCaseLiteral.utf8Start[index] { return false }
        return true
    }
}

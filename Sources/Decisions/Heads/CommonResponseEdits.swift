package import NIOCore

/// The changes to upstreams' responses, made once where possible. Each event loop has its own: a request holds one of these, and
/// threads that share an object spend their time on its count of references.
package struct CommonResponseEdits {
    private let cookieNames: GatewayCookieNames
    private let hstsLine: ByteBuffer?
    /// The edits of most responses: without a session, and with one.
    private let forAnybody: ResponseEdits
    private let forSomebody: ResponseEdits

    /// `hstsLine`: a complete `Strict-Transport-Security` line; nil: none is sent.
    package init(cookies: GatewayCookieNames, hstsLine: ByteBuffer?) {
        cookieNames = cookies
        self.hstsLine = hstsLine
        forAnybody = ResponseEdits(addedLines: nil, isPrivate: false, cookies: cookieNames, hstsLine: hstsLine)
        forSomebody = ResponseEdits(addedLines: nil, isPrivate: true, cookies: cookieNames, hstsLine: hstsLine)
    }

    /// Nothing is made for a route without features.
    package func edits(
        addedLines: ByteBuffer?, isPrivate: Bool, _ features: RouteFeatures?, crossOriginLines: ByteBuffer?
    ) -> ResponseEdits {
        if addedLines == nil, features == nil { return isPrivate ? forSomebody : forAnybody }
        return ResponseEdits(
            addedLines: addedLines, isPrivate: isPrivate, cookies: cookieNames, hstsLine: hstsLine,
            route: features?.responseEdits, crossOriginLines: features == nil ? nil : crossOriginLines)
    }
}

package import Primitives
package import HTTPWire

/// The origin of a request, as reported by its browser.
package struct RequestOrigin {
    /// Origins of ours: the public URL's and those that are listed.
    package let trusted: [String]
    /// The site is https: its own plain http is no page of ours, as anybody on the way can write it.
    package let isSecure: Bool

    /// `listed` besides the public URL's.
    package init(publicURL: Origin?, listed: [String] = []) {
        trusted = (publicURL.map { [$0.text] } ?? []) + listed
        isSecure = publicURL?.isSecure ?? false
    }

    /// True for an origin of ours, or that of the host which the request itself is for.
    private func isOurs(_ origin: Substring, _ head: RequestHead) -> Bool {
        if trusted.contains(where: { $0 == origin }) { return true }
        let host = head.authorityText
        return origin == "https://" + host || !isSecure && origin == "http://" + host
    }

    /// A page of another origin must not open a WebSocket with this browser's session: browsers send cookies along and ask
    /// nobody (RFC 6455 section 10.2). Programs that are no browsers send no `Origin`.
    package func mayUpgrade(_ head: RequestHead) -> Bool {
        guard let origin = head.text(.origin) else { return true }
        return isOurs(origin[...], head)
    }

    /// True when a request that changes something was not made by another site's page.
    ///
    /// In this order, the first that is there decides: `Sec-Fetch-Site`, which no page can set; `Origin`; the origin of `Referer`, for browsers
    /// that send neither. What says nothing of itself is refused: it has a session, so it is a browser or poses as one.
    package func mayChange(_ head: RequestHead) -> Bool {
        if let site = head.text(.secFetchSite) {
            if site == "same-origin" || site == "none" { return true }
            return head.text(.origin).map { isOurs($0[...], head) } ?? false
        }
        if let origin = head.text(.origin) { return isOurs(origin[...], head) }
        guard let referrer = head.text(.referer), let scheme = referrer.firstRange(of: "://") else { return false }
        let end = referrer[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? referrer.endIndex
        return isOurs(referrer[..<end], head)
    }
}

extension HTTPWire.Method {
    /// Meant to change nothing (RFC 9110 section 9.2.1).
    var isReadOnly: Bool {
        switch self {
        case .get, .head, .options: true
        default: false
        }
    }
}

import Config
import HTTPWire
import Primitives

/// Who may cause a request that changes something.
extension SiteContext {
    /// For forms of our pages. `SameSite` keeps the cookie from a foreign page's form already; beyond that, a browser that says where the
    /// form came from is believed. `Origin: null` is what pages of earlier builds send, and templates that hide the referrer themselves.
    func isFromOurPages(_ head: RequestHead) -> Bool {
        if let site = head.text(.secFetchSite) { return site == "same-origin" || site == "none" }
        guard let origin = head.text(.origin) else { return configuration.session.sameSite != .none }
        return origin == publicURL?.text || origin == "null" && configuration.session.sameSite != .none
    }

    /// For calls of scripts and programs. Programs that are no browsers send neither field.
    func isFromOurOrigin(_ head: RequestHead) -> Bool {
        if let origin = head.text(.origin) { return origin == publicURL?.text }
        return head.text(.secFetchSite).map { $0 == "same-origin" } ?? true
    }
}

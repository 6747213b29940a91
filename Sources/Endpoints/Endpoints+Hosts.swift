import Primitives
import Access
import Config
import HTTPWire
import SignIn

/// Requests for the gateway's own endpoints on another host than `publicURL`'s (contract section 6, "Several hosts").
extension Endpoints {
    /// Marks a sign-in that was sent from a host that no route names. It is not sent on again: a proxy that rewrites `Host` to such a name
    /// would make the browser come back for ever.
    static let redirectedField = "redirected"
    private static let redirectedMark = "\(redirectedField)=1"

    /// The same address at `publicURL`, for a GET or HEAD on another host of the site; nil: it is answered where it came in.
    ///
    /// A sign-in works at `publicURL` alone, where its cookie and the redirect URIs are. On a host that no route names everything else is
    /// served as before: programs may fetch the keys there.
    func publicLocation(of head: RequestHead, endpoint: String) -> String? {
        guard head.method == .get || head.method == .head, let publicURL = site.publicURL,
            let sibling = site.hosts.sibling(of: head.authorityText), sibling.isNamed || endpoint == "login" && !isRedirected(head)
        else { return nil }
        return publicURL.text + head.pathText + query(of: head, endpoint: endpoint, on: sibling)
    }

    private func isRedirected(_ head: RequestHead) -> Bool {
        // Not `EndpointRequest.query`: a query that cannot be decoded must not be sent on for ever either.
        !head.queryRange.isEmpty && head.queryText.split(separator: "&").contains { $0 == Self.redirectedMark }
    }

    /// The query, with an `rd` that leads back to the host that it came from.
    private func query(of head: RequestHead, endpoint: String, on sibling: SiteHosts.Sibling) -> String {
        let given = head.text(head.queryRange)
        guard sibling.isNamed else { return given + (given.isEmpty ? "?" : "&") + Self.redirectedMark }
        guard endpoint == "login" || endpoint == "logout", var fields = FormCoding.fields(of: head.queryText) else { return given }
        if let index = fields.firstIndex(where: { $0.name == "rd" }) {
            let path = site.returnPaths.validate(fields[index].value).text
            guard path.hasPrefix("/") else { return given }
            fields[index].value = sibling.origin.text + path
        } else if endpoint == "login" {
            fields.append(("rd", sibling.origin.text + "/"))
        } else {
            return given
        }
        return "?" + fields.map { FormCoding.queryComponent($0.name) + "=" + FormCoding.queryComponent($0.value) }.joined(separator: "&")
    }
}

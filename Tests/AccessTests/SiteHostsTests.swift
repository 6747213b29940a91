import Primitives
import Access
import Config
import Testing

@Suite("Hosts that share the sign-in of the public URL")
struct SiteHostsTests {
    private let origin = Origin(scheme: "https", host: "app.example.com", port: 8443)

    private func hosts(domain: String? = "example.com") -> SiteHosts {
        SiteHosts(publicURL: origin, cookieDomain: domain, routeHosts: ["admin.example.com", "*.team.example.com", "elsewhere.example"])
    }

    @Test(
        "a host below the cookie domain is a sibling, whatever its port; a route names it or not",
        arguments: [
            ("admin.example.com", true), ("ADMIN.example.com:1", true), ("admin.example.com.", true), ("a.team.example.com", true),
            ("a.b.team.example.com", true), ("team.example.com", false), ("www.example.com", false), ("example.com", false),
        ])
    func siblings(authority: String, isNamed: Bool) throws {
        let sibling = try #require(hosts().sibling(of: authority))
        #expect(sibling.isNamed == isNamed)
        #expect(sibling.origin.scheme == "https" && sibling.origin.port == 8443)
        #expect(sibling.origin.host == sibling.origin.host.lowercased() && !sibling.origin.host.hasSuffix("."))
    }

    @Test(
        "the public URL's own host and hosts that the cookie does not reach are none",
        arguments: [
            "app.example.com", "APP.example.com:80", "elsewhere.example", "notexample.com", "example.com.evil.example", "127.0.0.1",
            "[::1]:80",
            "", ":80", "admin.example.com/x", "a b.example.com", "evil@admin.example.com", ".example.com%00",
        ])
    func none(authority: String) { #expect(hosts().sibling(of: authority) == nil) }

    @Test("without a cookie domain there are none")
    func withoutDomain() { #expect(hosts(domain: nil).sibling(of: "admin.example.com") == nil) }

    @Test(
        "a browser may return to a host that a route names, at the public URL's scheme and port",
        arguments: [
            ("https://admin.example.com:8443/x?y=1", true), ("https://a.team.example.com:8443/", true),
            ("https://www.example.com:8443/", false),
            ("https://elsewhere.example:8443/", false), ("https://admin.example.com/", false), ("http://admin.example.com:8443/", false),
            ("https://admin.example.com.evil.example:8443/", false), ("https://admin.example.com:8443/_gateway/logout", false),
        ])
    func returning(url: String, isAllowed: Bool) {
        let validator = ReturnPathValidator(publicURL: origin, allowedRedirects: [], hosts: hosts(), pathPrefix: "/_gateway")
        #expect(validator.validate(url).text == (isAllowed ? url : "/"))
    }
}

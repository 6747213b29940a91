/// The response headers of everything the gateway itself answers with, in the order they are sent.
package enum PageSecurityHeaders {
    /// For an HTML page. `hsts`: the value of `Strict-Transport-Security` (ASVS 5.0 3.4.1); nil: not sent.
    package static func page(_ policy: ContentPolicy = ContentPolicy(), hsts: String? = nil) -> [(name: String, value: String)] {
        headers(
            contentType: "text/html; charset=utf-8", policy: contentSecurityPolicy(policy), referrer: policy.referrerPolicy, hsts: hsts)
    }

    /// For the gateway's own JSON.
    package static func json(hsts: String? = nil) -> [(name: String, value: String)] {
        headers(
            contentType: "application/json; charset=utf-8", policy: "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
            hsts: hsts)
    }

    /// For a redirect of the gateway's own endpoints, whose body is empty.
    package static func redirect(hsts: String? = nil) -> [(name: String, value: String)] {
        json(hsts: hsts).filter { $0.name != "Content-Type" }
    }

    /// For an empty page that only `origin` may show in a frame (OpenID Connect Front-Channel Logout 1.0 section 2); nobody, if it is
    /// no plain URL. `url`: its path counts for nothing.
    package static func framed(by url: String, hsts: String? = nil) -> [(name: String, value: String)] {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let origin = parts.count >= 3 ? "\(parts[0])//\(parts[2])" : ""
        let ancestors = isPlainOrigin(origin) ? origin : "'none'"
        return headers(
            contentType: "text/html; charset=utf-8", policy: "default-src 'none'; base-uri 'none'; frame-ancestors \(ancestors)",
            hsts: hsts
        ).filter { $0.name != "X-Frame-Options" }
    }

    /// Allows the inline style sheets with these hashes, `data:` images (the icon of the tab, a logo from a file) and images of the
    /// logo's origin, and the one inline script with the policy's hash. A template's page may also load style sheets, images and fonts of this origin.
    package static func contentSecurityPolicy(_ policy: ContentPolicy) -> String {
        let own = policy.loadsOwnFiles ? "'self' " : ""
        let logo = policy.imageOrigin.flatMap { isPlainOrigin($0) ? "\($0) " : nil } ?? ""
        let styles = own + policy.styleHashes.map { "'\($0)'" }.joined(separator: " ")
        // Browsers apply `form-action` to every redirect that follows a form, too: to a provider, or into the app. All targets of the forms
        // themselves are this site's own.
        let targets = policy.formsLeadAnywhere ? ["https:", "http:"] : policy.formActionOrigins.filter(isPlainOrigin)
        let forms = (["'self'"] + targets).joined(separator: " ")
        let script = policy.scriptHash.map { "script-src '\($0)'; " } ?? ""
        return
            "default-src 'none'; \(script)style-src \(styles); img-src \(own)\(logo)data:; \(policy.loadsOwnFiles ? "font-src 'self'; " : "")"
            + "form-action \(forms); base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
    }

    private static func headers(contentType: String, policy: String, referrer: String = "no-referrer", hsts: String?) -> [(
        name: String, value: String
    )] {
        var list: [(name: String, value: String)] = [
            ("Content-Type", contentType),
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", policy),
            ("X-Frame-Options", "DENY"),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", referrer),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ]
        if let hsts { list.append(("Strict-Transport-Security", hsts)) }
        return list
    }

    /// An origin that can stand in a policy without changing its structure.
    private static func isPlainOrigin(_ text: String) -> Bool {
        let authority: Substring
        if text.hasPrefix("https://") {
            authority = text.dropFirst(8)
        } else if text.hasPrefix("http://") {
            authority = text.dropFirst(7)
        } else {
            return false
        }
        return !authority.isEmpty
            && authority.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

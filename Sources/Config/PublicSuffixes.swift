/// Domains below which anyone can register names, so that a cookie for the domain would reach other owners' sites.
///
/// Contains every single label, and the suffixes under which gateways commonly run. Not the whole public suffix list, because
/// browsers reject the rest.
package enum PublicSuffixes {
    package static func contains(_ domain: String) -> Bool {
        let name = domain.lowercased()
        let labels = name.split(separator: ".")
        if labels.count < 2 { return name != "localhost" }
        if known.contains(name) { return true }
        // The second level of country codes: co.uk, com.au, ac.jp.
        return labels.count == 2 && labels[1].count == 2 && secondLevels.contains(labels[0])
    }

    private static let secondLevels: Set<Substring> = ["co", "com", "net", "org", "gov", "edu", "ac", "or", "ne", "go", "gob", "nom"]

    private static let known: Set<String> = [
        "github.io", "gitlab.io", "pages.dev", "workers.dev", "vercel.app", "netlify.app", "herokuapp.com", "appspot.com", "web.app",
        "firebaseapp.com", "run.app", "cloudfunctions.net", "azurewebsites.net", "cloudapp.net", "cloudfront.net", "amazonaws.com",
        "elasticbeanstalk.com", "fly.dev", "onrender.com", "railway.app", "ngrok.io", "ngrok-free.app", "ngrok.app", "blogspot.com",
        "duckdns.org", "dyndns.org", "nip.io", "sslip.io",
    ]
}

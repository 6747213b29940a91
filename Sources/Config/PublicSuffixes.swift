/// Domains below which strangers register names, so that a cookie for one would reach all of them.
///
/// Every single label, and the suffixes that gateways are commonly run below. Not the whole public suffix list: browsers
/// refuse the rest.
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

/// The browser and the system that a `User-Agent` names, for users. Nothing is decided by it.
package enum BrowserName {
    /// In the order of search: most browsers also name those that they resemble.
    private static let browsers = [
        ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"), ("OPT/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"),
        ("Vivaldi/", "Vivaldi"), ("YaBrowser/", "Yandex Browser"), ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"), ("CriOS/", "Chrome"),
        ("HeadlessChrome/", "Chrome"), ("Chrome/", "Chrome"), ("Chromium/", "Chromium"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("Windows", "Windows"), ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("CrOS", "ChromeOS"), ("Mac OS X", "macOS"),
        ("Macintosh", "macOS"), ("FreeBSD", "FreeBSD"), ("Linux", "Linux"),
    ]
    private static let longestProduct = 40

    /// Such as "Firefox · Linux", or the first product of another program; nil for an empty text.
    package static func of(_ userAgent: String) -> String? {
        let browser = browsers.first { userAgent.contains($0.0) }?.1
        let system = systems.first { userAgent.contains($0.0) }?.1
        if browser != nil || userAgent.hasPrefix("Mozilla/") {
            let parts = [browser, system].compactMap(\.self)
            return parts.isEmpty ? nil : parts.joined(separator: " · ")
        }
        let product = userAgent.prefix { $0 != "/" && $0 != " " && $0 != "(" }.prefix(longestProduct)
        return product.isEmpty ? nil : String(product)
    }
}

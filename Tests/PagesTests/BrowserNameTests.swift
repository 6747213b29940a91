import Pages
import Testing

@Suite struct BrowserNameTests {
    @Test(
        "a user agent is shown as browser and system",
        arguments: [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox · Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
                "Chrome · Windows"
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
                "Edge · Windows"
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
                "Safari · macOS"
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1",
                "Safari · iPhone"
            ),
            ("Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 CriOS/126.0 Mobile/15E148 Safari/604.1", "Chrome · iPad"),
            (
                "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36",
                "Samsung Internet · Android"
            ),
            ("Mozilla/5.0 (Linux; Android 14) Gecko/127.0 Firefox/127.0", "Firefox · Android"),
            ("curl/8.5.0", "curl"), ("python-requests/2.32", "python-requests"), ("My App (test)", "My"),
            ("Mozilla/5.0 (Something)", nil), ("", nil), ("/", nil),
            (String(repeating: "a", count: 256), String(repeating: "a", count: 40)),
        ] as [(String, String?)])
    func names(userAgent: String, name: String?) { #expect(BrowserName.of(userAgent) == name) }
}

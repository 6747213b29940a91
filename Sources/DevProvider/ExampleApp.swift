import Pages
import TokenCrypto

/// The app that `gateway demo` puts the gateway in front of: it shows what it received. Pure, like `DevProvider`.
package struct ExampleApp: Sendable {
    /// The gateway's pages, where the sign-out lies; starts with `/`.
    package var pathPrefix: String
    /// The names, in lower case, of the headers that carry who it is.
    package var identityHeaders: Set<String>

    /// Every identity header of the contract's profiles, and the assertion.
    package static let knownIdentityHeaders: Set<String> = [
        "x-forwarded-user", "x-forwarded-email", "x-forwarded-email-verified", "x-forwarded-preferred-username", "x-forwarded-name",
        "x-forwarded-groups", "x-forwarded-provider", "x-auth-request-user", "x-auth-request-email", "x-auth-request-preferred-username",
        "x-auth-request-groups", "remote-user", "remote-email", "remote-name", "remote-groups", "x-webauth-user", "x-webauth-email",
        "x-webauth-fullname", "x-webauth-groups", "x-gateway-assertion",
    ]

    package init(pathPrefix: String = "/_gateway", identityHeaders: Set<String> = knownIdentityHeaders) {
        self.pathPrefix = pathPrefix
        self.identityHeaders = identityHeaders
    }

    /// `/health` in plain text; `/echo` and everything under it as JSON, whatever the method; a page for the rest.
    package func respond(to request: DevRequest) -> DevResponse {
        switch request.path {
        case "/health": .text("ok\n")
        case "/favicon.ico": .text("", status: 404)
        case let path where path == "/echo" || path.hasPrefix("/echo/"): echo(request)
        default: .page(page(request))
        }
    }

    /// `{"method","path","query","headers":[[name,value],…],"bodyBytes","body"}`; `body` is null when it is not UTF-8.
    private func echo(_ request: DevRequest) -> DevResponse {
        let body = String(validating: request.body, as: UTF8.self)
        return .json(
            .object([
                "method": .string(request.method),
                "path": .string(request.path),
                "query": request.query.map(JSONValue.string) ?? .null,
                "headers": .array(request.headers.map { .strings([$0.name, $0.value]) }),
                "bodyBytes": .integer(Int64(request.body.count)),
                "body": body.map(JSONValue.string) ?? .null,
            ]))
    }

    private func page(_ request: DevRequest) -> Page {
        let identity = request.headers.filter { isIdentity($0.name) }
        let others = request.headers.filter { !isIdentity($0.name) }
        let query: HTML = request.query.map { "?\($0)" } ?? ""
        let body: HTML = """
            <h1>\(title(request.path))</h1>
            <p class="lead">A small app that has no sign-in of its own. It believes the headers that the gateway sends.</p>
            \(person(request))
            <p class="request">\(request.method) \(request.path)\(query)</p>
            \(table("Who you are", "Set by the gateway. What a client sends under these names never gets here.", identity, isIdentity: true))
            \(table("The rest of the request", "As it arrived, in order.", others, isIdentity: false))
            <nav class="paths" aria-label="Pages to try">
            <h2>Pages to try</h2>
            <ul><li><a href="/">Start</a></li><li><a href="/reports?quarter=3">Any page</a></li><li><a href="/admin/">For admins</a></li>\
            <li><a href="/vault/">With a second factor</a></li>\
            <li><a href="/health">Open to everyone</a></li><li><a href="/echo">As JSON</a></li></ul>
            </nav>
            """
        return Page(
            status: 200,
            document: PageFrame.document(
                title: "Example app", siteName: "Example app", main: body, mark: ExampleApp.mark, width: .wide, styles: styles),
            policy: ContentPolicy(styles: styles))
    }

    /// A window.
    private static let mark: HTML = """
        <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" \
        stroke-linecap="round"><rect x="3" y="4" width="18" height="16" rx="3"/><path d="M3 9h18M7 13.5h6M7 16.5h9"/></svg>
        """

    private var styles: [StyleSheet] { [.base, .demo] }

    private func title(_ path: String) -> String {
        path == "/admin" || path.hasPrefix("/admin/") ? "The admins' page" : "Hello from the app"
    }

    private func isIdentity(_ name: String) -> Bool { identityHeaders.contains(name.lowercased()) }

    private func person(_ request: DevRequest) -> HTML {
        let names = [
            "X-Forwarded-Name", "Remote-Name", "X-WEBAUTH-FULLNAME", "X-Forwarded-Preferred-Username", "Remote-User", "X-Forwarded-User",
        ]
        guard let name = names.lazy.compactMap({ request.header($0) }).first(where: { !$0.isEmpty }) else {
            return "<p>No user is signed in, or the gateway is configured to send no identity.</p>"
        }
        let address = ["X-Forwarded-Email", "Remote-Email", "X-WEBAUTH-EMAIL"].lazy.compactMap { request.header($0) }.first
        let signOut = LinkTarget("\(pathPrefix)/logout") ?? .home
        let account = LinkTarget("\(pathPrefix)/account") ?? .home
        return """
            <div class="who"><svg class="face" viewBox="0 0 30 30" aria-hidden="true" focusable="false"><circle cx="15" cy="15" r="15"/>\
            \(ProviderIcon.monogram(name))</svg>
            <div><p>Signed in as <strong><bdi>\(name)</bdi></strong></p><p class="lead">\(address ?? "no verified address")</p></div></div>
            <div class="actions"><a class="button" href="\(account)">Your account</a>
            <a class="button secondary" href="\(signOut)">Sign out</a></div>
            """
    }

    private func table(_ title: String, _ caption: String, _ headers: [(name: String, value: String)], isIdentity: Bool) -> HTML {
        guard !headers.isEmpty else { return "" }
        let rowTag: HTML = isIdentity ? "<tr class=\"identity\">" : "<tr>"
        let rows = headers.map { header -> HTML in "\(rowTag)<th scope=\"row\">\(header.name)</th><td>\(header.value)</td></tr>\n" }
        return """
            <h2>\(title)</h2>
            <table class="headers"><caption>\(caption)</caption><tbody>
            \(HTML.joined(rows))</tbody></table>
            """
    }
}

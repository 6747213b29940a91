extension ErrorText {
    static let badRequest = ErrorText(
        code: "proxy/bad-request", status: 400, title: "The request was not understood",
        happened: "Your browser or program sent a request that this site does not accept.",
        next: "Check the address, or go to the start page.", remedy: .home)

    static let badGateway = ErrorText(
        code: "proxy/bad-gateway", status: 502, title: "The app cannot be reached",
        happened: "The app behind this page did not send a usable response.",
        next: "Try again in a minute. If it still fails, tell the site's administrator.", remedy: .tryAgain)

    static let internalError = ErrorText(
        code: "proxy/internal-error", status: 500, title: "Something went wrong",
        happened: "An internal error occurred in the gateway. You did not cause it.",
        next: "Try again in a minute. If it still fails, tell the site's administrator.", remedy: .tryAgain)

    /// One entry per status that the proxy itself answers with.
    package static let proxyCatalogue: [ErrorText] = [
        badRequest,
        ErrorText(
            code: "proxy/forbidden", status: 403, title: "You do not have access to this page",
            happened: "The rules of this site do not allow this request.",
            next: "If you need access, ask the site's administrator.", remedy: .home),
        ErrorText(
            code: "proxy/connection-authentication", status: 403, title: "This way of signing in does not work here",
            happened:
                "Your browser or program tried to sign in to the app with NTLM or Negotiate, which need a connection of their own. It uses HTTP/2, or a proxy shares its connection among users.",
            next: "Use HTTP/1.1 without a proxy in between, or tell the site's administrator.", remedy: .home),
        ErrorText(
            code: "proxy/origin-not-allowed", status: 403, title: "This page is not allowed to connect",
            happened: "A page of another site tried to connect here with your session. The connection was refused.",
            next: "If the page is yours, serve it from this site's address.", remedy: .home),
        ErrorText(
            code: "proxy/not-found", status: 404, title: "Page not found",
            happened: "There is no page at this address.",
            next: "Check the address for typing errors, or go to the start page.", remedy: .home),
        ErrorText(
            code: "proxy/method-not-allowed", status: 405, title: "This request is not allowed here",
            happened: "This address does not accept this kind of request.",
            next: "Go back and use the links or buttons of the page.", remedy: .home),
        ErrorText(
            code: "proxy/request-timeout", status: 408, title: "The request took too long to arrive",
            happened: "Your browser or program did not finish sending the request in time.",
            next: "Check your connection and try again.", remedy: .tryAgain),
        ErrorText(
            code: "proxy/content-too-large", status: 413, title: "The request is too large",
            happened: "You sent more data than this site accepts.",
            next: "Send less data, or ask the site's administrator to raise the limit.", remedy: .none),
        ErrorText(
            code: "proxy/uri-too-long", status: 414, title: "The address is too long",
            happened: "The address is longer than this site accepts.",
            next: "Go to the start page and try from there.", remedy: .home),
        ErrorText(
            code: "proxy/expectation-failed", status: 417, title: "The request was not understood",
            happened: "Your program expects a feature that this site does not offer.",
            next: "Send the request without the Expect header.", remedy: .none),
        ErrorText(
            code: "proxy/misdirected-request", status: 421, title: "Wrong host name",
            happened: "The host name in the address does not belong to this site.",
            next: "Check the address for typing errors.", remedy: .none),
        ErrorText(
            code: "proxy/too-many-requests", status: 429, title: "Too many requests",
            happened: "There were too many requests in a short time.",
            next: "Wait a minute, then try again.", remedy: .tryAgain),
        ErrorText(
            code: "proxy/headers-too-large", status: 431, title: "The headers of the request are too large",
            happened: "Your browser sent larger headers than this site accepts. Old cookies are the usual cause.",
            next: "Delete the cookies of this site and try again.", remedy: .tryAgain),
        internalError,
        ErrorText(
            code: "proxy/not-implemented", status: 501, title: "This request is not supported",
            happened: "The request uses a feature that this site does not support.",
            next: "Go to the start page and try from there.", remedy: .home),
        badGateway,
        ErrorText(
            code: "proxy/unavailable", status: 503, title: "The site is busy or restarting",
            happened: "The site cannot process the request right now.",
            next: "Try again in a minute.", remedy: .tryAgain),
        ErrorText(
            code: "proxy/upstream-busy", status: 503, title: "The app is busy",
            happened: "The app behind this page is handling as many requests as it can.",
            next: "Try again in a minute.", remedy: .tryAgain),
        ErrorText(
            code: "proxy/audit-unavailable", status: 503, title: "Temporarily unavailable",
            happened: "This site records sign-ins and access, and it cannot write that record right now.",
            next: "Try again in a minute. If it still fails, tell the site's administrator.", remedy: .tryAgain),
        ErrorText(
            code: "proxy/gateway-timeout", status: 504, title: "The app takes too long",
            happened: "The app behind this page did not respond in time. It may still be processing your request.",
            next: "Wait a minute before you try again.", remedy: .tryAgain),
        ErrorText(
            code: "proxy/version-not-supported", status: 505, title: "The request was not understood",
            happened: "Your program uses an HTTP version that this site does not support.",
            next: "Use HTTP/1.1 or HTTP/2.", remedy: .none),
        ErrorText(
            code: "proxy/loop-detected", status: 508, title: "The request went in a loop",
            happened: "The request came back to the gateway, because the app's address points to the gateway.",
            next: "Tell the site's administrator that an upstream points to the gateway itself.", remedy: .none),
    ]
}

extension ErrorText {
    static let badRequest = ErrorText(
        code: "proxy/bad-request", status: 400, title: "The request was not understood",
        happened: "Your browser or program sent something that this site does not accept.",
        next: "Check the address, or go to the start page.", remedy: .home)

    static let badGateway = ErrorText(
        code: "proxy/bad-gateway", status: 502, title: "The app cannot be reached",
        happened: "You got this far, but the app behind this page did not give a usable answer.",
        next: "Try again in a minute. If it stays like this, tell the people who run this site.", remedy: .tryAgain)

    static let internalError = ErrorText(
        code: "proxy/internal-error", status: 500, title: "Something went wrong here",
        happened: "The gateway ran into a fault of its own. It is not something you did.",
        next: "Try again in a minute. If it stays like this, tell the people who run this site.", remedy: .tryAgain)

    /// One entry per status that the proxy itself answers with.
    package static let proxyCatalogue: [ErrorText] = [
        badRequest,
        ErrorText(
            code: "proxy/forbidden", status: 403, title: "This page is not open to you",
            happened: "The rules of this site do not allow this request.",
            next: "If you think they should, ask the people who run this site.", remedy: .home),
        ErrorText(
            code: "proxy/origin-not-allowed", status: 403, title: "This page may not connect here",
            happened: "A page of another site tried to connect here with your session, and was not let in.",
            next: "If it is a page of yours, it must come from this site's own address.", remedy: .home),
        ErrorText(
            code: "proxy/not-found", status: 404, title: "There is nothing here",
            happened: "This address does not lead to a page.",
            next: "Check the address for a slip, or go to the start page.", remedy: .home),
        ErrorText(
            code: "proxy/method-not-allowed", status: 405, title: "That cannot be done here",
            happened: "This address does not take that kind of request.",
            next: "Go back and follow the links or buttons of the page.", remedy: .home),
        ErrorText(
            code: "proxy/request-timeout", status: 408, title: "The request took too long to arrive",
            happened: "Your browser or program did not finish sending in time.",
            next: "Check your connection and try again.", remedy: .tryAgain),
        ErrorText(
            code: "proxy/content-too-large", status: 413, title: "That is too large",
            happened: "What you sent is larger than this site accepts.",
            next: "Send something smaller, or ask the people who run this site to raise the limit.", remedy: .none),
        ErrorText(
            code: "proxy/uri-too-long", status: 414, title: "That address is too long",
            happened: "The address is longer than this site accepts.",
            next: "Go to the start page and try from there.", remedy: .home),
        ErrorText(
            code: "proxy/expectation-failed", status: 417, title: "The request was not understood",
            happened: "Your program expects something that this site does not offer.",
            next: "Send the request without the Expect header.", remedy: .none),
        ErrorText(
            code: "proxy/misdirected-request", status: 421, title: "This is not the right place",
            happened: "The name in the address does not belong to this site.",
            next: "Check the address for a slip.", remedy: .none),
        ErrorText(
            code: "proxy/too-many-requests", status: 429, title: "That was a lot at once",
            happened: "There were too many requests in a short time.",
            next: "Wait a minute, then try again.", remedy: .tryAgain),
        ErrorText(
            code: "proxy/headers-too-large", status: 431, title: "Your browser sent too much at once",
            happened: "The request's headers are larger than this site accepts. Most often that is old cookies.",
            next: "Delete the cookies of this site and try again.", remedy: .tryAgain),
        internalError,
        ErrorText(
            code: "proxy/not-implemented", status: 501, title: "That is not supported",
            happened: "The request uses a feature that this site does not support.",
            next: "Go to the start page and try from there.", remedy: .home),
        badGateway,
        ErrorText(
            code: "proxy/unavailable", status: 503, title: "The site is busy or restarting",
            happened: "The site cannot take the request right now.",
            next: "Try again in a minute.", remedy: .tryAgain),
        ErrorText(
            code: "proxy/upstream-busy", status: 503, title: "The app is busy",
            happened: "The app behind this page has as many requests as it can take.",
            next: "Try again in a minute.", remedy: .tryAgain),
        ErrorText(
            code: "proxy/audit-unavailable", status: 503, title: "Temporarily unavailable",
            happened: "This site keeps a record of sign-ins and access, and it cannot write that record at the moment.",
            next: "Try again in a minute. If it stays like this, tell the people who run this site.", remedy: .tryAgain),
        ErrorText(
            code: "proxy/gateway-timeout", status: 504, title: "The app takes too long",
            happened: "The app behind this page did not answer in time. It may still be working on what you sent.",
            next: "Wait a minute before you try again.", remedy: .tryAgain),
        ErrorText(
            code: "proxy/version-not-supported", status: 505, title: "The request was not understood",
            happened: "Your program speaks a version of HTTP that this site does not.",
            next: "Use HTTP/1.1 or HTTP/2.", remedy: .none),
        ErrorText(
            code: "proxy/loop-detected", status: 508, title: "The request went in a circle",
            happened: "The request came back to this gateway: the app's address leads here again.",
            next: "Tell the people who run this site: an upstream points at the gateway itself.", remedy: .none),
    ]
}

/// The headers by which proxies tell one another about the client.
package enum ForwardedNames {
    /// Dropped when the peer is not trusted, in every spelling that folds to one of them.
    package static let droppedFromUntrusted = [
        "Forwarded", "X-Forwarded", "X-Real-IP", "X-Client-IP", "True-Client-IP", "CF-Connecting-IP", "X-Rewrite-URL",
    ]
    /// The same for everything that begins so.
    package static let droppedPrefixesFromUntrusted = ["X-Forwarded-", "X-Original-"]
    /// Taken from nobody as they are, nor in a spelling that folds to one of them: read where that is due, then set anew.
    package static let alwaysReplaced = [
        "Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Request-Id", "Traceparent", "Via", "Host",
        "Content-Length", "Transfer-Encoding",
    ]
}

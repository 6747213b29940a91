/// The headers in which proxies describe the client.
package enum ForwardedNames {
    /// Dropped from untrusted peers, in every spelling that folds to one of them.
    package static let droppedFromUntrusted = [
        "Forwarded", "X-Forwarded", "X-Real-IP", "X-Client-IP", "True-Client-IP", "CF-Connecting-IP", "X-Rewrite-URL",
    ]
    /// Prefixes of headers that are dropped from untrusted peers.
    package static let droppedPrefixesFromUntrusted = ["X-Forwarded-", "X-Original-"]
    /// Never forwarded unchanged from any peer, in any spelling that folds to one of them. The gateway reads them where allowed and sets
    /// them anew.
    package static let alwaysReplaced = [
        "Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Request-Id", "Traceparent", "Via", "Host",
        "Content-Length", "Transfer-Encoding",
    ]
}

import Primitives
import Access
import Config

/// Wherever a browser is sent after a sign-in lies on our own origin or on one of the list, and judging it again changes nothing.
enum ReturnPathTarget {
    private static let validator = ReturnPathValidator(
        publicURL: Origin(scheme: "https", host: "app.example.com", port: 443),
        allowedRedirects: [Origin(scheme: "https", host: "other.example.com", port: 8443)], pathPrefix: "/_gateway")
    private static let listed = "https://other.example.com:8443"

    static func check(_ bytes: [UInt8]) throws(Broken) {
        let result = validator.validate(text(bytes))
        try hold(result.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }, "a place holds an unsafe byte")
        try hold(result.refusal == nil || result.text == "/", "what is refused goes elsewhere than to /")
        let path = result.text.hasPrefix(listed) ? String(result.text.dropFirst(listed.count)) : result.text
        try hold(path.hasPrefix("/") && !path.hasPrefix("//"), "a place is no path on an origin of ours: \(result.text)")
        if !result.text.hasPrefix(listed) {
            try hold(!path.lowercased().hasPrefix("/_gateway/") && path.lowercased() != "/_gateway", "a place is one of our own endpoints")
        }
        // Characters beyond ASCII become escapes, three bytes each: only what is still short enough is judged again.
        guard result.text.utf8.count <= ReturnPathValidator.maximumLength else { return }
        try hold(validator.validate(result.text).text == result.text, "judged again, a place is another one")
    }
}

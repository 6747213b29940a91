/// Where a link or a form of a page may lead: a path of this origin, or an absolute http(s) URL.
///
/// Refused: `javascript:` and every other scheme, `//host`, `/\host`, anything with a control character, a space or
/// a backslash, so that no browser reads another address than the one that was checked.
package struct LinkTarget: Sendable, Equatable {
    /// As it stands in the attribute, before HTML escaping.
    package let text: String

    /// nil when `text` is neither a same-origin path nor an absolute http(s) URL.
    package init?(_ text: String) {
        guard LinkTarget.hasOnlyURLCharacters(text) else { return nil }
        let lower = text.lowercased()
        if text.hasPrefix("/") {
            guard !text.hasPrefix("//") else { return nil }
        } else if lower.hasPrefix("https://") || lower.hasPrefix("http://") {
            let afterScheme = text[text.index(text.firstIndex(of: ":") ?? text.startIndex, offsetBy: 3)...]
            guard let first = afterScheme.first, first != "/", first != "?", first != "#" else { return nil }
        } else {
            return nil
        }
        self.text = text
    }

    /// A link of the operator's, which may also be `mailto:` with an address.
    package init?(contact text: String) {
        if text.hasPrefix("mailto:"), text.dropFirst(7).contains("@"), LinkTarget.hasOnlyURLCharacters(text) {
            self.init(checked: text)
        } else {
            self.init(text)
        }
    }

    /// `path` with a query made of `query`, names and values percent-encoded. Segments of `path` that came from
    /// outside must have been encoded with `percentEncoded`.
    package init?(path: String, query: [(name: String, value: String)]) {
        guard let target = LinkTarget(path), path.hasPrefix("/") else { return nil }
        guard !query.isEmpty else {
            self = target
            return
        }
        let pairs = query.map { "\(LinkTarget.percentEncoded($0.name))=\(LinkTarget.percentEncoded($0.value))" }
        text = target.text + (target.text.contains("?") ? "&" : "?") + pairs.joined(separator: "&")
    }

    private init(checked text: String) { self.text = text }

    /// The root of this origin.
    package static let home = LinkTarget(checked: "/")

    /// Every byte but the unreserved characters of RFC 3986 section 2.3 as `%XX`.
    package static func percentEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The origin of a URL; nil for a path.
    package static func origin(of target: String) -> String? {
        let parts = target.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count >= 3 && parts[0].hasSuffix(":") ? "\(parts[0])//\(parts[2])" : nil
    }

    private static func hasOnlyURLCharacters(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
    }
}

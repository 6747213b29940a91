import TokenCrypto

/// An HTTP answer of a provider, whole: at most 1 MiB, redirects not followed.
package struct ProviderAnswer: Sendable {
    package var status: Int
    /// `Content-Type` as sent.
    package var contentType: String?
    package var body: [UInt8]
    /// `Link` as sent (RFC 8288).
    package var link: String?
    /// `DPoP-Nonce`, if it is one of 1 to 1,024 characters as RFC 9449 section 8.1 has them.
    package var dpopNonce: String?

    package init(status: Int, contentType: String?, body: [UInt8], link: String? = nil, dpopNonce: String? = nil) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.link = link
        self.dpopNonce = dpopNonce.flatMap { text in
            (1...1024).contains(text.utf8.count)
                && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") } ? text : nil
        }
    }

    /// The target with `rel="next"` among the links; nil for none, or one that is not read.
    package var nextPage: String? {
        guard let link, link.utf8.count <= 8192 else { return nil }
        for part in link.split(separator: ",") {
            guard let open = part.firstIndex(of: "<"), let close = part.firstIndex(of: ">"), open < close else { continue }
            let parameters = part[part.index(after: close)...].split(separator: ";").map { String($0.filter { $0 != " " && $0 != "\"" }) }
            if parameters.contains("rel=next") { return String(part[part.index(after: open)..<close]) }
        }
        return nil
    }

    /// Type and subtype in lower case, parameters cut off.
    package var mediaType: String? {
        guard let type = self.contentType?.split(separator: ";", omittingEmptySubsequences: false).first else { return nil }
        return String(type.filter { $0 != " " && $0 != "\t" }).lowercased()
    }

    /// `application/json` or any `+json` (RFC 6839 section 3.1).
    package var isJSON: Bool { self.mediaType == "application/json" || self.mediaType?.hasSuffix("+json") == true }
}

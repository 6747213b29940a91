import TokenCrypto

/// An HTTP answer of a provider, whole: at most 1 MiB, redirects not followed.
package struct ProviderAnswer: Sendable {
    package var status: Int
    /// `Content-Type` as sent.
    package var contentType: String?
    package var body: [UInt8]
    /// `DPoP-Nonce`, if it is one of 1 to 1,024 characters as RFC 9449 section 8.1 has them.
    package var dpopNonce: String?

    package init(status: Int, contentType: String?, body: [UInt8], dpopNonce: String? = nil) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.dpopNonce = dpopNonce.flatMap { text in
            (1...1024).contains(text.utf8.count)
                && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") } ? text : nil
        }
    }

    /// Type and subtype in lower case, parameters cut off.
    package var mediaType: String? {
        guard let type = self.contentType?.split(separator: ";", omittingEmptySubsequences: false).first else { return nil }
        return String(type.filter { $0 != " " && $0 != "\t" }).lowercased()
    }

    /// `application/json` or any `+json` (RFC 6839 section 3.1).
    package var isJSON: Bool { self.mediaType == "application/json" || self.mediaType?.hasSuffix("+json") == true }
}

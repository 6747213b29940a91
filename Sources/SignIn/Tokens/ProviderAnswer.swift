import TokenCrypto

/// An HTTP answer of a provider, whole: at most 1 MiB, redirects not followed.
package struct ProviderAnswer: Sendable {
    package var status: Int
    /// `Content-Type` as sent.
    package var contentType: String?
    package var body: [UInt8]

    package init(status: Int, contentType: String?, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// Type and subtype in lower case, parameters cut off.
    package var mediaType: String? {
        guard let type = self.contentType?.split(separator: ";", omittingEmptySubsequences: false).first else { return nil }
        return String(type.filter { $0 != " " && $0 != "\t" }).lowercased()
    }

    /// `application/json` or any `+json` (RFC 6839 section 3.1).
    package var isJSON: Bool { self.mediaType == "application/json" || self.mediaType?.hasSuffix("+json") == true }
}

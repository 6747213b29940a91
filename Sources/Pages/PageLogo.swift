/// The operator's logo in the header of the pages.
///
/// It is always the source of an `<img>` element: browsers neither run scripts of an SVG image there nor load what it refers to.
package struct PageLogo: Sendable {
    package enum Problem: Error, Sendable, Equatable {
        case tooLarge(bytes: Int)
        case unknownFormat
        case script
    }

    /// Each page carries the logo, a third larger in Base64.
    package static let largestFile = 64 * 1024

    /// A `data:` URL, or the https URL of the configuration.
    let source: String
    /// The origin that the content policy must allow; nil for a `data:` URL.
    let origin: String?
    /// The element of the header, escaped once: a `data:` URL is long, and every page has it.
    let html: HTML

    /// A logo that the browser loads from elsewhere; nil for anything but an https URL.
    package init?(url: String) {
        guard url.lowercased().hasPrefix("https://"), let target = LinkTarget(url) else { return nil }
        let rest = target.text.dropFirst("https://".count)
        source = "https://" + rest
        origin = "https://" + rest.prefix { !"/?#".contains($0) }
        html = Self.html(source)
    }

    /// - Parameters:
    ///   - contents: an SVG, PNG, JPEG, GIF or WebP file. The contents decide, not the name.
    ///   - base64: standard Base64 with padding.
    package init(contents: [UInt8], base64: ([UInt8]) -> String) throws(Problem) {
        source = "data:\(try Self.mediaType(of: contents));base64,\(base64(contents))"
        origin = nil
        html = Self.html(source)
    }

    /// The media type of an image that can be a logo.
    @discardableResult
    package static func mediaType(of contents: [UInt8]) throws(Problem) -> String {
        guard contents.count <= largestFile else { throw .tooLarge(bytes: contents.count) }
        if contents.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if contents.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if contents.starts(with: "GIF87a".utf8) || contents.starts(with: "GIF89a".utf8) { return "image/gif" }
        if contents.starts(with: "RIFF".utf8), contents.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        guard let text = String(validating: contents, as: UTF8.self)?.lowercased(), text.contains("<svg") else { throw .unknownFormat }
        guard !text.contains("<script") else { throw .script }
        return "image/svg+xml"
    }

    private static func html(_ source: String) -> HTML { "<img class=\"logo\" src=\"\(source)\" alt=\"\">" }
}

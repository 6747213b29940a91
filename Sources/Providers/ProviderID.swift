/// A provider's id as the configuration writes it: `github.com`, `github.com/partners`, `oidc.acme`, `oauth2.legacy`.
package struct ProviderID: Sendable, Hashable {
    package enum Problem: Error, Sendable, Hashable {
        case empty
        /// The slug is not `[a-z0-9][a-z0-9-]{0,62}`.
        case invalidSlug(String)
        /// The part before the slug is not a preset. `suggestion` is a preset with a similar name.
        case unknownPreset(String, suggestion: String?)
    }

    /// The catalogue's key: a preset id, `oidc` or `oauth2`.
    package let preset: String
    /// The text after `oidc.`, `oauth2.` or `<preset>/`.
    package let slug: String?

    /// The id as written in the configuration.
    package var text: String {
        guard let slug else { return preset }
        return isGeneric ? "\(preset).\(slug)" : "\(preset)/\(slug)"
    }

    /// The id as a path segment of the gateway's URLs: `/` becomes `~`.
    package var urlForm: String { Self.urlForm(of: text) }

    package var isGeneric: Bool { preset == ProviderCatalogue.oidc || preset == ProviderCatalogue.oauth2 }

    /// A provider of the reader's own, as documentation and starter configurations name it.
    package static let example = ProviderID(preset: ProviderCatalogue.oidc, slug: "acme")

    private init(preset: String, slug: String) {
        self.preset = preset
        self.slug = slug
    }

    /// Reads an id. The preset must be in the contract, but this version may lack it.
    package init(parsing text: String) throws(Problem) {
        guard !text.isEmpty else { throw .empty }
        for generic in [ProviderCatalogue.oidc, ProviderCatalogue.oauth2] where text.hasPrefix(generic + ".") {
            let slug = String(text.dropFirst(generic.count + 1))
            guard Self.isSlug(slug) else { throw .invalidSlug(slug) }
            self.preset = generic
            self.slug = slug
            return
        }
        var preset = text
        var slug: String?
        if let slash = text.firstIndex(of: "/") {
            preset = String(text[..<slash])
            slug = String(text[text.index(after: slash)...])
        }
        guard ProviderCatalogue.contractPresetIDs.contains(preset) else {
            throw .unknownPreset(preset, suggestion: ProviderCatalogue.suggestion(for: preset))
        }
        if let slug, !Self.isSlug(slug) { throw .invalidSlug(slug) }
        self.preset = preset
        self.slug = slug
    }

    /// `[a-z0-9][a-z0-9-]{0,62}`
    package static func isSlug(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 63, first != UInt8(ascii: "-") else { return false }
        return bytes.allSatisfy {
            ($0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z")) || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9"))
                || $0 == UInt8(ascii: "-")
        }
    }

    package static func urlForm(of id: String) -> String { String(id.map { $0 == "/" ? "~" : $0 }) }

    /// The id that `urlForm` was made from. An id never contains a `~`, so the mapping is unique.
    package static func id(fromURLForm segment: String) -> String { String(segment.map { $0 == "~" ? "/" : $0 }) }
}

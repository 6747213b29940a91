import Config
import Providers

/// Reads provider ids the way the rules about them need.
enum ProviderIDCheck {
    static func read(_ text: String) -> Result<ProviderID, ProviderID.Problem> {
        // The generic kinds without a slug are malformed rather than unknown.
        if text == ProviderCatalogue.oidc || text == ProviderCatalogue.oauth2 { return .failure(.invalidSlug("")) }
        do throws(ProviderID.Problem) {
            return .success(try ProviderID(parsing: text))
        } catch {
            return .failure(error)
        }
    }

    /// A suggestion for ids that the catalogue has none for.
    static func suggestion(for text: String) -> String? {
        let lowered = text.lowercased()
        if lowered != text, case .success = read(lowered) { return lowered }
        for separator in ["-", "_", "/", ":"] {
            for kind in [ProviderCatalogue.oidc, ProviderCatalogue.oauth2] where lowered.hasPrefix(kind + separator) {
                return slug(from: String(lowered.dropFirst(kind.count + 1))).map { "\(kind).\($0)" }
            }
        }
        return Spelling.nearest(to: lowered, among: ProviderCatalogue.contractPresetIDs)
    }

    /// The suggested preset with the slug that the text carries.
    static func withSlug(_ preset: String, of text: String) -> String {
        guard let slash = text.firstIndex(of: "/"), let slug = slug(from: String(text[text.index(after: slash)...])) else { return preset }
        return "\(preset)/\(slug)"
    }

    /// A slug as near to the text as the syntax allows.
    static func slug(from text: String) -> String? {
        var result = ""
        for character in text.lowercased() {
            let isAllowed = character.isASCII && (character.isLetter || character.isNumber)
            if isAllowed { result.append(character) } else if !result.isEmpty, result.last != "-" { result.append("-") }
        }
        while result.last == "-" { result.removeLast() }
        let short = String(result.prefix(63))
        return ProviderID.isSlug(short) ? short : nil
    }

    /// An id for a second provider of the same kind.
    static func another(_ text: String) -> String? {
        guard case .success(let id) = read(text) else { return nil }
        if id.isGeneric { return "\(id.preset).\(id.slug ?? "other")-2" }
        return "\(id.preset)/\(id.slug.map { $0 + "-2" } ?? "partners")"
    }
}

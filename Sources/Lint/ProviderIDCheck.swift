import Config
import Providers

/// Reads provider ids for the rules about them.
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

    /// A suggestion for ids that the catalogue has no match for.
    static func suggestion(for text: String) -> String? {
        let lowered = text.lowercased()
        if let own = ownNames[lowered.filter { $0 != "-" && $0 != "_" }] { return own }
        if lowered != text, case .success = read(lowered) { return lowered }
        for separator in ["-", "_", "/", ":"] {
            for kind in [ProviderCatalogue.oidc, ProviderCatalogue.oauth2] where lowered.hasPrefix(kind + separator) {
                return slug(from: String(lowered.dropFirst(kind.count + 1))).map { "\(kind).\($0)" }
            }
        }
        return Spelling.nearest(to: lowered, among: ProviderCatalogue.contractPresetIDs)
    }

    private static let ownNames = [
        "email": PasswordProviderConfiguration.id, "emailpassword": PasswordProviderConfiguration.id,
        "passwords": PasswordProviderConfiguration.id, "local": PasswordProviderConfiguration.id,
        "guest": AnonymousProviderConfiguration.id, "anonymously": AnonymousProviderConfiguration.id,
        "anonymoususer": AnonymousProviderConfiguration.id,
    ]

    /// The suggested preset with the slug of the text.
    static func withSlug(_ preset: String, of text: String) -> String {
        guard ProviderCatalogue.contractPresetIDs.contains(preset), let slash = text.firstIndex(of: "/"),
            let slug = slug(from: String(text[text.index(after: slash)...]))
        else { return preset }
        return "\(preset)/\(slug)"
    }

    /// A valid slug close to the text.
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

import Access
import Config
import Diagnostics
import YAML

extension RuleName {
    static let headerCollision = RuleName("header-collision")
}

extension Rule {
    static let headerCollision = Rule(
        .headerCollision,
        what: "Two identity headers (including the assertion's) have equivalent names, or one is a header that the gateway or HTTP sets.",
        why: "Many apps treat `X-User` and `x_user` as the same header. With two such headers, the value that an app reads is undefined.",
        instead: "Give each header a different name.",
        bad: Example("identity: { headers: { X-User: \"{{ username }}\", «x_user»: \"{{ email }}\" } }\n"),
        good: Example("identity: { headers: { X-User: \"{{ username }}\", X-Email: \"{{ email }}\" } }\n"),
        check: { context in
            let identity = context.root["identity"]?.object
            var headers = FoldedHeaders()
            var findings: [Diagnostic] = []
            for entry in identity?["headers"]?.map ?? [] {
                findings += headers.add(entry.name, at: entry.key.span).map { [$0] } ?? []
            }
            findings += profiles(identity?["headers"], &headers)
            guard let item = identity?["assertion"]?.object?["header"], let name = item.text,
                HeaderNames.folded(name) != HeaderNames.folded(IdentityProfiles.assertionHeader)
            else { return findings }
            return findings + (headers.add(name, at: item.referenceSpan).map { [$0] } ?? [])
        })

    /// Adds the headers of the profiles; one that is listed twice is reported.
    private static func profiles(_ item: Item?, _ headers: inout FoldedHeaders) -> [Diagnostic] {
        if let item, item.map != nil || item.isUnreadable { return [] }
        guard let item else {
            for name in IdentityHeaders.configured(IdentityConfiguration()).map(\.name) { headers.reserve(name, at: nil) }
            return []
        }
        var first: [String: SourceSpan] = [:]
        return item.oneOrMany.compactMap { item in
            guard let name = item.text, let profile = IdentityConfiguration.Profile(rawValue: name) else { return nil }
            guard let place = first.updateValue(item.span, forKey: name) else {
                for header in IdentityProfiles.headers(of: profile) { headers.reserve(header.name, at: item.span) }
                return nil
            }
            return Diagnostic(
                .headerCollision, at: item.span, "the profile `\(name)` is listed twice", label: "collides", help: "remove one of the two",
                related: [RelatedPlace("first time here", at: place)])
        }
    }
}

/// Header names as seen by apps that ignore case and punctuation, with the location of each.
private struct FoldedHeaders {
    private var first: [String: (name: String, place: SourceSpan?)] = [:]

    /// Adds a header that a profile sets.
    mutating func reserve(_ name: String, at place: SourceSpan?) { first[HeaderNames.folded(name)] = (name, place) }

    /// Adds a configured header; returns a diagnostic if its name is taken.
    mutating func add(_ name: String, at span: SourceSpan) -> Diagnostic? {
        let folded = HeaderNames.folded(name)
        if HeaderNames.owned.contains(folded) {
            return Diagnostic(
                .headerCollision, at: span, "the gateway sets `\(name)` itself", label: "reserved",
                help: "choose another name")
        }
        guard let other = first[folded] else {
            first[folded] = (name, span)
            return nil
        }
        return Diagnostic(
            .headerCollision, at: span, "many apps treat `\(name)` and `\(other.name)` as the same header", label: "collides",
            help: "choose another name; case and punctuation do not matter",
            related: other.place.map { [RelatedPlace("the other header", at: $0)] } ?? [])
    }
}

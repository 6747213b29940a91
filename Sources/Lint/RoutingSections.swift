import Primitives
import Access
import Config
import Diagnostics
import YAML

/// The routing keys of a file, at the top level and in each route.
struct RoutingSections {
    /// The mappings that may contain these keys.
    let objects: [ObjectValue]

    init(_ context: LintContext) { objects = [context.root] + context.routes.map(\.object) }

    /// A header edit with its location.
    struct Edit {
        var name: String
        var nameSpan: SourceSpan
        /// Nil if the header is removed.
        var value: Item?
    }

    /// The edits of `requestHeaders` or `responseHeaders`, mapping by mapping, in file order.
    func edits(of key: String) -> [[Edit]] {
        objects.compactMap { object in
            guard let edits = object[key]?.object else { return nil }
            let set = (edits["set"]?.map ?? []).map { Edit(name: $0.name, nameSpan: $0.key.span, value: $0.item) }
            let removed = (edits["remove"]?.list ?? []).compactMap { item in
                item.text.map { Edit(name: $0, nameSpan: item.referenceSpan, value: nil) }
            }
            return (set + removed).sorted { $0.nameSpan.start < $1.nameSpan.start }
        }
    }

    /// Every mapping under a key.
    func mappings(_ key: String) -> [ObjectValue] { objects.compactMap { $0[key]?.object } }
}

/// Sites as browsers define them for the cookie's `SameSite`.
enum Sites {
    /// The registrable domain of a host name, or the host itself if it has none (an address, `localhost`).
    static func registrable(_ host: String) -> String {
        guard NetworkAddress(host) == nil, !host.hasPrefix("[") else { return host }
        let labels = host.split(separator: ".")
        for count in 1..<max(labels.count, 1) {
            let suffix = labels.suffix(count).joined(separator: ".")
            if !PublicSuffixes.contains(suffix) { return suffix }
        }
        return host
    }
}

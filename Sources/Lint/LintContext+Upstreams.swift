import Config
import Diagnostics

extension LintContext {
    /// An upstream: its text in the file, and its readable settings.
    final class Upstream: Sendable {
        /// A URL, a list of URLs, or a mapping.
        let item: Item
        /// The mapping, if the upstream is written as one.
        let object: ObjectValue?
        let targets: [(item: Item, address: UpstreamAddress)]
        let tls: UpstreamTLSConfiguration
        /// True if a target could not be read, so that the list of targets is incomplete.
        let isIncomplete: Bool

        init(_ item: Item, source: SourceFile) {
            self.item = item
            object = item.object
            tls = (object?["tls"]?.object).map { UpstreamTLSConfiguration($0, from: source) } ?? UpstreamTLSConfiguration()
            let listed = object.map { $0["targets"] } ?? item
            let items = listed?.oneOrMany ?? []
            targets = items.compactMap { if case .upstream(let address) = $0.scalar { ($0, address) } else { nil } }
            isIncomplete = targets.count < items.count || items.isEmpty
        }

        /// Schemes in the order of their first target.
        var schemes: [UpstreamAddress.Scheme] {
            targets.reduce(into: []) { if !$0.contains($1.address.scheme) { $0.append($1.address.scheme) } }
        }
    }

    /// Every target with its location.
    var upstreamItems: [(item: Item, address: UpstreamAddress)] { upstreams.flatMap(\.targets) }
}

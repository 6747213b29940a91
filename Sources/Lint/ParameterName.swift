import Config
import YAML

/// A name under `customParameters` or `requestParameters`.
struct ParameterName {
    var name: String
    var node: Node
    /// True if browsers may pass it, instead of the configuration setting it.
    var isOffered: Bool

    static func all(of provider: LintContext.Provider) -> [ParameterName] {
        let custom = (provider.object["customParameters"]?.map ?? []).map { ParameterName(name: $0.name, node: $0.key, isOffered: false) }
        let offered = (provider.object["requestParameters"]?.list ?? []).compactMap { item in
            item.text.map { ParameterName(name: $0, node: item.node, isOffered: true) }
        }
        return custom + offered
    }
}

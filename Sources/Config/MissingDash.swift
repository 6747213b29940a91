import YAML

/// Recognises a list whose items lack their dash, so that YAML reads them as one mapping.
enum MissingDash {
    /// How to write the list; nil when the node is no mapping or the items are none.
    static func help(for node: Node, _ element: ValueType) -> String? {
        guard case .mapping(let shape) = element, let first = node.mapping?.entries.first else { return nil }
        if shape.keys.contains(where: { $0.name == first.name }) {
            return "put a dash before the first key of each item: `- \(first.name): …`"
        }
        // Items named by keys of their own, as other products write them.
        guard let name = namingKey[shape], first.value.mapping != nil, first.name.utf8.count <= 60 else { return nil }
        return "write a list, each item with a dash: `- \(name): \(first.name)`, its other keys below"
    }

    private static let namingKey: [ShapeName: String] = [.provider: "id", .route: "path"]
}

import YAML

/// Recognises a list whose items lack their dash, so that YAML reads them as one mapping.
enum MissingDash {
    /// How to write the list; nil when the node is no mapping or the items are none.
    static func help(for node: Node, _ element: ValueType) -> String? {
        guard let shape = shape(of: element), let first = node.mapping?.entries.first else { return nil }
        if shape.keys.contains(where: { $0.name == first.name }) {
            return "put a dash before the first key of each item: `- \(first.name): …`"
        }
        // Items named by keys of their own, as other products write them.
        guard let name = namingKey[shape], first.value.mapping != nil, first.name.utf8.count <= 60 else { return nil }
        return "write a list, each item with a dash: `- \(name): \(first.name)`, its other keys below"
    }

    /// The most general form of an item.
    private static func shape(of element: ValueType) -> ShapeName? {
        switch element {
        case .mapping(let shape): shape
        case .anyOf(let types): types.last.flatMap(shape)
        case .scalar, .list, .map: nil
        }
    }

    private static let namingKey: [ShapeName: String] = [.provider: "id", .route: "path"]
}

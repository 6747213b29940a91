/// Renders templates with the values of one page.
package struct MustacheRenderer {
    private let partials: [String: MustacheTemplate]
    /// The values that names are looked up in, the innermost last.
    private var scopes: [Any]
    private var output = ""

    /// - Parameter partials: every partial that the template reaches; none includes itself.
    package static func render(
        _ template: MustacheTemplate, _ values: [String: any Sendable], partials: [String: MustacheTemplate] = [:]
    ) -> String {
        var renderer = MustacheRenderer(partials: partials, scopes: [values])
        renderer.render(template.nodes)
        return renderer.output
    }

    private init(partials: [String: MustacheTemplate], scopes: [Any]) {
        self.partials = partials
        self.scopes = scopes
    }

    private mutating func render(_ nodes: [MustacheTemplate.Node]) {
        for node in nodes {
            switch node {
            case .text(let text): output += text
            case .variable(let name): output += HTML.escape(text(value(name)))
            case .section(let name, isInverted: true, let inner): if items(value(name)).isEmpty { render(inner) }
            case .section(let name, isInverted: false, let inner):
                for item in items(value(name)) {
                    scopes.append(item)
                    render(inner)
                    scopes.removeLast()
                }
            case .partial(let name): if let partial = partials[name] { render(partial.nodes) }
            }
        }
    }

    /// The first key is looked up from the innermost scope outwards, the others in its value.
    private func value(_ name: MustacheName) -> Any? {
        guard let first = name.keys.first else { return scopes.last }
        let found = scopes.reversed().lazy.compactMap { ($0 as? [String: Any])?[first] }.first
        return name.keys.dropFirst().reduce(found) { value, key in (value as? [String: Any])?[key] }
    }

    /// The values that a section is rendered for: none for an absent value, `false` and an empty text.
    private func items(_ value: Any?) -> [Any] {
        switch value {
        case nil: []
        case let flag as Bool: flag ? [flag] : []
        case let text as String: text.isEmpty ? [] : [text]
        case let list as [Any]: list
        case let other?: [other]
        }
    }

    private func text(_ value: Any?) -> String {
        switch value {
        case let text as String: text
        case let number as Int: String(number)
        case let flag as Bool: String(flag)
        default: ""
        }
    }
}

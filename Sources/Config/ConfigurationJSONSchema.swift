import Diagnostics
import YAML

/// The JSON Schema (draft-07) of the configuration, for editors. It is less strict than the decoder: whatever it rejects
/// is invalid, but not every invalid file is rejected.
package enum ConfigurationJSONSchema {
    package static var text: String {
        let definitions = ShapeName.allCases.filter { $0 != .root }.map { ($0.rawValue, object($0)) }
        guard case .object(let root) = object(.root) else { return "" }
        let head: [(String, JSONText)] = [
            ("$schema", .string("http://json-schema.org/draft-07/schema#")), ("title", .string("gateway configuration, version 1")),
        ]
        let extensions = ("patternProperties", JSONText.object([("^x-", .object([]))]))
        return JSONText.object(head + root + [extensions, ("definitions", .object(definitions))]).pretty() + "\n"
    }

    private static func object(_ shape: ShapeName) -> JSONText {
        let properties = shape.keys.map { key in (key.name, property(key)) }
        let required = shape.keys.filter(\.isRequired).map { JSONText.string($0.name) }
        var members: [(String, JSONText)] = [
            ("type", .string("object")), ("additionalProperties", .bool(false)), ("properties", .object(properties)),
        ]
        if !required.isEmpty { members.append(("required", .array(required))) }
        return .object(members)
    }

    /// Null counts as absent, so optional keys may be null, except in access conditions.
    private static func property(_ key: Key) -> JSONText {
        var alternatives = schemas(key.type)
        if !key.isRequired { alternatives.append(.object([("type", .string("null"))])) }
        let doc = ("description", JSONText.string(key.fallback.map { "\(key.doc) Default: \($0)" } ?? key.doc))
        var members: [(String, JSONText)] = [("title", .string(key.name)), doc, ("anyOf", .array(alternatives))]
        if let fallback = key.fallback.flatMap(json) { members.append(("default", fallback)) }
        if let example = key.example.flatMap(json) { members.append(("examples", .array([example]))) }
        return .object(members)
    }

    /// Converts YAML text to JSON: plain booleans and numbers keep their type, everything else is a string.
    private static func json(_ yaml: String) -> JSONText? {
        YAMLParser.parse(SourceFile(name: "schema", text: yaml)).root.map(json)
    }

    private static func json(_ node: Node) -> JSONText {
        switch node.content {
        case .sequence(let items): return .array(items.map(json))
        case .mapping(let mapping): return .object(mapping.entries.map { ($0.name, json($0.value)) })
        case .scalar(let scalar):
            guard scalar.style == .plain else { return .string(scalar.text) }
            if let boolean = Bool(scalar.text) { return .bool(boolean) }
            return Int(scalar.text).map { .number($0) } ?? .string(scalar.text)
        }
    }

    private static func schemas(_ type: ValueType) -> [JSONText] {
        switch type {
        case .scalar(let scalar): return scalars(scalar)
        case .list(let element):
            return [.object([("type", .string("array")), ("items", .object([("anyOf", .array(schemas(element)))]))])]
        case .mapping(let shape): return [.object([("$ref", .string("#/definitions/\(shape.rawValue)"))])]
        case .map(let element, _):
            return [.object([("type", .string("object")), ("additionalProperties", .object([("anyOf", .array(schemas(element)))]))])]
        case .anyOf(let types): return types.flatMap(schemas)
        }
    }

    /// Any scalar may be a string with a `${…}` in it.
    private static func scalars(_ type: ScalarType) -> [JSONText] {
        let reference = text(pattern: "\\$\\{")
        switch type {
        case .boolean: return [.object([("type", .string("boolean"))]), .object([("enum", strings(["true", "false"]))]), reference]
        case .integer(let range):
            let number = JSONText.object([
                ("type", .string("integer")), ("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound)),
            ])
            return [number, text(pattern: "^(0|[1-9][0-9]*)$"), reference]
        case .version: return [.object([("enum", .array([.number(1), .string("1")]))]), reference]
        case .duration: return [text(pattern: "^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$"), reference]
        case .size: return [text(pattern: "^[0-9]+(B|KiB|MiB|GiB)$"), reference]
        case .words(let words):
            // Words that consist of digits are numbers in JSON.
            let numbers = words.compactMap { Int($0) }.map { JSONText.number($0) }
            return [.object([("enum", .array(words.map { .string($0) } + numbers))]), reference]
        case .flow: return [.object([("enum", strings(["code"]))]), reference]
        case .publicURL, .origin: return [text(pattern: "^https?://[^/?#]+$"), reference]
        case .url, .issuer: return [text(pattern: "^https?://"), reference]
        case .accountStore: return [text(pattern: "^(sqlite:|postgres(ql)?://)"), reference]
        case .store: return [text(pattern: "^(cookie$|rediss?(\\+sentinel|\\+cluster)?://|redis\\+unix://)"), reference]
        case .sessionStoreURL: return [text(pattern: "^(rediss?(\\+sentinel|\\+cluster)?://|redis\\+unix://)"), reference]
        case .mailURL: return [text(pattern: "^smtps?://"), reference]
        case .color:
            // Six digits without quotes are a number in YAML.
            return [text(pattern: "^#?[0-9A-Fa-f]{6}$"), .object([("type", .string("number"))]), reference]
        case .link: return [text(pattern: "^(https?://|mailto:|/)"), reference]
        case .pathPattern, .pathPrefix: return [text(pattern: "^/"), reference]
        case .parameterValue: return [.object([("type", .string("string"))])]
        default: return [.object([("type", .array([.string("string"), .string("number"), .string("boolean")]))])]
        }
    }

    private static func text(pattern: String) -> JSONText {
        .object([("type", .string("string")), ("pattern", .string(pattern))])
    }

    private static func strings(_ words: [String]) -> JSONText { .array(words.map { .string($0) }) }
}

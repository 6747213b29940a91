package import Config
package import Diagnostics
import Providers

/// The output of `gateway config`: the effective configuration with defaults and presets, as YAML, with each value's
/// origin as a comment.
///
/// Secrets are `"<redacted>"`. So are values that may contain one: values from files, URLs with a password, and
/// parameters or header templates with a reference.
package enum EffectiveConfiguration {
    /// The text, or the report of an invalid configuration.
    package static func text(_ source: SourceFile, surroundings: Surroundings) -> Result<String, ConfigLoader.Refusal> {
        let outcome = Linter.check(source, surroundings: surroundings)
        let reading = ConfigReader.read(source, surroundings: surroundings)
        guard let configuration = outcome.configuration, let root = reading.document.root else {
            return .failure(ConfigLoader.Refusal(report: outcome.report))
        }
        let writer = EffectiveTree(source: source, configuration: configuration)
        return .success(YAMLPrinter.text(of: .mapping(writer.entries(of: root))))
    }
}

/// Collects values and origins.
struct EffectiveTree {
    let source: SourceFile
    let configuration: Configuration

    private static let redacted = "\"<redacted>\""
    /// Sections that apply even if they are not in the file.
    private static let standing: Set<ShapeName> = [
        .server, .limits, .timeouts, .admin, .session, .cookie, .identity, .logging, .accessLog, .pages,
    ]

    func entries(of object: ObjectValue) -> [YAMLPrinter.Entry] {
        if object.shape == .provider { return provider(object) }
        return object.shape.keys.compactMap { entry($0, in: object, shape: object.shape) }
    }

    private func entry(_ key: Key, in object: ObjectValue?, shape: ShapeName) -> YAMLPrinter.Entry? {
        if let item = object?[key.name] { return .init(key.name, value(item, key.type, key.name)) }
        if case .mapping(let inner) = key.type, Self.standing.contains(inner) {
            return .init(key.name, .mapping(inner.keys.compactMap { entry($0, in: nil, shape: inner) }))
        }
        // An absent condition has no effect.
        guard let fallback = key.fallback, shape != .access else { return nil }
        return .init(key.name, .scalar(fallback, origin: "default"))
    }

    // MARK: Written values

    private func value(_ item: Item, _ type: ValueType, _ key: String) -> YAMLPrinter.Value {
        if let object = item.object { return .mapping(entries(of: object), emptyOrigin: place(item.span)) }
        if let list = item.list {
            return .sequence(list.map { value($0, element(of: type), key) }, emptyOrigin: place(item.span))
        }
        if let map = item.map {
            let entries = map.map { YAMLPrinter.Entry($0.name, value($0.item, member(of: type), key)) }
            return .mapping(entries, emptyOrigin: place(item.span))
        }
        if let unresolved = item.unresolved { return self.unresolved(unresolved, item, scalarType(of: type)) }
        return .scalar(scalar(item, scalarType(of: type)), origin: origin(of: item.expanded?.references ?? [], at: item.span))
    }

    private func scalar(_ item: Item, _ type: ScalarType?) -> String {
        guard let expanded = item.expanded else { return "null" }
        let text = expanded.text
        let comesFromFile = expanded.references.contains { if case .file = $0.target { true } else { false } }
        if type?.isSecret ?? true || comesFromFile || Self.holdsPassword(text) { return Self.redacted }
        if type?.isStoreURL ?? false, URLPassword.isPresent(in: text) { return Self.redacted }
        switch type {
        case .parameterValue, .template, .headerValue: return expanded.isLiteral ? YAMLPrinter.quoted(text) : Self.redacted
        default: break
        }
        switch item.scalar {
        case .boolean(let value): return String(value)
        case .integer(let value): return String(value)
        default: return YAMLPrinter.scalar(text)
        }
    }

    /// Returns whether the text looks like `scheme://user:password@host`.
    private static func holdsPassword(_ text: String) -> Bool {
        guard let scheme = text.firstRange(of: "://") else { return false }
        return text[scheme.upperBound...].prefix { $0 != "/" }.contains("@")
    }

    /// A value whose references have none here: what is written, unless text beside the references may be secret.
    private func unresolved(_ value: UnresolvedValue, _ item: Item, _ type: ScalarType?) -> YAMLPrinter.Value {
        var text: String?
        if case .credential = type { text = item.writtenText }
        let origin = origin(of: value.references, at: item.span) + " (not resolved)"
        return .scalar(text.map(YAMLPrinter.quoted) ?? Self.redacted, origin: origin)
    }

    private func origin(of references: [Reference], at span: SourceSpan) -> String {
        let references = references.filter { !$0.usesDefault }
        guard !references.isEmpty else { return place(span) }
        return references.map { reference in
            switch reference.target {
            case .environment(let name): "env \(name)"
            case .file(let path, _): "file \(path)"
            }
        }.joined(separator: ", ")
    }

    private func place(_ span: SourceSpan) -> String { "\(source.name):\(source.position(at: span.start).line)" }

    private func element(of type: ValueType) -> ValueType {
        switch type {
        case .list(let element): element
        case .anyOf(let types): types.compactMap { if case .list(let element) = $0 { element } else { nil } }.first ?? type
        case .scalar, .mapping, .map: type
        }
    }

    private func member(of type: ValueType) -> ValueType {
        switch type {
        case .map(let member, _): member
        case .anyOf(let types): types.compactMap { if case .map(let member, _) = $0 { member } else { nil } }.first ?? type
        case .scalar, .list, .mapping: type
        }
    }

    private func scalarType(of type: ValueType) -> ScalarType? {
        switch type {
        case .scalar(let scalar): scalar
        case .anyOf(let types): types.compactMap { if case .scalar(let scalar) = $0 { scalar } else { nil } }.first
        case .list, .mapping, .map: nil
        }
    }

    // MARK: Providers

    /// The settings of a provider from the file, completed from its preset.
    private func provider(_ object: ObjectValue) -> [YAMLPrinter.Entry] {
        let settings = configuration.providers.first { $0.id == object["id"]?.text }.flatMap(configuration.settings)
        return Schema.provider.compactMap { key in
            let written = object[key.name].map { value($0, key.type, key.name) }
            let preset = settings.flatMap { EffectivePreset(settings: $0).value(of: key.name) }
            guard let value = YAMLPrinter.Value.merged(written, under: preset) else {
                return key.fallback.map { .init(key.name, .scalar($0, origin: "default")) }
            }
            return .init(key.name, value)
        }
    }
}

/// A provider's settings under the keys of the configuration.
private struct EffectivePreset {
    var settings: ProviderSettings

    init(settings: ProviderSettings) { self.settings = settings }

    private var origin: String { "preset \(settings.id)" }

    func value(of key: String) -> YAMLPrinter.Value? {
        switch key {
        case "displayName": return text(settings.displayName)
        case "issuer": return settings.issuer.flatMap(text)
        case "clientAuthentication": return settings.clientAuthentication.flatMap { text($0.rawValue) }
        case "responseMode": return text(settings.responseMode.rawValue)
        case "idTokenAlgorithms": return settings.idTokenAlgorithms.map { list($0) }
        case "scopes": return list(settings.scopes)
        case "customParameters": return mapping(settings.parameters.map { ($0.name, $0.value) }, quoting: true)
        case "userinfo": return .scalar(String(settings.usesUserinfo), origin: origin)
        case "endpoints":
            let endpoints = settings.endpoints
            return mapping([
                ("authorization", endpoints.authorization), ("token", endpoints.token), ("userinfo", endpoints.userinfo),
                ("jwks", endpoints.jwks), ("endSession", endpoints.endSession), ("revocation", endpoints.revocation),
            ])
        case "groups": return nil
        case "claims":
            let claims = settings.claims
            return mapping([
                ("subject", claims.subject), ("email", claims.email), ("emailVerified", claims.emailVerified),
                ("username", claims.username), ("name", claims.name), ("picture", claims.picture), ("locale", claims.locale),
                ("groups", claims.groups),
            ])
        default: return nil
        }
    }

    private func text(_ text: String) -> YAMLPrinter.Value? { .scalar(YAMLPrinter.scalar(text), origin: origin) }

    private func list(_ items: [String]) -> YAMLPrinter.Value {
        .sequence(items.map { .scalar(YAMLPrinter.scalar($0), origin: origin) }, emptyOrigin: origin)
    }

    private func mapping(_ members: [(String, String?)], quoting: Bool = false) -> YAMLPrinter.Value? {
        let entries = members.compactMap { name, value in
            value.map { YAMLPrinter.Entry(name, .scalar(quoting ? YAMLPrinter.quoted($0) : YAMLPrinter.scalar($0), origin: origin)) }
        }
        return entries.isEmpty ? nil : .mapping(entries, emptyOrigin: origin)
    }
}

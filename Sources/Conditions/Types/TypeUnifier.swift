/// Finds out which types the open parameters of signatures and of empty lists stand for.
struct TypeUnifier {
    private var bindings: [Int: ConditionType] = [:]
    private var count = 0

    mutating func fresh() -> ConditionType {
        count += 1
        return .parameter(count - 1)
    }

    /// The signature's types with parameters of their own.
    mutating func instantiate(_ types: [ConditionType]) -> [ConditionType] {
        let base = count
        var used = 0
        let instances = types.map { type in
            Self.map(type) { number in
                used = max(used, number + 1)
                return .parameter(base + number)
            }
        }
        count += used
        return instances
    }

    private static func map(_ type: ConditionType, _ replacement: (Int) -> ConditionType) -> ConditionType {
        switch type {
        case .parameter(let number): replacement(number)
        case .list(let element): .list(map(element, replacement))
        case .map(let key, let value): .map(map(key, replacement), map(value, replacement))
        case .opaque(let name, let parameters): .opaque(name, parameters.map { map($0, replacement) })
        default: type
        }
    }

    /// The type with everything known filled in; parameters that nothing decides stay.
    func resolved(_ type: ConditionType) -> ConditionType {
        Self.map(type) { number in bindings[number].map(resolved) ?? .parameter(number) }
    }

    /// The type with everything known filled in, and `dyn` for the rest.
    func final(_ type: ConditionType) -> ConditionType {
        Self.map(resolved(type)) { _ in .dynamic }
    }

    /// Whether a value of type `source` can stand where `target` is expected. Changes nothing when it cannot.
    mutating func assign(_ source: ConditionType, to target: ConditionType) -> Bool {
        let before = bindings
        if unify(target, source) { return true }
        bindings = before
        return false
    }

    mutating func assign(_ sources: [ConditionType], to targets: [ConditionType]) -> Bool {
        let before = bindings
        for (source, target) in zip(sources, targets) where !unify(target, source) {
            bindings = before
            return false
        }
        return true
    }

    private mutating func unify(_ target: ConditionType, _ source: ConditionType) -> Bool {
        switch (target, source) {
        case (.parameter(let first), .parameter(let second)) where first == second: return true
        case (.parameter(let number), _): return bind(number, to: source)
        case (_, .parameter(let number)): return bind(number, to: target)
        case (.dynamic, _), (_, .dynamic): return true
        case (.null, let other), (let other, .null): return other == .null || Self.isNullable(other)
        case (.list(let first), .list(let second)): return unify(first, second)
        case (.map(let firstKey, let first), .map(let secondKey, let second)):
            return unify(firstKey, secondKey) && unify(first, second)
        case (.opaque(let first, let firsts), .opaque(let second, let seconds)):
            guard first == second, firsts.count == seconds.count else { return false }
            for (first, second) in zip(firsts, seconds) where !unify(first, second) { return false }
            return true
        default: return target == source
        }
    }

    private mutating func bind(_ number: Int, to type: ConditionType) -> Bool {
        if let bound = bindings[number] {
            guard unify(bound, type) else { return false }
            bindings[number] = Self.mostGeneral(resolved(bound), resolved(type))
            return true
        }
        let type = resolved(type)
        if type == .parameter(number) { return true }
        guard !Self.contains(type, number) else { return false }
        bindings[number] = type
        return true
    }

    private static func contains(_ type: ConditionType, _ number: Int) -> Bool {
        switch type {
        case .parameter(let other): other == number
        case .list(let element): contains(element, number)
        case .map(let key, let value): contains(key, number) || contains(value, number)
        case .opaque(_, let parameters): parameters.contains { contains($0, number) }
        default: false
        }
    }

    private static func isNullable(_ type: ConditionType) -> Bool {
        switch type {
        case .object, .opaque, .timestamp, .duration, .address: true
        default: false
        }
    }

    /// Of two types that fit, the one that covers both.
    static func mostGeneral(_ first: ConditionType, _ second: ConditionType) -> ConditionType {
        switch (first, second) {
        case (.dynamic, _), (_, .dynamic): .dynamic
        case (.null, _): second
        case (.parameter, _): second
        case (.list(let first), .list(let second)): .list(mostGeneral(first, second))
        case (.map(let firstKey, let first), .map(let secondKey, let second)):
            .map(mostGeneral(firstKey, secondKey), mostGeneral(first, second))
        case (.opaque(let name, let firsts), .opaque(_, let seconds)):
            .opaque(name, zip(firsts, seconds).map { mostGeneral($0, $1) })
        default: first
        }
    }
}

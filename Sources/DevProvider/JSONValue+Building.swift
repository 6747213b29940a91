import TokenCrypto

extension JSONValue {
    static func strings(_ values: [String]) -> JSONValue { .array(values.map(JSONValue.string)) }

    /// An object whose members are all strings.
    static func texts(_ members: KeyValuePairs<String, String>) -> JSONValue {
        .object(Dictionary(members.map { ($0.key, JSONValue.string($0.value)) }, uniquingKeysWith: { first, _ in first }))
    }

    func setting(_ name: String, _ value: String) -> JSONValue { setting(name, .string(value)) }

    /// The object with the member set, or removed for nil; anything else unchanged.
    func setting(_ name: String, _ value: JSONValue?) -> JSONValue {
        guard var members = object else { return self }
        members[name] = value
        return .object(members)
    }
}

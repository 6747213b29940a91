package import Primitives

/// A value of the expression language.
package enum ConditionValue: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    case string(String)
    case bytes([UInt8])
    case list([ConditionValue])
    case map(ConditionMap)
    case timestamp(ConditionTimestamp)
    case duration(ConditionDuration)
    /// A type, by its name.
    case type(String)
    case address(ConditionAddress)
    case object(any ConditionObject)

    package static func address(_ address: NetworkAddress) -> ConditionValue { .address(ConditionAddress(address)) }

    /// The name of the value's type.
    package var typeName: String {
        switch self {
        case .null: "null_type"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .list: "list"
        case .map: "map"
        case .timestamp: "google.protobuf.Timestamp"
        case .duration: "google.protobuf.Duration"
        case .type: "type"
        case .address: "net.IP"
        case .object(let object): object.typeName
        }
    }
}

/// An object with the fields of a type that the environment declares.
package protocol ConditionObject: AnyObject, Sendable {
    /// The name of the declared type.
    var typeName: String { get }

    /// The field at its position in the declaration; nil when it is absent.
    func field(at index: Int) -> ConditionValue?
}

/// An address in two words, which keeps `ConditionValue` small.
package struct ConditionAddress: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64

    package init(_ address: NetworkAddress) {
        high = UInt64(truncatingIfNeeded: address.value >> 64)
        low = UInt64(truncatingIfNeeded: address.value)
    }

    package var networkAddress: NetworkAddress { NetworkAddress(value: UInt128(high) << 64 | UInt128(low)) }
}

/// A map. Iteration is in the order of the entries.
package struct ConditionMap: Sendable {
    package typealias Entry = (key: ConditionValue, value: ConditionValue)

    package let entries: [Entry]
    /// The positions of the keys, once looking through the entries takes longer.
    private let positions: [ConditionKey: Int]?
    /// Entries that are looked through.
    private static let mostSearched = 4

    /// Nil when two keys are equal or a key is of a type that no key may have.
    package init?(_ entries: [Entry]) {
        var positions: [ConditionKey: Int] = [:]
        positions.reserveCapacity(entries.count)
        for (position, entry) in entries.enumerated() {
            guard let key = ConditionKey(entry.key, allowsDouble: false), positions.updateValue(position, forKey: key) == nil else {
                return nil
            }
        }
        self.entries = entries
        self.positions = entries.count > Self.mostSearched ? positions : nil
    }

    /// A map with strings as keys. Of equal keys the first stays.
    package init(strings: [(String, ConditionValue)]) {
        var entries: [Entry] = []
        entries.reserveCapacity(strings.count)
        guard strings.count > Self.mostSearched else {
            for (index, (key, value)) in strings.enumerated() where !strings[..<index].contains(where: { $0.0.isExactly(key) }) {
                entries.append((.string(key), value))
            }
            self.entries = entries
            positions = nil
            return
        }
        var positions: [ConditionKey: Int] = [:]
        positions.reserveCapacity(strings.count)
        for (key, value) in strings where positions[.string(ExactString(key))] == nil {
            positions[.string(ExactString(key))] = entries.count
            entries.append((.string(key), value))
        }
        self.entries = entries
        self.positions = entries.count > Self.mostSearched ? positions : nil
    }

    package var count: Int { entries.count }

    /// The value of a key; nil when it is absent or no key may have its type. Numbers are equal across their types.
    package func value(for key: ConditionValue) -> ConditionValue? {
        if case .string(let text) = key { return value(for: text) }
        guard let key = ConditionKey(key, allowsDouble: true) else { return nil }
        if let positions { return positions[key].map { entries[$0].value } }
        for entry in entries where ConditionKey(entry.key, allowsDouble: false) == key { return entry.value }
        return nil
    }

    package func value(for key: String) -> ConditionValue? {
        if let positions { return positions[.string(ExactString(key))].map { entries[$0].value } }
        for entry in entries {
            if case .string(let text) = entry.key, text.isExactly(key) { return entry.value }
        }
        return nil
    }
}

/// A key of a map, equal for equal numbers of all types.
enum ConditionKey: Hashable {
    case bool(Bool)
    case int(Int64)
    /// A number above the largest `int`.
    case uint(UInt64)
    case string(ExactString)

    init?(_ value: ConditionValue, allowsDouble: Bool) {
        switch value {
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .uint(let value): self = Int64(exactly: value).map(ConditionKey.int) ?? .uint(value)
        case .string(let value): self = .string(ExactString(value))
        case .double(let value) where allowsDouble:
            if let number = Int64(exactly: value) {
                self = .int(number)
            } else if let number = UInt64(exactly: value) {
                self = .uint(number)
            } else {
                return nil
            }
        default: return nil
        }
    }
}

/// A string that equals only the same sequence of scalars; `String` also equals canonically equivalent ones.
struct ExactString: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (first: ExactString, second: ExactString) -> Bool { first.text.isExactly(second.text) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(UInt8(0xFF))
    }
}

extension String {
    func isExactly(_ other: String) -> Bool {
        // `==` would equal texts whose bytes differ.
        utf8.span.bytes.equals(other.utf8.span.bytes)
    }
}

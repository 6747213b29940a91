/// A data item of CBOR (RFC 8949) in the subset that authenticators write (CTAP2 canonical form).
package enum CBORValue: Sendable, Hashable {
    case unsigned(UInt64)
    /// -1 - n.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([CBORValue: CBORValue])
    case bool(Bool)
    case null

    /// A small number as a key or value.
    static func integer(_ number: Int) -> CBORValue {
        number >= 0 ? .unsigned(UInt64(number)) : .negative(UInt64(-1 - number))
    }

    var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var map: [CBORValue: CBORValue]? { if case .map(let value) = self { value } else { nil } }
}

/// The reason why bytes are no CBOR that is accepted. Safe to log.
package struct CBORError: Error, Sendable, Equatable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}

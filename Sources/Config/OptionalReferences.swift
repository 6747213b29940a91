package import Diagnostics

/// The references that a reading may leave without a value.
///
/// Commands that serve nothing run on machines without secrets, such as an operator's laptop or CI.
package enum OptionalReferences: Sendable {
    /// A reference without a value is an error.
    case none
    /// References in secrets, client credentials and header values may stay unresolved.
    case credentials
    /// Any reference may stay unresolved. The command checks the keys that decide its answer.
    case all

    func includes(_ type: ScalarType) -> Bool {
        switch self {
        case .none: false
        case .all: true
        case .credentials:
            switch type {
            case .secret, .sessionKey, .accountKey, .accountStore, .mailURL, .store, .sessionStoreURL, .credential, .template, .headerValue:
                true
            default: false
            }
        }
    }
}

/// A value that was not read because its references have no value here.
package struct UnresolvedValue: Sendable {
    package var references: [Reference]
    /// The findings that the value would have if its references were required.
    package var findings: [Diagnostic]
}

extension Surroundings {
    /// The same machine, with these references optional.
    package func optional(_ references: OptionalReferences) -> Surroundings {
        var result = self
        result.optionalReferences = references
        return result
    }
}

package import Accounts

/// A factor as pages and JSON show it: no secret, and of a telephone number its last four digits.
package struct FactorHint: Sendable, Equatable {
    package let id: String
    package let type: FactorType
    package let displayName: String?
    /// Masked; nil for other types.
    package let phone: String?
    /// Unix milliseconds.
    package let enrolledAt: Int64
}

enum FactorName {
    /// The user's name for a factor: at most 100 characters, without control characters; nil if nothing is left.
    static func kept(_ text: String?) -> String? {
        guard let text else { return nil }
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(1_000) where !scalar.properties.generalCategory.isControl { kept.append(scalar) }
        var name = String(String(kept).prefix(100))
        while name.first == " " { name.removeFirst() }
        while name.last == " " { name.removeLast() }
        return name.isEmpty ? nil : name
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isControl: Bool {
        switch self {
        case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: true
        default: false
        }
    }
}

import Primitives

/// A password as it is hashed: in Unicode's normalisation form C, so that every keyboard's spelling of it is the same.
package struct Password: Sendable, Redacted {
    /// The reason why a text is no password.
    package enum Problem: Error, Sendable, Hashable {
        /// More than `Password.maximumBytes`.
        case tooLong
        case controlCharacter
    }

    package static let maximumBytes = 1_024

    /// Normalised.
    package let text: String

    package init(_ text: String) throws(Problem) {
        // A text of that many bytes cannot become short enough: normalising shortens the characters of a text to a third at most.
        guard text.utf8.count <= 4 * Self.maximumBytes else { throw .tooLong }
        let normalized = NormalizationFormC.normalize(text)
        guard normalized.utf8.count <= Self.maximumBytes else { throw .tooLong }
        guard !normalized.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { throw .controlCharacter }
        self.text = normalized
    }

    /// The length that a minimum is compared with.
    package var scalarCount: Int { text.unicodeScalars.count }

    var bytes: [UInt8] { Array(text.utf8) }
}

/// The place and the reason why a text is not valid JSON, or exceeds the limits.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The byte offset from 0.
    package var offset: Int
    /// The problem; never quotes the input.
    package var reason: String
    package var description: String { "\(reason) at byte \(offset)" }

    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }
}

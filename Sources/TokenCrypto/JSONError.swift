/// Where and why a text is not the JSON we accept.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Byte offset from 0.
    package var offset: Int
    /// Says what is wrong; never quotes the input.
    package var reason: String
    package var description: String { "\(reason) at byte \(offset)" }

    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }
}

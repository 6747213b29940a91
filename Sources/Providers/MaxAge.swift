/// The `max_age` of an authorization request: the seconds since the last active sign-in after which the provider must ask for
/// another one (OpenID Connect Core 1.0 section 3.1.2.1).
package struct MaxAge: Sendable, Equatable {
    package static let parameter = "max_age"
    /// Ten years. The number fits 32 bits, which is all that some providers read.
    package static let longest: Int64 = 315_360_000

    package let seconds: Int64

    /// Nil for a number below 0 or above `longest`.
    package init?(seconds: Int64) {
        guard (0...Self.longest).contains(seconds) else { return nil }
        self.seconds = seconds
    }

    /// Nil for text that is not all digits, and for a number above `longest`.
    package init?(_ text: String) {
        guard Self.isDigits(text), let seconds = Int64(text) else { return nil }
        self.init(seconds: seconds)
    }

    /// Treats a number above `longest` as `longest`. Nil for text that is not all digits.
    package init?(clamping text: String) {
        guard Self.isDigits(text) else { return nil }
        self.seconds = min(Int64(text) ?? .max, Self.longest)
    }

    private static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }
}

import TokenCrypto

/// Names one sign-in: seven characters of creation time, ten of randomness, in the order-preserving base32 alphabet
/// of RFC 4648 section 7, lower case. The first part of `state`, and the end of the cookie's name.
package struct LoginID: Sendable, Hashable {
    package let text: String

    private static let alphabet = Array("0123456789abcdefghijklmnopqrstuv".utf8)
    private static let timeLength = 7
    private static let length = 17

    /// A new id; `now` in Unix milliseconds.
    package init(now: Int64) {
        let seconds = UInt64(max(0, now / 1000))
        var bytes: [UInt8] = []
        for place in stride(from: Self.timeLength - 1, through: 0, by: -1) {
            bytes.append(Self.alphabet[Int((seconds >> UInt64(5 * place)) & 31)])
        }
        bytes += SecureRandom.bytes(Self.length - Self.timeLength).map { Self.alphabet[Int($0 & 31)] }
        self.text = String(decoding: bytes, as: UTF8.self)
    }

    /// nil for a text that no `LoginID` has.
    package init?(parsing text: some StringProtocol) {
        guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.alphabet.contains) else { return nil }
        self.text = String(text)
    }

    /// The id that a `state` begins with.
    package init?(state: String) {
        guard let dot = state.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        self.init(parsing: state[..<dot])
    }

    /// Unix milliseconds, whole seconds. Anyone can write an id: this orders and ages, it proves nothing.
    package var createdAt: Int64 {
        var seconds: Int64 = 0
        for byte in self.text.utf8.prefix(Self.timeLength) {
            let digit = byte <= UInt8(ascii: "9") ? byte - UInt8(ascii: "0") : byte - UInt8(ascii: "a") + 10
            seconds = seconds << 5 | Int64(digit)
        }
        return seconds * 1000
    }
}

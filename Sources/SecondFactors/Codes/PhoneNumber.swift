/// A telephone number in the form of E.164: `+`, the country code and the number, at most 15 digits.
package struct PhoneNumber: Sendable, Equatable {
    package let text: String

    /// Strict: no spaces, no other punctuation, ASCII digits. Fewer than seven digits are no number of a subscriber.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.first == UInt8(ascii: "+"), (8...16).contains(bytes.count), bytes.dropFirst().first != UInt8(ascii: "0"),
            bytes.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        self.text = text
    }

    /// The form for pages and hints. Seven bullets whatever the length, which is nobody's business.
    package var masked: String { "+•••••••" + text.suffix(4) }
}

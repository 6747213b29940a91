/// The remaining number of hops of an OPTIONS request (RFC 9110 section 7.6.2).
package struct MaxForwards: Sendable {
    package let count: Int

    /// Parses `1*DIGIT`, at most nine digits.
    package init?(_ text: String) {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let count = Int(text) else {
            return nil
        }
        self.count = count
    }
}

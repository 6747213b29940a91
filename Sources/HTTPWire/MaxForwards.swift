/// How many more hops an OPTIONS request may take (RFC 9110 section 7.6.2).
package struct MaxForwards: Sendable {
    package let count: Int

    /// `1*DIGIT`, at most nine of them.
    package init?(_ text: String) {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let count = Int(text) else {
            return nil
        }
        self.count = count
    }
}

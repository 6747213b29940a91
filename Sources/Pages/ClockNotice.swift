/// How far a time in the provider's response is from this site's clock.
package struct ClockNotice: Sendable, Equatable {
    package enum Kind: Sendable, CaseIterable {
        /// The response has expired.
        case expired
        /// It was issued too long ago.
        case old
        /// It was issued, or becomes valid, in the future.
        case future
    }

    package let kind: Kind
    /// Never negative.
    package let seconds: Int64

    package init(_ kind: Kind, seconds: Int64) {
        self.kind = kind
        self.seconds = seconds
    }

    var text: String { kind.text }
}

extension ClockNotice.Kind {
    var text: String {
        switch self {
        case .expired: "By this site's clock, the provider's response expired {seconds} seconds ago. The clock may be wrong."
        case .old: "By this site's clock, the provider's response is {seconds} seconds old. The clock may be wrong."
        case .future: "By this site's clock, the provider's response is from {seconds} seconds in the future. The clock may be wrong."
        }
    }
}

/// What a stream to an upstream does after an event, in the order of this list.
struct HTTP2ClientActions: OptionSet, Hashable {
    var rawValue: UInt8

    /// The deadline is set for the machine's limit.
    static let setDeadline = Self(rawValue: 1 << 0)
    static let clearDeadline = Self(rawValue: 1 << 1)
    /// The read that was held back happens.
    static let resumeReading = Self(rawValue: 1 << 2)
    /// The exchange learns whether the upstream takes more of the body.
    static let reportWritability = Self(rawValue: 1 << 3)
}

/// What a connection to an upstream does after an event, in the order of this list.
struct HTTP2ClientConnectionActions: OptionSet, Hashable {
    var rawValue: UInt8

    /// The pool gives it no further requests.
    static let leave = Self(rawValue: 1 << 0)
    /// The deadline is set for the time that a connection may be unused.
    static let setDeadline = Self(rawValue: 1 << 1)
    /// `close`, and what follows from it.
    static let close = Self(rawValue: 1 << 2)
}

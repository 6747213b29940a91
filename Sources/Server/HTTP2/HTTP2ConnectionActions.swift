/// What an HTTP/2 connection does after an event, in the order of this list.
///
/// The deadline comes first: what follows may close the channel at once, and a deadline that is set then would outlive the connection.
struct HTTP2ConnectionActions: OptionSet, Hashable {
    var rawValue: UInt8

    /// The deadline is set for the machine's limit.
    static let setDeadline = Self(rawValue: 1 << 0)
    static let clearDeadline = Self(rawValue: 1 << 1)
    /// GOAWAY that leaves all stream numbers open, and a PING whose acknowledgement shows that the client has read it.
    static let announce = Self(rawValue: 1 << 2)
    /// GOAWAY with the last stream.
    static let nameLastStream = Self(rawValue: 1 << 3)
    static let endStreams = Self(rawValue: 1 << 4)
    /// All streams end. The output is closed once everything is written.
    static let finish = Self(rawValue: 1 << 5)
    static let close = Self(rawValue: 1 << 6)
}

/// What a connection does after an event, in the order of this list.
struct HTTP1Actions: OptionSet, Hashable {
    var rawValue: UInt32

    /// The deadline is set for the machine's limit.
    static let setDeadline = Self(rawValue: 1 << 0)
    static let clearDeadline = Self(rawValue: 1 << 1)
    /// `100 Continue` is sent.
    static let sendContinue = Self(rawValue: 1 << 2)
    /// The exchange was aborted, for the access log.
    static let noteAborted = Self(rawValue: 1 << 3)
    /// The delegate learns that there is no more of the body.
    static let reportEnd = Self(rawValue: 1 << 4)
    /// The WebSocket's client gets a close frame.
    static let sendGoingAway = Self(rawValue: 1 << 5)
    /// The delegate learns that nothing can be sent any longer.
    static let reportClosed = Self(rawValue: 1 << 6)
    /// The request handler learns that the exchange has ended.
    static let reportFinished = Self(rawValue: 1 << 7)
    /// The delegate learns whether the client can take more.
    static let reportWritability = Self(rawValue: 1 << 8)
    /// An answer that belongs to no request begins.
    static let beginExchange = Self(rawValue: 1 << 9)
    /// The request handler answers that the request takes too long.
    static let answerLate = Self(rawValue: 1 << 10)
    /// The response ends.
    static let endResponse = Self(rawValue: 1 << 11)
    /// Received bytes are looked at.
    static let process = Self(rawValue: 1 << 12)
    /// Everything is written out, then `written` follows.
    static let finish = Self(rawValue: 1 << 13)
    static let closeOutput = Self(rawValue: 1 << 14)
    /// The read that was held back happens.
    static let resumeReading = Self(rawValue: 1 << 15)
    /// What is not sent yet is thrown away.
    static let discardOutput = Self(rawValue: 1 << 16)
    /// The client sees a reset: a close alone would look like the end of a body that is delimited by it.
    static let resetOnClose = Self(rawValue: 1 << 17)
    static let close = Self(rawValue: 1 << 18)
}

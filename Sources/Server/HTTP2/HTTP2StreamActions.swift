/// What a stream does after an event, in the order of this list.
struct HTTP2StreamActions: OptionSet, Hashable {
    var rawValue: UInt16

    /// The deadline is set for the machine's limit.
    static let setDeadline = Self(rawValue: 1 << 0)
    static let clearDeadline = Self(rawValue: 1 << 1)
    /// `100 Continue` is sent.
    static let sendContinue = Self(rawValue: 1 << 2)
    /// The delegate learns that there is no more of the body.
    static let reportEnd = Self(rawValue: 1 << 3)
    /// Received bytes of the body are looked at.
    static let deliver = Self(rawValue: 1 << 4)
    /// The exchange was aborted, for the access log.
    static let noteAborted = Self(rawValue: 1 << 5)
    /// What was collected of the response goes to the codec.
    static let writeOut = Self(rawValue: 1 << 6)
    /// What the codec has is sent at the end of the turn.
    static let flush = Self(rawValue: 1 << 7)
    /// The same now: the codec drops what a stream has not sent when it is reset.
    static let sendNow = Self(rawValue: 1 << 8)
    /// The delegate learns that the client can take more.
    static let reportWritable = Self(rawValue: 1 << 9)
    /// The delegate learns that the client takes no more, unless there was room after all.
    static let reportFull = Self(rawValue: 1 << 10)
    /// The delegate learns that nothing can be sent any longer.
    static let reportClosed = Self(rawValue: 1 << 11)
    /// The request handler learns that the exchange has ended.
    static let reportFinished = Self(rawValue: 1 << 12)
    /// The request handler answers that the request takes too long.
    static let answerLate = Self(rawValue: 1 << 13)
    /// RST_STREAM with INTERNAL_ERROR, then the stream ends.
    static let resetBroken = Self(rawValue: 1 << 14)
    /// RST_STREAM with NO_ERROR: the response is whole, and the rest of the request is of no use (RFC 9113 section 8.1).
    static let resetAnswered = Self(rawValue: 1 << 15)
}

import NIOHTTP2

/// What a client may send without doing anything with it: counts of frames that the codec does not limit.
struct HTTP2FloodLimit {
    /// Idle frames that every connection has free, and further ones for each DATA frame that it was sent.
    private static let freeIdleFrames = 2_000
    private static let idleFramesForData = 10
    /// The least cost of a frame for a closed stream, in bytes: a flood of small frames costs more than its bytes.
    private static let leastLateBytes = 16
    /// The most that a client may have under way for streams that have ended: what two windows of the connection hold.
    private static let mostLateBytes = 2 * HTTP2Limits.connectionWindow

    private var idleFrames = 0
    /// DATA frames that were sent to the client.
    private var sentDataFrames = 0
    /// Streams that the client has ended or reset, the latest ones.
    private var ended: [Int] = []
    /// Bytes that the client may still send for streams that have ended. The codec drops them; it limits neither them nor their frames. A
    /// window from the start leaves single late frames to the codec, which knows the right error.
    private var lateBytes = HTTP2Limits.streamWindow

    mutating func sentData() { sentDataFrames += 1 }

    /// A stream has ended before the client's body: a window of it may be under way.
    mutating func streamWasCut() { lateBytes = min(lateBytes + HTTP2Limits.streamWindow, Self.mostLateBytes) }

    /// The client has ended or reset the stream.
    mutating func noteEnd(of stream: Int) {
        if ended.count >= 32 { ended.removeFirst(16) }
        ended.append(stream)
    }

    /// True if the client sends HEADERS on a stream after it has ended it. The codec would call that another error (RFC 9113 section 5.1,
    /// "half-closed (remote)" and "closed").
    func wasEnded(_ stream: Int) -> Bool { ended.contains(stream) }

    /// A frame for a stream that has ended. False: the connection is to end.
    mutating func allowsLate(_ length: Int) -> Bool {
        lateBytes -= max(length, Self.leastLateBytes)
        return lateBytes >= 0
    }

    /// WINDOW_UPDATE, or a frame of an unknown type. False: the connection is to end.
    mutating func allowsIdle() -> Bool {
        idleFrames += 1
        return idleFrames <= Self.freeIdleFrames + Self.idleFramesForData * sentDataFrames
    }
}

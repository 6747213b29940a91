import NIOCore

/// The body of a request as far as it has been sent, so that it can be sent once more on another connection.
struct BodyReplay {
    /// The most that is kept of one request. A longer body cannot be sent again.
    static let byteLimit = 64 * 1024

    private(set) var bytes = ByteBuffer()
    /// The client has sent all of it.
    private(set) var isComplete = false
    private(set) var trailers: ByteBuffer?

    /// False when the body is too long to be kept.
    mutating func append(_ part: ByteBuffer) -> Bool {
        guard bytes.readableBytes + part.readableBytes <= Self.byteLimit else { return false }
        bytes.writeImmutableBuffer(part)
        return true
    }

    mutating func complete(trailers: ByteBuffer?) {
        isComplete = true
        self.trailers = trailers
    }
}

/// A flow-control window for what the client sends, of a stream or of the connection (RFC 9113 section 5.2).
struct ReceiveWindow {
    /// The bytes that may be unread or under way.
    let size: Int
    /// The bytes that the client may still send, as the codec counts them.
    var open: Int

    /// The increment for WINDOW_UPDATE once half of the window beside the unread bytes is free.
    mutating func increment(unread: Int) -> Int? {
        let free = size - open - unread
        guard free >= size / 2 else { return nil }
        open += free
        return free
    }
}

/// A flow-control window for what the client sends, of a stream or of the connection (RFC 9113 section 5.2).
struct ReceiveWindow {
    /// The bytes that may be unread or under way.
    let size: Int
    /// The bytes that the client may still send.
    private(set) var open: Int

    /// The client has sent flow-controlled bytes.
    mutating func use(_ count: Int) { open -= count }

    /// The increment for WINDOW_UPDATE once half of the window beside the unread bytes is free.
    mutating func increment(unread: Int) -> Int? {
        let free = size - open - unread
        guard free >= size / 2 else { return nil }
        open += free
        return free
    }
}

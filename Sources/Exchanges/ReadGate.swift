/// The reading of a channel whose bytes, or whose reader, are limited: a read that may not happen now is held back.
public struct ReadGate {
    private enum State {
        case open
        /// The channel has asked for the next read, which waits until there is room.
        case held
        /// The peer sends no more.
        case ended
    }

    private var state = State.open

    public init() {}

    public var isEnded: Bool { state == .ended }
    public var isHeld: Bool { state == .held }

    /// Whether the next read may happen now; one that may not is held.
    public mutating func mayRead(hasRoom: Bool) -> Bool {
        if state != .ended { state = hasRoom ? .open : .held }
        return hasRoom
    }

    /// Whether a read was held that may happen now.
    public mutating func resumes(hasRoom: Bool) -> Bool {
        guard state == .held, hasRoom else { return false }
        state = .open
        return true
    }

    /// The peer has ended its input.
    public mutating func end() { state = .ended }
}

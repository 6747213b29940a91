/// The call of `sendDeferred` that a connection has asked for: one for all that is written in a turn of the loop.
public struct SendSchedule {
    private enum Due {
        case none
        /// Once the loop has nothing else to do.
        case held
        /// At the end of the turn.
        case deferred
    }

    private var due = Due.none

    public init() {}

    /// A call is due at the end of the turn or later.
    public var isDue: Bool { due != .none }
    /// A call is due at the end of this turn.
    public var isDeferred: Bool { due == .deferred }

    /// True if `DeferredSends.add` follows.
    public mutating func deferToEndOfTurn() -> Bool {
        guard due != .deferred else { return false }
        due = .deferred
        return true
    }

    /// True if `DeferredSends.hold` follows.
    public mutating func hold() -> Bool {
        guard due == .none else { return false }
        due = .held
        return true
    }

    /// `sendDeferred` was called.
    public mutating func end() { due = .none }
}

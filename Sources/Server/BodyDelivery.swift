/// Whether the bytes of a request's body go to the delegate.
enum BodyDelivery {
    case unwanted, unwantedPaused, running, paused
    /// The body breaks a rule or ends too early: its end is unknown.
    case broken

    /// The body is wanted from now on. False for a broken one.
    mutating func start() -> Bool {
        switch self {
        case .unwanted: self = .running
        case .unwantedPaused: self = .paused
        case .running, .paused: break
        case .broken: return false
        }
        return true
    }

    enum Change { case nothing, stopped, resumed }

    mutating func pause(_ isPaused: Bool) -> Change {
        switch (self, isPaused) {
        case (.unwanted, true): self = .unwantedPaused
        case (.unwantedPaused, false):
            self = .unwanted
            return .nothing
        case (.running, true): self = .paused
        case (.paused, false):
            self = .running
            return .resumed
        default: return .nothing
        }
        return .stopped
    }
}

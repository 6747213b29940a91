import NIOCore

/// The reason why a log destination cannot be written, and since when.
struct SinkFailure: Sendable, Equatable {
    var reason: String
    var since: NIODeadline
    /// The lines lost before this failure.
    fileprivate var lostBefore: LineCounts
}

/// Something to report about a destination.
enum SinkChange: Sendable, Equatable {
    case failed(SinkFailure)
    /// `lost`: lines since the failure began.
    case recovered(SinkFailure, lost: LineCounts, at: NIODeadline)
    /// The file that takes the place of one that was moved away cannot be opened.
    case notReopened(reason: String)
}

/// Whether a destination takes lines, judged by what became of writes.
///
/// A disk that is nearly full takes one batch and refuses the next: a recovery counts after a second without a failure, so that
/// there is at most one report of each kind in a second.
struct SinkHealth: Sendable {
    private static let settlingTime = TimeAmount.seconds(1)

    private(set) var failure: SinkFailure?
    private var lastFailure = NIODeadline.uptimeNanoseconds(0)
    private var lastSuccess = NIODeadline.uptimeNanoseconds(0)

    var isFailing: Bool { failure != nil }
    /// Nothing was written since the last failure.
    var mayTryAgain: Bool { isFailing && lastSuccess <= lastFailure }

    /// `lost`: what had been lost before this failure.
    mutating func failed(_ reason: String, at now: NIODeadline, lost: LineCounts) -> SinkChange? {
        lastFailure = now
        guard failure == nil else { return nil }
        let failure = SinkFailure(reason: reason, since: now, lostBefore: lost)
        self.failure = failure
        return .failed(failure)
    }

    mutating func succeeded(at now: NIODeadline, lost: LineCounts) -> SinkChange? {
        lastSuccess = now
        return settled(at: now, lost: lost)
    }

    /// The recovery, when a write succeeded and a second has passed since the last failure.
    mutating func settled(at now: NIODeadline, lost: LineCounts) -> SinkChange? {
        guard let failure, lastSuccess > lastFailure, now - lastFailure >= Self.settlingTime else { return nil }
        self.failure = nil
        return .recovered(failure, lost: lost - failure.lostBefore, at: now)
    }
}

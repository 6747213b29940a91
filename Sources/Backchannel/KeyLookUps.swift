import SignIn

/// Decides whether a provider's keys may be looked up for a token that the known ones do not verify: at most twice in ten seconds.
///
/// Any client can send tokens with a made-up `kid` or signature. They get the second look-up only if the first one brought other keys, so
/// junk never uses the look-up that the next sign-in needs. Times are Unix milliseconds.
struct KeyLookUps: Sendable {
    static let interval: Int64 = 10_000
    static let limit = 2

    private var lookUps: [(time: Int64, broughtOtherKeys: Bool)] = []

    func allows(_ source: TokenSource, now: Int64) -> Bool {
        let recent = lookUps.filter { Self.isRecent($0.time, now: now) }
        guard recent.count < Self.limit else { return false }
        return source == .provider || recent.allSatisfy(\.broughtOtherKeys)
    }

    mutating func record(broughtOtherKeys: Bool, now: Int64) {
        lookUps.removeAll { !Self.isRecent($0.time, now: now) }
        lookUps.append((now, broughtOtherKeys))
    }

    /// A time ahead of `now` does not count: after the clock was set back, look-ups do not wait until it has caught up.
    static func isRecent(_ time: Int64, now: Int64) -> Bool { (0..<interval).contains(now - time) }
}

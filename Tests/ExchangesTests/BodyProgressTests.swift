import Testing

@testable import Exchanges

@Suite("The progress of a request body")
struct BodyProgressTests {
    /// Idle 10 s, 100 bytes a second over 2 s; a tick is 100 ms.
    private static let limits = BodyProgress.Limits(idle: 10_000, rate: 100, window: 2_000)

    @Test("a window that brings enough begins another; one that does not is the end")
    func rate() {
        var progress = BodyProgress(at: 0)
        #expect(progress.nextLimit(at: 0, Self.limits) == 2_000)
        progress.received(200, at: 5)
        #expect(progress.nextLimit(at: 20, Self.limits) == 2_000)
        progress.received(199, at: 30)
        #expect(progress.nextLimit(at: 40, Self.limits) == nil)
    }

    @Test("asked too early, it says how much is left of the window")
    func early() {
        var progress = BodyProgress(at: 0)
        #expect(progress.nextLimit(at: 15, Self.limits) == 500)
    }

    @Test("without a rate only standing still counts, from the last byte on")
    func idle() {
        let limits = BodyProgress.Limits(idle: 10_000, rate: 0, window: 2_000)
        var progress = BodyProgress(at: 0)
        #expect(progress.nextLimit(at: 0, limits) == 10_000)
        progress.received(1, at: 60)
        #expect(progress.nextLimit(at: 100, limits) == 6_000)
        #expect(progress.nextLimit(at: 160, limits) == nil)
    }

    @Test("an idle limit shorter than the window ends first")
    func shortIdle() {
        let limits = BodyProgress.Limits(idle: 1_000, rate: 100, window: 2_000)
        var progress = BodyProgress(at: 0)
        #expect(progress.nextLimit(at: 0, limits) == 1_000)
        progress.received(5_000, at: 5)
        #expect(progress.nextLimit(at: 10, limits) == 500)
        #expect(progress.nextLimit(at: 15, limits) == nil)
    }

    @Test("a rate as large as can be configured does not overflow")
    func large() {
        let limits = BodyProgress.Limits(idle: .max, rate: 1 << 30, window: 36_500 * 86_400_000)
        var progress = BodyProgress(at: 0)
        #expect(progress.nextLimit(at: 36_500 * 864_000, limits) == nil)
    }
}

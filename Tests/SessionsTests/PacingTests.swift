import Testing

@testable import Sessions

@Suite struct PacingTests {
    @Test func `work is done once in an interval`() {
        var pacing = Pacing(interval: 1_000)
        let outcomes = ([0, 999, 1_000, 1_500] as [Int64]).map { pacing.begin(at: $0) }
        #expect(outcomes == [true, false, true, false])
    }

    @Test func `a clock that was set back delays nothing`() {
        var pacing = Pacing(interval: 1_000)
        let before = pacing.begin(at: 1_000_000)
        let after = pacing.begin(at: 10)
        #expect(before && after)
    }
}

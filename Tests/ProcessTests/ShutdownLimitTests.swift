import NIOCore
import Testing

@testable import Process

@Suite("The limits of a shutdown")
struct ShutdownLimitTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    @Test("logs may use what is left of the shutdown, and a second where nothing is")
    func logs() {
        let limit = ShutdownLimit(drainDelay: 1_000, shutdown: 2_000, now: start)
        #expect(limit.endOfLogs(now: start + .seconds(1)) == start + .seconds(3))
        #expect(limit.endOfLogs(now: start + .seconds(4)) == start + .seconds(5))
        #expect(limit.lastMoment == start + .seconds(8))
    }

    @Test("the longest durations do not overflow")
    func longest() { #expect(ShutdownLimit(drainDelay: .max, shutdown: .max, now: start).end > start) }
}

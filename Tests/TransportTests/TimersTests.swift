import NIOCore
import Testing

@testable import Transport

@Suite struct TimersTests {
    private func drain(_ timers: inout Timers, at now: NIODeadline) {
        while let task = timers.takeDue(now) { task(true) }
    }

    @Test func runInTheOrderOfTheirTimesAndThenOfTheirAsking() {
        var timers = Timers()
        var ran: [Int] = []
        for (index, time) in [7, 3, 9, 3, 1, 7, 2].enumerated() {
            _ = timers.add(at: .uptimeNanoseconds(UInt64(time))) { _ in ran.append(index) }
        }
        drain(&timers, at: .uptimeNanoseconds(7))
        #expect(ran == [4, 6, 1, 3, 0, 5])
        #expect(timers.next == .uptimeNanoseconds(9))
    }

    @Test func oneThatIsCancelledDoesNotRunAndTheOthersKeepTheirOrder() {
        var timers = Timers()
        var ran: [Int] = []
        let entries = (0..<100).map { index in
            timers.add(at: .uptimeNanoseconds(UInt64(index * 37 % 101))) { _ in ran.append(index * 37 % 101) }
        }
        for index in stride(from: 0, to: 100, by: 3) { #expect(timers.cancel(entries[index]) != nil) }
        #expect(timers.cancel(entries[3]) == nil)
        drain(&timers, at: .uptimeNanoseconds(200))
        #expect(ran == (0..<100).filter { $0 % 3 != 0 }.map { $0 * 37 % 101 }.sorted())
        #expect(timers.isEmpty)
    }
}

import NIOCore
import Testing

@testable import Telemetry

@Suite("Floods in the log")
struct LogBurstsTests {
    private enum Refusal { case tooMany, tooManyOfAddress }

    @Test("a burst is one line, and the next line says how many there were")
    func bursts() {
        var bursts = LogBursts<Refusal>()
        let start = NIODeadline.uptimeNanoseconds(0)
        #expect(bursts.note(.tooMany, at: start) == 1)
        for second in 1..<10 { #expect(bursts.note(.tooMany, at: start + .seconds(Int64(second))) == nil) }
        #expect(bursts.note(.tooManyOfAddress, at: start + .seconds(9)) == 1, "each reason by itself")
        #expect(bursts.note(.tooMany, at: start + .seconds(10)) == 10)
        #expect(bursts.note(.tooMany, at: start + .seconds(30)) == 1)
        #expect(bursts.note(.tooMany, count: 5, at: start + .seconds(31)) == nil)
        #expect(bursts.note(.tooMany, count: 2, at: start + .seconds(40)) == 7, "several may happen at once")
    }
}

import Access
import Exchanges
import NIOCore
import Server
import Testing

@testable import Runtime

@Suite("Floods in the log")
struct LogBurstsTests {
    @Test("a burst is one line, and the next line says how many there were")
    func bursts() {
        var bursts = LogBursts<ConnectionRefusal>()
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

@Suite("Reports of incomplete headers")
struct ReportedOmissionsTests {
    @Test("issue 19.29: each is reported once for a user and a route, and again when it changes")
    func once() {
        var reports = ReportedOmissions()
        let omission = HeaderOmission(header: "X-Groups", reason: .itemsLeftOut(1), groups: ["a,b"])
        let changed = HeaderOmission(header: "X-Groups", reason: .itemsLeftOut(1), groups: ["c,d"])
        let isNew = [
            reports.isNew(omission, uid: "u", route: nil), reports.isNew(omission, uid: "u", route: nil),
            reports.isNew(omission, uid: "u", route: 3), reports.isNew(omission, uid: "v", route: nil),
            reports.isNew(changed, uid: "u", route: nil),
        ]
        #expect(isNew == [true, false, true, true, true])
    }
}

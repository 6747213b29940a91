import Access
import Testing

@testable import Serving

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

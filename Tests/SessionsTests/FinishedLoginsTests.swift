import Testing

@testable import Sessions

/// Apart, because `#expect` cannot hold a mutating call.
private func finish(_ finished: inout FinishedLogins, _ id: String, now: Int64) -> Bool { finished.finish(id, now: now) }

private let epoch: Int64 = 1_800_000_000_000
private let lifetime: Int64 = 600_000

@Suite struct FinishedLoginsTests {
    @Test func `an id is finished once within its lifetime`() {
        var finished = FinishedLogins()
        let id = "a"
        #expect(finish(&finished, id, now: epoch))
        #expect(!finish(&finished, id, now: epoch))
        #expect(!finish(&finished, id, now: epoch + lifetime - 1))
        #expect(!finish(&finished, id, now: epoch + lifetime))
    }

    @Test func `an id survives the turn of a generation`() {
        var finished = FinishedLogins()
        #expect(finish(&finished, "b", now: epoch))
        let id = "a"
        let late = epoch + lifetime - 1
        #expect(finish(&finished, id, now: late))
        #expect(finish(&finished, "c", now: late + 2))
        #expect(!finish(&finished, id, now: late + lifetime - 1))
    }

    @Test func `memory is bounded`() {
        var finished = FinishedLogins(capacity: 100)
        for number in 0..<10_000 { #expect(finish(&finished, "\(number)", now: epoch)) }
        #expect(finished.count <= 200)
    }
}

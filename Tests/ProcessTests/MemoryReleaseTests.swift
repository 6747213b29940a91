import Testing

@testable import Process

@Suite("Returning memory after bursts")
struct MemoryReleaseTests {
    /// At which of the looks memory is returned.
    private func due(_ connections: [Int]) -> [Int] {
        var release = MemoryRelease()
        return connections.indices.filter { release.isDue(connections: connections[$0], peak: connections[$0]) }
    }

    @Test("a burst that is over is one release, once the number has come to rest")
    func burst() {
        #expect(due([0, 4_000, 8_000, 5_000, 10, 10, 10, 10]) == [5])
        #expect(due([8_000, 0, 0, 8_000, 0, 0]) == [2, 5])
    }

    @Test("a burst between two looks counts as well")
    func shortBurst() {
        var release = MemoryRelease()
        let due = [20, 600, 10].map { release.isDue(connections: 10, peak: $0) }
        #expect(due == [false, true, false])
    }

    @Test("steady load is none, whatever comes and goes")
    func steady() {
        #expect(due([1_000, 900, 1_000, 800, 1_000, 700, 1_000]).isEmpty)
        #expect(due([200, 0, 0, 200, 0, 0]).isEmpty)
    }

    @Test("a load that fades is a release for each half")
    func fading() {
        #expect(due([8_000, 4_000, 4_000, 2_000, 2_000, 1_900, 1_900]) == [2, 4])
    }
}

import Testing

@testable import Backchannel

@Suite struct IntrospectionSlotsTests {
    /// How many slots `client` gets until it is refused.
    private func fill(_ slots: inout IntrospectionSlots, _ client: String) -> Int {
        var count = 0
        while slots.take(for: client) { count += 1 }
        return count
    }

    @Test func `one client gets half of the slots, the next ones their part of the rest`() {
        var slots = IntrospectionSlots(capacity: 64)
        let counts = ["a", "b", "c", "d"].map { fill(&slots, $0) }
        #expect(counts == [32, 16, 8, 4])
        let isAdmitted = slots.take(for: "e")
        #expect(isAdmitted)
    }

    @Test func `clients that come at the same time get equal shares, and a further one finds a free slot`() {
        var slots = IntrospectionSlots(capacity: 64)
        let clients = (0..<31).map { "client \($0)" }
        for _ in 0..<64 { for client in clients { _ = slots.take(for: client) } }
        let isAdmitted = slots.take(for: "another")
        #expect(isAdmitted)
    }

    @Test func `seven clients one after the other can take all slots`() {
        var slots = IntrospectionSlots(capacity: 64)
        let counts = (1...8).map { fill(&slots, "client \($0)") }
        #expect(counts == [32, 16, 8, 4, 2, 1, 1, 0])
    }

    @Test func `a released slot is free again`() {
        var slots = IntrospectionSlots(capacity: 4)
        var counts = [fill(&slots, "a")]
        slots.release(for: "a")
        counts.append(fill(&slots, "a"))
        for _ in 0..<2 { slots.release(for: "a") }
        counts.append(fill(&slots, "b"))
        #expect(counts == [2, 1, 2])
    }
}

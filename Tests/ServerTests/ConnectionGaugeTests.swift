import Testing

@testable import Server

@Suite("The number of connections")
struct ConnectionGaugeTests {
    @Test("is limited over all loops, and a connection that leaves makes room")
    func limit() {
        let gauge = ConnectionGauge(limit: 2)
        #expect(gauge.admit())
        #expect(gauge.admit())
        #expect(!gauge.admit())
        #expect(gauge.count == 2)
        gauge.leave()
        #expect(gauge.admit())
    }
}

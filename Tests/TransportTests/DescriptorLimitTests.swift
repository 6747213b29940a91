import Testing

@testable import Transport

@Suite("The descriptors of the process")
struct DescriptorLimitTests {
    @Test(
        "every client may have a connection to an upstream, and a reserve is left",
        arguments: [(256, 104), (1_024, 480), (1_048_576, 491_520)])
    func clients(total: Int, clients: Int) {
        #expect(DescriptorLimit(total: total).clients == clients)
    }

    @Test("connections leave the last descriptors to providers, logs and the admin listener")
    func reserve() {
        #expect(!DescriptorLimit(total: 256).isReserved(239))
        #expect(DescriptorLimit(total: 256).isReserved(240))
        #expect(!DescriptorLimit(total: .max).isReserved(.max))
    }

    @Test("every limit gives a number", arguments: [0, 1, 16, 40, 64, 100, Int.max])
    func extremes(total: Int) {
        let clients = DescriptorLimit(total: total).clients
        #expect(clients >= total / 4 - 1 && clients <= total / 2)
    }
}

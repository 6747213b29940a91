import Primitives
import HTTPWire
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

    @Test("keeps the peak since it was asked last")
    func peak() {
        let gauge = ConnectionGauge()
        for _ in 0..<3 { #expect(gauge.admit()) }
        for _ in 0..<2 { gauge.leave() }
        #expect(gauge.takePeak() == 3)
        #expect(gauge.takePeak() == 1)
    }

    @Test("another limit counts from the next connection on")
    func reload() {
        let gauge = ConnectionGauge()
        #expect(gauge.admit() && gauge.admit())
        gauge.setLimits(2, ofAddress: nil)
        #expect(!gauge.admit())
        gauge.setLimits(3, ofAddress: nil)
        #expect(gauge.admit())
    }
}

@Suite("The number of connections of an address")
struct AddressGaugeTests {
    private func address(_ text: String) throws -> NetworkAddress { try #require(NetworkAddress(text)) }

    @Test("is limited for each address, and a connection that leaves makes room")
    func limit() throws {
        let gauge = ConnectionGauge(addressLimit: 2)
        let (first, second) = (try address("192.0.2.1"), try address("192.0.2.2"))
        #expect(gauge.admit(first) && gauge.admit(first))
        #expect(!gauge.admit(first))
        #expect(gauge.admit(second))
        gauge.leave(first)
        #expect(gauge.admit(first))
    }

    @Test("counts a whole IPv6 /64 as one, and a mapped IPv4 address as itself")
    func ranges() throws {
        let gauge = ConnectionGauge(addressLimit: 1)
        #expect(gauge.admit(try address("2001:db8:0:1::1")))
        #expect(!gauge.admit(try address("2001:db8:0:1:ffff::2")))
        #expect(gauge.admit(try address("2001:db8:0:2::1")))
        #expect(gauge.admit(try address("192.0.2.1")))
        #expect(!gauge.admit(try address("::ffff:192.0.2.1")))
        #expect(gauge.admit(try address("192.0.2.2")))
    }

    @Test("another limit counts from the next connection on, and connections that were counted are forgotten under each")
    func reload() throws {
        let gauge = ConnectionGauge()
        let one = try address("192.0.2.1")
        #expect(!gauge.limitsAddresses)
        gauge.setLimits(nil, ofAddress: 2)
        #expect(gauge.limitsAddresses)
        #expect(gauge.admit(one) && gauge.admit(one))
        #expect(!gauge.admit(one))
        gauge.setLimits(nil, ofAddress: 3)
        #expect(gauge.admit(one))
        gauge.setLimits(nil, ofAddress: nil)
        for _ in 0..<3 { gauge.leave(one) }
        #expect(gauge.addressCount == 0)
    }

    @Test("leaves nothing behind")
    func memory() throws {
        let gauge = ConnectionGauge(addressLimit: 3)
        let one = try address("192.0.2.1")
        for _ in 0..<3 { #expect(gauge.admit(one)) }
        for _ in 0..<3 { gauge.leave(one) }
        #expect(gauge.addressCount == 0)
    }
}

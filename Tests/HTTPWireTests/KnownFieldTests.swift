import Testing

@testable import HTTPWire

@Suite("Numbers of known fields and methods")
struct KnownFieldTests {
    @Test("the numbers of the fields are their raw values, and all fit into a set of 64 bits")
    func fields() {
        #expect(KnownField.allCases.map(\.number) == KnownField.allCases.map(\.rawValue))
        #expect(KnownField.allCases.allSatisfy { $0.number < UInt64.bitWidth })
    }

    @Test("the numbers of the methods are the indices of the list of all methods")
    func methods() {
        #expect(HTTPWire.Method.allCases.map(\.number) == (0..<UInt8(HTTPWire.Method.allCases.count)).map { $0 })
    }
}

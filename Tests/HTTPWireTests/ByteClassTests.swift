import Testing

@testable import HTTPWire

@Suite("Bytes looked at many at a time")
struct ByteClassTests {
    @Test("a byte that no field value may hold is found wherever it stands (RFC 9110 section 5.5)")
    func fieldValue() {
        let table = ByteClassTable.shared
        for length in [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 64, 71, 255, 256, 335, 583] {
            for place in 0..<length {
                for byte in length < 255 ? Array(UInt8.min...UInt8.max) : [0x00, 0x09, 0x1F, 0x20, 0x7E, 0x7F, 0x80, 0xFF] {
                    var value = [UInt8](repeating: 0x61, count: length)
                    value[place] = byte
                    let expected = byte == 0x09 || byte >= 0x20 && byte != 0x7F ? length : place
                    #expect(table.fieldValueEnd(value, from: 0, to: length) == expected)
                }
            }
        }
    }

    @Test("a byte that no field name may hold is found wherever it stands (RFC 9110 section 5.6.2)")
    func token() {
        let table = ByteClassTable.shared
        let allowed = Set("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        for length in [0, 1, 7, 8, 9, 13, 15, 16, 17, 24, 33] {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    for filler in ["-", "z", "A", "_"].map({ $0.utf8.first ?? 0 }) {
                        var name = [UInt8](repeating: filler, count: length)
                        name[place] = byte
                        #expect(table.tokenEnd(name, from: 0, to: length) == (allowed.contains(byte) ? length : place))
                    }
                }
            }
        }
    }

    @Test(
        "names fold letters alone, at any length",
        arguments: ["te", "host", "cookie", "location", "connection", "sec-fetch-mode", "proxy-authorization"])
    func folding(name: String) {
        let expected = Array(name.utf8)
        let literal: StaticString =
            switch name {
            case "te": "te"
            case "host": "host"
            case "cookie": "cookie"
            case "location": "location"
            case "connection": "connection"
            case "sec-fetch-mode": "sec-fetch-mode"
            default: "proxy-authorization"
            }
        #expect(equalsIgnoringASCIICase(Array(name.uppercased().utf8), expected.count, literal))
        for place in expected.indices {
            for byte in UInt8.min...UInt8.max {
                var other = expected
                other[place] = byte
                let isLetter = expected[place] >= 0x61
                let isEqual = byte == expected[place] || isLetter && byte == expected[place] & 0xDF
                #expect(equalsIgnoringASCIICase(other, other.count, literal) == isEqual)
            }
        }
        #expect(!equalsIgnoringASCIICase(expected + [0x61], expected.count + 1, literal))
    }
}

import Primitives
import Testing

@Suite struct NetworkAddressTests {
    @Test(
        "RFC 4291 section 2.2 and RFC 5952: addresses are read and written in one spelling",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
            ("::", "::"), ("::1", "::1"),
            ("1::", "1::"), ("2001:db8::1", "2001:db8::1"), ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"),
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("1::8", "1::8"), ("fe80::0001:ABCD", "fe80::1:abcd"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("::FFFF:c000:0201", "192.0.2.1"), ("0:0:0:0:0:ffff:192.0.2.1", "192.0.2.1"),
            ("64:ff9b::192.0.2.1", "64:ff9b::c000:201"),
            ("::192.0.2.1", "::c000:201"), ("0001:0002::", "1:2::"), ("1:0:0:2:0:0:0:3", "1:0:0:2::3"),
            ("0:0:1::", "0:0:1::"),
        ])
    func reading(_ text: String, _ expected: String) throws {
        #expect(try #require(NetworkAddress(text)).description == expected)
    }

    @Test(
        "What is not exactly an address is refused",
        arguments: [
            "", " ", "1", "1.2.3", "1.2.3.4.5", "1.2.3.4.", ".1.2.3.4", "1..2.3", "256.1.1.1",
            "1.1.1.256", "01.2.3.4", "1.2.3.04",
            "0x7f.0.0.1", "127.1", "2130706433", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4:80", "1.2.3.-4",
            "1.2.3.+4", "1.2.3.4a", "1.2.3.1000",
            ":", ":::", "1:", ":1", "1:2", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3",
            "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8",
            "12345::", "g::", "::%eth0", "fe80::1%eth0", "fe80::1%25eth0", "[::1]", "::1/64", "::1.2.3",
            "::1.2.3.4.5", "::256.1.1.1",
            "1:2:3:4:5:6:7:1.2.3.4", "::1:2:3:4:5:6:7.8.9.1:2", "1:2:3:4:5:6:7:8:", "::1 ", "-1::",
            "::-0", "::+1", "unknown", "localhost", "１.2.3.4",
        ])
    func refusing(_ text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test("Socket bytes: four are IPv4, sixteen IPv6, mapped ones IPv4, other counts nothing")
    func bytes() {
        func address(_ bytes: [UInt8]) -> NetworkAddress? { NetworkAddress(bytes: bytes.span.bytes) }
        #expect(address([192, 0, 2, 1])?.description == "192.0.2.1")
        let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [255, 255, 192, 0, 2, 1]
        #expect(address(mapped) == NetworkAddress("192.0.2.1"))
        #expect(address([UInt8](repeating: 0, count: 15) + [1])?.description == "::1")
        for count in [0, 1, 3, 5, 15, 17] {
            #expect(address([UInt8](repeating: 1, count: count)) == nil)
        }
    }

    @Test(
        "Text of one family is no text of the other; a mapped address is written as IPv6",
        arguments: [
            ("192.0.2.1", false), ("::1", true), ("::ffff:192.0.2.1", true),
        ])
    func families(_ text: String, _ isWrittenAsIPv6: Bool) {
        #expect((NetworkAddress(ipv6: text) != nil) == isWrittenAsIPv6)
        #expect((NetworkAddress(ipv4: text.utf8.span.bytes) != nil) != isWrittenAsIPv6)
    }

    @Test(
        "A block contains its addresses and no other's family",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("10.0.0.0/8", "9.255.255.255", false),
            ("10.1.2.3/8", "10.0.0.0", true), ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("192.0.2.1/32", "192.0.2.1", true), ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "::1", false),
            ("::/0", "2001:db8::1", true),
            ("::/0", "192.0.2.1", false), ("2001:db8::/32", "2001:db8:ffff::1", true),
            ("2001:db8::/32", "2001:db9::", false),
            ("::1", "::1", true), ("::1/128", "::2", false), ("10.0.0.0/8", "::ffff:10.1.1.1", true),
            ("::ffff:10.0.0.0/104", "10.1.1.1", true),
            ("::ffff:10.0.0.0/104", "11.1.1.1", false), ("fe80::/10", "febf::1", true),
            ("fe80::/10", "fec0::1", false),
            ("10.0.0.128/25", "10.0.0.127", false), ("10.0.0.128/25", "10.0.0.200", true),
        ])
    func containing(_ block: String, _ address: String, _ expected: Bool) throws {
        #expect(
            try #require(CIDRBlock(block)).contains(try #require(NetworkAddress(address))) == expected)
    }

    @Test(
        "What is not a block is refused",
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08",
            "10.0.0.0/8/8", "10.0.0.0/ 8",
            "10.0.0/8",
            "::/129", "::/1000", "10.0.0.0/255.0.0.0", "example.com", "::ffff:10.0.0.0/8", "fe80::%1/10",
            "10.0.0.0 /8",
        ])
    func refusingBlocks(_ text: String) {
        #expect(CIDRBlock(text) == nil)
        #expect(CIDRSet(["127.0.0.1", text]) == nil)
    }

    @Test(
        "CVE-2026-76835: ranges that together cover every address are told, at the one that completes them",
        arguments: [
            (["0.0.0.0/0"], 0), (["::/0"], 0), (["10.0.0.0/8", "0.0.0.0/0"], 1),
            (["0.0.0.0/1", "128.0.0.0/1"], 1),
            (["128.0.0.0/1", "10.0.0.0/8", "0.0.0.0/1", "::1"], 2),
            (["0.0.0.0/1", "128.0.0.0/2", "192.0.0.0/2"], 2),
            (["::/1", "8000::/1"], 1),
            (["::ffff:0.0.0.0/96"], 0), (["1.2.3.4/0"], 0),
        ] as [([String], Int)])
    func covering(_ blocks: [String], _ index: Int) throws {
        let set = try #require(CIDRSet(blocks))
        #expect(set.completingIndex == index)
        #expect(set.coversEverything)
    }

    @Test(
        "Ranges that leave addresses out do not cover everything",
        arguments: [
            [], ["0.0.0.0/1"], ["0.0.0.0/1", "::/1"],
            ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
            ["0.0.0.0/1", "128.0.0.0/2"],
            ["::/1", "c000::/2"], ["0.0.0.0/1", "129.0.0.0/8", "128.0.0.0/9"],
        ] as [[String]])
    func notCovering(_ blocks: [String]) throws {
        #expect(!(try #require(CIDRSet(blocks))).coversEverything)
    }

    @Test func `an IPv6 client counts with its whole 64-bit network, an IPv4 one by itself`() {
        #expect(NetworkAddress("2001:db8:1:2:3::4")?.subscriber == NetworkAddress("2001:db8:1:2::"))
        #expect(NetworkAddress("2001:db8:1:3::4")?.subscriber != NetworkAddress("2001:db8:1:2::"))
        #expect(NetworkAddress("192.0.2.1")?.subscriber == NetworkAddress("192.0.2.1"))
    }
}

import Accounts
import Testing

@testable import Endpoints

@Suite("Limits of clients (reading of 2026-11-28, finding 7)")
struct ClientLimitTests {
    private let key = [UInt8](repeating: 1, count: 32)

    @Test(arguments: ClientLimit.allCases)
    func `each limit counts the /48 of an IPv6 client with four times the number`(limit: ClientLimit) {
        func counts(_ address: String) -> [(key: AttemptKey, limit: Int)] {
            limit.counts(ClientShare(Array(address.utf8)).key, key: key)
        }
        let first = counts("2001:db8:1:2::3")
        #expect(first.map(\.limit) == [limit.number, 4 * limit.number])
        let sameNetwork = counts("2001:db8:1:2:ffff::1")
        #expect(sameNetwork.map(\.key) == first.map(\.key))
        let sameSite = counts("2001:db8:1:3::3")
        #expect(sameSite[0].key != first[0].key && sameSite[1].key == first[1].key)
        let other = counts("2001:db8:2:2::3")
        #expect(Set(other.map(\.key)).isDisjoint(with: first.map(\.key)))
        // The first network of a /48 has the same text as the /48.
        #expect(Set(counts("2001:db8:1::3").map(\.key)).count == 2)
        for address in ["192.0.2.1", "::ffff:192.0.2.1", "unix"] { #expect(counts(address).map(\.limit) == [limit.number]) }
    }

    @Test func `no two limits count together`() {
        let keys = ClientLimit.allCases.flatMap { $0.counts("2001:db8::", key: key).map(\.key) }
        #expect(Set(keys).count == keys.count)
    }
}

import Config

enum AddressCoverage {
    /// Returns whether networks of one family together contain every address of it.
    static func isComplete(_ networks: [IPNetwork]) -> Bool {
        guard let family = networks.first?.isIPv6 else { return false }
        let last = family ? UInt128.max : UInt128(UInt32.max)
        var next: UInt128 = 0
        for network in networks.sorted(by: { $0.first < $1.first }) {
            if network.first > next { return false }
            if network.last == last { return true }
            next = max(next, network.last + 1)
        }
        return false
    }
}

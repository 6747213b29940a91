import NIOCore

/// The addresses of a name: which to try next, and which to leave alone for a while. Pure: times are milliseconds of any
/// steady clock.
struct AddressBook {
    /// An answer this young is not asked for again.
    static let freshFor: Int64 = 1_000
    /// The time for which an address that refused comes after the others.
    static let avoidedFor: Int64 = 30_000
    /// One connection tries this many addresses.
    static let attempts = 3

    private(set) var addresses: [SocketAddress] = []
    private var next = 0
    private var resolvedAt: Int64?
    private var avoidedUntil: [SocketAddress: Int64] = [:]

    func isFresh(now: Int64) -> Bool { resolvedAt.map { now - $0 < Self.freshFor } ?? false }

    func contains(_ address: SocketAddress) -> Bool { addresses.contains(address) }

    /// An empty answer changes nothing: what was known may still be there.
    mutating func update(_ answer: [SocketAddress], now: Int64) {
        guard !answer.isEmpty else { return }
        addresses = answer
        resolvedAt = now
        avoidedUntil = avoidedUntil.filter { answer.contains($0.key) && $0.value > now }
        next %= answer.count
    }

    /// The addresses for the next connection, in order: in rotation, recently failed ones last.
    mutating func candidates(now: Int64) -> [SocketAddress] {
        guard !addresses.isEmpty else { return [] }
        let rotated = addresses[next...] + addresses[..<next]
        next = (next + 1) % addresses.count
        let avoided = Set(avoidedUntil.filter { $0.value > now }.keys)
        let sorted = rotated.filter { !avoided.contains($0) } + rotated.filter(avoided.contains)
        return Array(sorted.prefix(Self.attempts))
    }

    mutating func failed(_ address: SocketAddress, now: Int64) { avoidedUntil[address] = now + Self.avoidedFor }
    mutating func succeeded(_ address: SocketAddress) { avoidedUntil[address] = nil }
}

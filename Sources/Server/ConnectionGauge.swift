import Primitives
package import HTTPWire
import NIOConcurrencyHelpers
import Synchronization

/// The reason why a connection was closed before its first request. The raw text is the log's reason code and a metric's label.
package enum ConnectionRefusal: Sendable, Hashable {
    /// There are as many as `connections` allows.
    case tooMany
    /// There are as many of this address as `connectionsPerAddress` allows.
    case tooManyOfAddress
    /// The process has no descriptor left for clients, and no client is idle.
    case descriptors
    /// The peer must send a PROXY protocol header, and did not, or a wrong one.
    case proxyProtocol(ProxyProtocolError)
    /// The peer is none of those that may send one.
    case untrustedProxy

    package var reason: String {
        switch self {
        case .tooMany: "too-many-connections"
        case .tooManyOfAddress: "too-many-connections-of-address"
        case .descriptors: "descriptor-limit"
        case .proxyProtocol(let error): error.rawValue
        case .untrustedProxy: "proxy-protocol-untrusted-peer"
        }
    }
}

/// Counts the open client connections of a process, over all its event loops.
package final class ConnectionGauge: Sendable {
    private let open = Synchronization.Atomic<Int>(0)
    private let peak = Synchronization.Atomic<Int>(0)
    private let limit: Synchronization.Atomic<Int>
    private let addressLimit: Synchronization.Atomic<Int>
    private let addresses = NIOLockedValueBox<[NetworkAddress: Int]>([:])

    /// `limit` and `addressLimit` nil: no limit of ours.
    package init(limit: Int? = nil, addressLimit: Int? = nil) {
        self.limit = Synchronization.Atomic(limit ?? .max)
        self.addressLimit = Synchronization.Atomic(addressLimit ?? .max)
    }

    /// Sets other limits. Connections beyond them stay open.
    package func setLimits(_ limit: Int?, ofAddress addressLimit: Int?) {
        self.limit.store(limit ?? .max, ordering: .relaxed)
        self.addressLimit.store(addressLimit ?? .max, ordering: .relaxed)
    }

    package var count: Int { open.load(ordering: .relaxed) }

    /// False: the connection is one too many, and is not counted.
    func admit() -> Bool {
        let count = open.add(1, ordering: .relaxed).newValue
        guard count <= limit.load(ordering: .relaxed) else {
            leave()
            return false
        }
        if count > peak.load(ordering: .relaxed) { peak.max(count, ordering: .relaxed) }
        return true
    }

    /// The most connections that were open at once since this was asked last.
    package func takePeak() -> Int { peak.exchange(count, ordering: .relaxed) }

    func leave() { open.subtract(1, ordering: .relaxed) }

    /// Whether connections are counted by address now. Those that are made without a limit are never counted.
    var limitsAddresses: Bool { addressLimit.load(ordering: .relaxed) < .max }

    /// Counts a connection of an address; false: it is one too many. An IPv6 address counts with its whole /64, which one subscriber has.
    func admit(_ address: NetworkAddress) -> Bool {
        let addressLimit = addressLimit.load(ordering: .relaxed)
        let key = Self.key(of: address)
        return addresses.withLockedValue { counts in
            let count = counts[key, default: 0]
            guard count < addressLimit else { return false }
            counts[key] = count + 1
            return true
        }
    }

    /// A connection that was counted has ended, whatever the limit is now.
    func leave(_ address: NetworkAddress) {
        let key = Self.key(of: address)
        addresses.withLockedValue { counts in
            let count = counts[key, default: 0]
            counts[key] = count > 1 ? count - 1 : nil
        }
    }

    /// The number of addresses with a connection.
    var addressCount: Int { addresses.withLockedValue { $0.count } }

    private static func key(of address: NetworkAddress) -> NetworkAddress {
        address.subscriber
    }
}

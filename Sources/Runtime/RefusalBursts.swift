import HTTPWire
import NIOCore
import Server

/// Keeps a flood of refused connections from becoming a flood of log lines: one line for each reason and ten seconds, with how many there were.
struct RefusalBursts {
    private static let pause = TimeAmount.seconds(10)
    private var bursts: [ConnectionRefusal: (nextLine: NIODeadline, unlogged: Int)] = [:]

    /// How many refusals a line now stands for, this one among them; nil: no line now.
    mutating func note(_ refusal: ConnectionRefusal, at now: NIODeadline) -> Int? {
        var burst = bursts[refusal] ?? (now, 0)
        burst.unlogged += 1
        defer { bursts[refusal] = burst }
        guard now >= burst.nextLine else { return nil }
        let count = burst.unlogged
        burst = (now + Self.pause, 0)
        return count
    }
}

extension ConnectionRefusal {
    /// What happened and what can be done, for the log.
    var words: String {
        switch self {
        case .tooMany: "client connections were closed at once: server.limits.connections is reached"
        case .tooManyOfAddress: "client connections were closed at once: server.limits.connectionsPerAddress is reached for their address"
        case .untrustedProxy:
            "connections were closed at once: server.proxyProtocol is required and the peer is none of server.trustedProxies"
        case .proxyProtocol(.noHeader):
            "connections were closed: they do not begin with a PROXY protocol header; turn it on in the proxy in front, or server.proxyProtocol off"
        case .proxyProtocol: "connections were closed: their PROXY protocol header cannot be read"
        }
    }
}

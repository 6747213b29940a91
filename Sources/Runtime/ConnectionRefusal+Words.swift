import HTTPWire
import Server

extension ConnectionRefusal {
    /// What happened and what can be done, for the log.
    var words: String {
        switch self {
        case .tooMany: "client connections were closed at once: server.limits.connections is reached"
        case .tooManyOfAddress: "client connections were closed at once: server.limits.connectionsPerAddress is reached for their address"
        case .descriptors:
            "client connections were closed at once: the process runs out of descriptors, and no client is idle; raise `ulimit -n` or LimitNOFILE"
        case .untrustedProxy:
            "connections were closed at once: server.proxyProtocol is required and the peer is none of server.trustedProxies"
        case .proxyProtocol(.noHeader):
            "connections were closed: they do not begin with a PROXY protocol header; turn it on in the proxy in front, or server.proxyProtocol off"
        case .proxyProtocol: "connections were closed: their PROXY protocol header cannot be read"
        }
    }
}

import Exchanges
import HTTPWire
import Server

extension ConnectionRefusal {
    /// The event and the remedy, for the log.
    var words: String {
        switch self {
        case .tooMany: "closed new client connections: server.limits.connections is reached"
        case .tooManyOfAddress: "closed new client connections: their address has reached server.limits.connectionsPerAddress"
        case .descriptors:
            "closed new client connections: no descriptor is free and no client is idle; raise `ulimit -n` or LimitNOFILE"
        case .untrustedProxy:
            "closed new connections: server.proxyProtocol is required, and the peer is not in server.trustedProxies"
        case .proxyProtocol(.noHeader):
            "closed connections without a PROXY protocol header; enable it in the proxy in front, or set server.proxyProtocol to off"
        case .proxyProtocol: "closed connections with an invalid PROXY protocol header"
        }
    }
}

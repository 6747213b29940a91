import Proxy

extension UpstreamFailure {
    /// The event and the remedy, for the log.
    var summary: String {
        switch self {
        case .connectFailed: "no connection to the upstream; check that it runs and listens at this address"
        case .nameUnresolved: "the upstream's host name does not resolve; check `upstream` and this machine's resolver"
        case .connectTimeout:
            "no connection to the upstream in time; check network and firewall, or raise server.timeouts.upstreamConnect"
        case .busy: "all connections to the upstream are in use; raise maxConnections or add a target"
        case .closedEarly: "the upstream closed the connection before its response was complete; see the upstream's log"
        case .invalidResponse: "the upstream's response is not valid HTTP; see the upstream's log"
        case .responseTimeout: "the upstream did not respond in time; see its log, or raise server.timeouts.upstreamResponse"
        case .idleTimeout: "the upstream's response stalled; see its log, or raise server.timeouts.idle"
        case .http2Error: "the upstream broke the HTTP/2 protocol; check that it speaks HTTP/2, or use http:// instead of h2c://"
        case .streamReset: "the upstream reset the HTTP/2 stream; see the upstream's log"
        case .noWebSocket: "an upstream that speaks HTTP/2 only cannot take a WebSocket; use http:// or https:// for this route"
        case .noConnectionAuthentication:
            "NTLM and Negotiate need HTTP/1.1, and the upstream speaks HTTP/2 only; use http:// or https:// for this route"
        case .tlsFailed: "the TLS handshake with the upstream failed; check that it speaks TLS 1.2 or later on this port"
        case .certificateUntrusted: "the upstream's certificate is from an unknown authority; name the authority in tls.authority"
        case .certificateExpired: "the upstream's certificate has expired; renew it"
        case .certificateNotYetValid: "the upstream's certificate is not valid yet; check both clocks"
        case .certificateWrongName: "the upstream's certificate is for another name; set tls.serverName to the name in the certificate"
        case .certificateRefused: "the upstream refused the gateway's client certificate; check tls.certificate and tls.key"
        }
    }
}

import HTTPWire
import NIOCore
import Server

/// What is known of a client connection once, and of the request it is in.
final class ConnectionState {
    let peer: ClientResolution.Peer
    let peerText: [UInt8]
    /// `X-Forwarded-For` and `X-Forwarded-Proto` for a peer that is not believed: the same for all its requests.
    let untrustedLines: ByteBuffer
    var requestID = RequestID()
    /// What the route of the request says to the page that made it (CORS); nil on a route without.
    var crossOriginLines: ByteBuffer?

    init(_ exchange: Exchange, trusted: CIDRSet) {
        if let address = NetworkAddress(exchange.peer.text) {
            peer = ClientResolution.Peer(address, in: trusted)
        } else {
            // Who can reach a Unix socket is the file system's decision; its forwarding fields are still nobody's.
            peer = .local(isTrusted: false)
        }
        peerText = Array(exchange.peer.text.utf8)
        var lines = ByteBuffer()
        lines.writeString("X-Forwarded-For: \(exchange.peer.isLocalSocket ? "unknown" : exchange.peer.text)\r\n")
        lines.writeString("X-Forwarded-Proto: \(exchange.isSecure ? "https" : "http")\r\n")
        untrustedLines = lines
    }
}

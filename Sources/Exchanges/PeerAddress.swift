package import NIOCore
package import Primitives

/// The address of a connection's peer, rendered once.
package struct PeerAddress: Sendable {
    /// An IP address, or `unix` for a local socket.
    package let text: String
    package let isLocalSocket: Bool

    package init(_ address: SocketAddress?) {
        if let ip = address?.ipAddress {
            // `::ffff:192.0.2.1` is 192.0.2.1 seen through a dual-stack socket.
            text = ip.hasPrefix("::ffff:") && ip.utf8.contains(UInt8(ascii: ".")) ? String(ip.dropFirst(7)) : ip
            isLocalSocket = false
        } else {
            text = "unix"
            isLocalSocket = true
        }
    }

    /// The address that a trusted proxy named.
    package init(_ address: NetworkAddress) {
        text = address.description
        isLocalSocket = false
    }
}

import CSockets
import Glibc
package import NIOCore

/// What a connection's handlers ask of its socket besides NIO's operations, whichever transport carries it. On the channel's loop only.
extension Channel {
    /// The peer learns by a reset that it has not received everything.
    package func resetOnClose() { withDescriptor { Sockets.resetOnClose($0) } }

    /// Acknowledges received data without waiting for something to send. A Unix socket refuses the option, which is fine.
    package func acknowledgeNow() { withDescriptor { _ = Sockets.set($0, CInt(IPPROTO_TCP), TCP_QUICKACK, CInt(1)) } }

    /// The process has so few descriptors left that this connection should not keep its own.
    package var usesReserve: Bool {
        var usesReserve = false
        withDescriptor { usesReserve = DescriptorLimit.current.isReserved($0) }
        return usesReserve
    }

    /// Calls the body with the open socket's descriptor. Channels without a socket, as in tests, have none.
    func withDescriptor(_ body: (CInt) -> Void) {
        try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: CInt.self) { if $0 >= 0 { body($0) } }
    }
}

import Glibc
import NIOCore

/// The division of the process's descriptors.
///
/// Clients are untrusted. They must not take what their own requests need: a connection to an upstream each, and what providers, logs
/// and the admin listener use.
package struct DescriptorLimit: Sendable {
    private let total: Int

    package init(total: Int) { self.total = total }

    /// The limit of now, which `prlimit` may change at any time.
    package static var current: DescriptorLimit {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return DescriptorLimit(total: .max) }
        return DescriptorLimit(total: Int(clamping: limit.rlim_cur))
    }

    /// Kept from clients and upstreams: a sixteenth, at least 48, at most half. The event loops use up to two thirds of it.
    private var reserve: Int { min(max(total / 16, 48), total / 2) }

    /// The most client connections: half of the rest, so that each can have one to an upstream.
    package var clients: Int { (total - reserve) / 2 }

    /// The most accepted connections of a listener that other event loops have not begun to handle. No limit counts them as clients yet.
    var handedOver: Int { max(8, reserve / 6) }

    /// Whether only the reserve is left once a descriptor of this number is open. A new descriptor gets the lowest free number, so that
    /// as many as its number says are in use at least.
    package func isReserved(_ descriptor: CInt) -> Bool { Int(descriptor) >= total - reserve / 3 }
}

extension SocketLoop {
    /// Opens a socket towards an upstream. Where the process runs out of descriptors, a connection that can be spared is closed first.
    func openSocket(for address: SocketAddress) throws -> CInt {
        do {
            let descriptor = try kernel.open(for: address)
            if !DescriptorLimit.current.isReserved(descriptor) || spareDescriptor?() == true { return descriptor }
            kernel.close(descriptor)
        } catch let error as IOError where error.errnoCode == EMFILE {
            if spareDescriptor?() == true { return try kernel.open(for: address) }
        }
        throw IOError(errnoCode: EMFILE, reason: "socket")
    }
}

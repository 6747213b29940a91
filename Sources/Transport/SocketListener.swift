import CSockets
import Glibc
package import NIOCore

/// A listening socket. It gives each connection to the next of its group's loops.
///
/// Unchecked: what changes is used on its loop only.
package final class SocketListener: WatchedSocket, TransportListener, @unchecked Sendable {
    /// Runs on the connection's loop, before it reads anything. Where it throws, the connection is closed.
    package typealias Preparation = @Sendable (SocketChannel) throws -> Void
    /// Hears, on the listener's loop, that the system gives no connection.
    package typealias FailureObserver = @Sendable (SocketLoop, IOError) -> Void

    /// The most connections accepted in one turn.
    private static let acceptsAtOnce = 16
    /// The pause after a failed accept.
    private static let rest = TimeAmount.seconds(1)

    private let group: SocketLoopGroup
    private let loop: SocketLoop
    private let options: ConnectionOptions
    private let prepare: Preparation
    private let onFailure: FailureObserver
    /// With the port that was given for port 0.
    package let localAddress: SocketAddress?
    /// Used on the loop only; -1 once it is closed.
    private var descriptor: CInt

    /// Listens at the address. A Unix socket that is left of an earlier process is taken away.
    package static func open(
        at address: SocketAddress, backlog: CInt, on group: SocketLoopGroup, options: ConnectionOptions,
        onFailure: @escaping FailureObserver, prepare: @escaping Preparation
    ) async throws -> SocketListener {
        if let path = address.pathname, !path.isEmpty { Sockets.removeSocket(at: path) }
        let descriptor = try Sockets.open(for: address)
        do {
            try Sockets.listen(descriptor, at: address, backlog: backlog)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        return try await SocketListener(descriptor, on: group, options, onFailure, prepare).start()
    }

    /// Takes a socket over that listens already.
    package static func adopt(
        _ descriptor: CInt, backlog: CInt, on group: SocketLoopGroup, options: ConnectionOptions,
        onFailure: @escaping FailureObserver, prepare: @escaping Preparation
    ) async throws -> SocketListener {
        try Sockets.prepareInherited(descriptor, backlog: backlog)
        return try await SocketListener(descriptor, on: group, options, onFailure, prepare).start()
    }

    private init(
        _ descriptor: CInt, on group: SocketLoopGroup, _ options: ConnectionOptions, _ onFailure: @escaping FailureObserver,
        _ prepare: @escaping Preparation
    ) {
        self.descriptor = descriptor
        self.group = group
        self.options = options
        self.onFailure = onFailure
        self.prepare = prepare
        loop = group.nextLoop()
        localAddress = Sockets.localAddress(of: descriptor)
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    private func start() async throws -> SocketListener {
        try await loop.submit { try self.loop.watch(self.descriptor, EPOLLIN.rawValue, self) }.get()
        return self
    }

    /// Stops accepting. The system refuses the connections that still wait.
    package func close() async throws {
        try await loop.submit {
            guard self.descriptor >= 0 else { return }
            self.loop.forget(self.descriptor)
            Glibc.close(self.descriptor)
            self.descriptor = -1
        }.get()
    }

    override func happened(_ events: UInt32) {
        for _ in 0..<Self.acceptsAtOnce {
            let (accepted, address) = loop.kernel.accept(descriptor)
            guard accepted >= 0 else {
                switch -accepted {
                case EAGAIN: return
                // One that has gone again is not the end of the others.
                case ECONNABORTED, EINTR, EPERM, EPROTO: continue
                case EMFILE where loop.spareDescriptor?() == true: continue
                // No descriptor, no memory, or a socket that another process has shut down.
                default: return restAWhile(after: IOError(errnoCode: -accepted, reason: "accept"))
                }
            }
            begin(accepted, from: address)
        }
    }

    private func begin(_ accepted: CInt, from address: SocketAddress?) {
        let target = group.nextLoop()
        let options = options
        let prepare = prepare
        let isTaken = target.perform {
            SocketChannel.accepted(accepted, from: address, on: target, options: options, prepare: prepare)
        }
        if !isTaken { loop.kernel.close(accepted) }
    }

    /// The kernel would tell of the same connection again and again.
    private func restAWhile(after error: IOError) {
        onFailure(loop, error)
        loop.forget(descriptor)
        _ = loop.scheduleTask(in: Self.rest) {
            guard self.descriptor >= 0 else { return }
            do {
                try self.loop.watch(self.descriptor, EPOLLIN.rawValue, self)
            } catch let error as IOError {
                self.restAWhile(after: error)
            } catch {
                // The loop ends.
            }
        }
    }
}

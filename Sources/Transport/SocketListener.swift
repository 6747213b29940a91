import CSockets
import Glibc
package import NIOCore
import Synchronization

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
    private let mostHandedOver: Int?
    private let prepare: Preparation
    private let onFailure: FailureObserver
    /// With the port that was given for port 0.
    package let localAddress: SocketAddress?
    /// Used on the loop only; -1 once it is closed.
    private var descriptor: CInt
    /// The reason why it does not accept at present. Used on the loop only.
    private var pause: Pause?
    private let handedOver = HandedOverConnections()

    /// Listens at the address. A Unix socket that is left of an earlier process is taken away.
    ///
    /// - Parameter mostHandedOver: Accepted connections that wait for their event loop; by default what the process's descriptors allow.
    package static func open(
        at address: SocketAddress, backlog: CInt, on group: SocketLoopGroup, options: ConnectionOptions,
        mostHandedOver: Int? = nil, onFailure: @escaping FailureObserver, prepare: @escaping Preparation
    ) async throws -> SocketListener {
        if let path = address.pathname, !path.isEmpty { Sockets.removeSocket(at: path) }
        let descriptor = try Sockets.open(for: address)
        do {
            try Sockets.listen(descriptor, at: address, backlog: backlog)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        return try await SocketListener(descriptor, on: group, options, mostHandedOver, onFailure, prepare).start()
    }

    /// Takes a socket over that listens already.
    package static func adopt(
        _ descriptor: CInt, backlog: CInt, on group: SocketLoopGroup, options: ConnectionOptions,
        onFailure: @escaping FailureObserver, prepare: @escaping Preparation
    ) async throws -> SocketListener {
        try Sockets.prepareInherited(descriptor, backlog: backlog)
        return try await SocketListener(descriptor, on: group, options, nil, onFailure, prepare).start()
    }

    private init(
        _ descriptor: CInt, on group: SocketLoopGroup, _ options: ConnectionOptions, _ mostHandedOver: Int?,
        _ onFailure: @escaping FailureObserver, _ prepare: @escaping Preparation
    ) {
        self.descriptor = descriptor
        self.group = group
        self.options = options
        self.mostHandedOver = mostHandedOver
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
        let most = mostHandedOver ?? DescriptorLimit.current.handedOver
        for _ in 0..<Self.acceptsAtOnce {
            // The others wait in the backlog, where they take no descriptor.
            guard handedOver.isBelow(most) else { return pause(for: .handedOver) }
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
        handedOver.add()
        let isTaken = target.perform {
            SocketChannel.accepted(accepted, from: address, on: target, options: options, prepare: prepare)
            if self.handedOver.remove() { self.loop.execute { self.resume(after: .handedOver) } }
        }
        if isTaken { return }
        loop.kernel.close(accepted)
        _ = handedOver.remove()
    }

    /// The kernel would tell of the same connection again and again.
    private func restAWhile(after error: IOError) {
        onFailure(loop, error)
        pause(for: .failure)
        _ = loop.scheduleTask(in: Self.rest) { self.resume(after: .failure) }
    }

    private enum Pause {
        /// Enough connections wait for their loops.
        case handedOver
        /// The system gave none.
        case failure
    }

    private func pause(for reason: Pause) {
        pause = reason
        loop.forget(descriptor)
    }

    private func resume(after reason: Pause) {
        guard pause == reason, descriptor >= 0 else { return }
        do {
            pause = nil
            try loop.watch(descriptor, EPOLLIN.rawValue, self)
        } catch let error as IOError {
            restAWhile(after: error)
        } catch {
            // The loop ends.
        }
    }
}

/// How many accepted connections wait for their event loop. The listener adds them; each loop removes its own.
final class HandedOverConnections: Sendable {
    private let count = Atomic(0)
    private let isAwaited = Atomic(false)

    func add() { count.add(1, ordering: .sequentiallyConsistent) }

    /// Whether one more may be handed over. If not, the listener has to wait until `remove` says that it may go on.
    func isBelow(_ most: Int) -> Bool {
        guard count.load(ordering: .sequentiallyConsistent) >= most else { return true }
        isAwaited.store(true, ordering: .sequentiallyConsistent)
        // A loop that removed one in between did not see that it is awaited.
        guard count.load(ordering: .sequentiallyConsistent) < most else { return false }
        // Where a loop has seen it after all, it resumes a listener that has not paused, which changes nothing.
        isAwaited.store(false, ordering: .sequentiallyConsistent)
        return true
    }

    /// Whether the listener waits for this, and has to be resumed.
    func remove() -> Bool {
        count.subtract(1, ordering: .sequentiallyConsistent)
        return isAwaited.exchange(false, ordering: .sequentiallyConsistent)
    }
}

package import Dispatch
import NIOConcurrencyHelpers
package import NIOCore

/// The event loops that serve together, each on a thread of its own.
package final class SocketLoopGroup: TransportGroup {
    package let loops: [SocketLoop]
    private let turn = NIOLockedValueBox(0)

    /// Throws an `IOError` where the system gives no further descriptors or threads.
    package init(count: Int) throws {
        precondition(count > 0, "a group has loops")
        loops = try (0..<count).map { try SocketLoop(name: "gateway-loop-\($0)") }
    }

    /// One after the other.
    func nextLoop() -> SocketLoop {
        loops[
            turn.withLockedValue {
                $0 = ($0 + 1) % loops.count
                return $0
            }]
    }

    package func next() -> any EventLoop { nextLoop() }
    package func any() -> any EventLoop { nextLoop() }
    package func makeIterator() -> EventLoopIterator { EventLoopIterator(loops) }

    /// Closes all connections and ends the threads.
    package func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        let left = NIOLockedValueBox(loops.count)
        for loop in loops {
            loop.stop {
                let isLast = left.withLockedValue {
                    $0 -= 1
                    return $0 == 0
                }
                if isLast { queue.async { callback(nil) } }
            }
        }
    }

    // MARK: TransportGroup

    package var kind: TransportKind { .own }
    package var eventLoops: [any EventLoop] { loops }

    package func setSpareDescriptor(on loop: any EventLoop, _ spare: @escaping () -> Bool) {
        loop.preconditionInEventLoop()
        (loop as? SocketLoop)?.spareDescriptor = spare
    }

    package func listen(
        _ source: ListenerSource, backlog: CInt, options: ConnectionOptions,
        onFailure: @escaping @Sendable (any EventLoop, IOError) -> Void, prepare: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> any TransportListener {
        switch source {
        case .address(let address):
            try await SocketListener.open(
                at: address, backlog: backlog, on: self, options: options, onFailure: onFailure, prepare: prepare)
        case .inherited(let descriptor):
            try await SocketListener.adopt(
                descriptor, backlog: backlog, on: self, options: options, onFailure: onFailure, prepare: prepare)
        }
    }
}

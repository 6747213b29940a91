package import NIOCore

/// The implementation of event loops and sockets that carries the gateway's connections (docs/decisions/0023).
package enum TransportKind: String, Sendable, CaseIterable {
    /// `SocketLoop` and `SocketChannel`, the default.
    case own
    /// NIOPosix.
    case nio

    /// The environment variable that chooses one.
    package static let variable = "GATEWAY_TRANSPORT"

    /// A value of the variable that names no transport.
    package struct Refusal: Error {
        package let reason: String
    }

    /// `value`: the variable's; nil or empty stands for the default.
    package init(_ value: String?) throws(Refusal) {
        guard let value, !value.isEmpty else {
            self = .own
            return
        }
        guard let known = TransportKind(rawValue: value) else {
            throw Refusal(reason: "\(Self.variable) is `\(value)`; use own or nio, or remove it")
        }
        self = known
    }

    /// Starts event loops. Throws an `IOError` where the system gives no further descriptors or threads; NIOPosix ends the process then.
    package func makeGroup(loops: Int) throws -> any TransportGroup {
        switch self {
        case .own: try SocketLoopGroup(count: loops)
        case .nio: NIOTransportGroup(count: loops)
        }
    }
}

/// The options of a connection.
package struct ConnectionOptions: Sendable {
    /// Whether the peer may close its half of the connection; else that closes the connection.
    package var allowsHalfClosure: Bool
    /// The most reads in one turn, before other connections have theirs.
    package var readsAtOnce: Int

    package init(allowsHalfClosure: Bool, readsAtOnce: Int) {
        self.allowsHalfClosure = allowsHalfClosure
        self.readsAtOnce = readsAtOnce
    }
}

/// The event loops that serve together, each on a thread of its own, and their listeners.
package protocol TransportGroup: EventLoopGroup {
    var kind: TransportKind { get }
    var eventLoops: [any EventLoop] { get }

    /// Sets what closes a connection that can be spared, for when the process runs out of descriptors. It returns false where there is no
    /// such connection. Called on `loop`, one of the group's.
    func setSpareDescriptor(on loop: any EventLoop, _ spare: @escaping () -> Bool)

    /// Listens. `prepare` runs on the connection's loop, before the connection reads anything; where it throws, the connection is closed.
    /// `onFailure` hears, on the listener's loop, that the system gives no connection.
    func listen(
        _ source: ListenerSource, backlog: CInt, options: ConnectionOptions,
        onFailure: @escaping @Sendable (any EventLoop, IOError) -> Void, prepare: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> any TransportListener
}

/// Where a listening socket comes from.
package enum ListenerSource: Sendable {
    /// A Unix socket that is left of an earlier process at the same path is removed.
    case address(SocketAddress)
    /// A socket that listens already.
    case inherited(CInt)
}

/// A listening socket.
package protocol TransportListener: AnyObject, Sendable {
    /// With the port that was given for port 0.
    var localAddress: SocketAddress? { get }
    /// Stops accepting. The system refuses the connections that still wait.
    func close() async throws
}

/// Connections to upstreams.
package enum OutgoingConnection {
    /// Connects. The channel has no handlers yet when the future succeeds, and reads nothing before they are there.
    package static func open(
        to address: SocketAddress, on eventLoop: any EventLoop, within limit: TimeAmount, options: ConnectionOptions
    ) -> EventLoopFuture<any Channel> {
        eventLoop is SocketLoop
            ? SocketChannel.connect(to: address, on: eventLoop, within: limit, options: options)
            : NIOTransportGroup.connect(to: address, on: eventLoop, within: limit, options: options)
    }
}

import CSockets
import Glibc
import NIOCore

/// The system calls of event loops and connections.
///
/// Each returns what the call returns, or the negative error number. A test puts a simulation in the system's place; else every call
/// costs one comparison beside the call itself.
struct Kernel {
    /// Nil: the system.
    let simulation: (any KernelSimulation)?

    static var system: Kernel { Kernel(simulation: nil) }

    @inline(__always)
    private static func outcome(_ result: Int) -> Int { result < 0 ? -Int(errno) : result }

    // MARK: Data

    /// Reads what the socket has received, at most `memory.count` bytes; 0 at the end of input.
    @inline(__always)
    func receive(_ descriptor: CInt, into memory: UnsafeMutableRawBufferPointer) -> Int {
        if let simulation { return simulation.receive(descriptor, into: memory) }
        return Self.outcome(Glibc.recv(descriptor, memory.baseAddress, memory.count, 0))
    }

    @inline(__always)
    func send(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        if let simulation { return simulation.send(descriptor, [bytes]) }
        return Self.outcome(Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL)))
    }

    func send(_ descriptor: CInt, _ pieces: UnsafeMutableBufferPointer<iovec>, count: Int) -> Int {
        if let simulation {
            return simulation.send(
                descriptor, pieces.prefix(count).map { UnsafeRawBufferPointer(start: $0.iov_base, count: $0.iov_len) })
        }
        var message = msghdr()
        message.msg_iov = pieces.baseAddress
        message.msg_iovlen = count
        return Self.outcome(Glibc.sendmsg(descriptor, &message, CInt(MSG_NOSIGNAL)))
    }

    // MARK: Connections

    /// A new socket for connections to such an address.
    func open(for address: SocketAddress) throws -> CInt {
        guard let simulation else { return try Sockets.open(for: address) }
        let descriptor = simulation.open()
        guard descriptor >= 0 else { throw IOError(errnoCode: -descriptor, reason: "socket") }
        return descriptor
    }

    /// True when it is connected already; false when its being writable will say so.
    func connect(_ descriptor: CInt, to address: SocketAddress) throws -> Bool {
        guard let simulation else { return try Sockets.connect(descriptor, to: address) }
        let failure = -simulation.connect(descriptor)
        guard failure == 0 || failure == EINPROGRESS else { throw IOError(errnoCode: failure, reason: "connect") }
        return failure == 0
    }

    /// The next connection that waits, which sends small messages at once.
    func accept(_ listener: CInt) -> (descriptor: CInt, address: SocketAddress?) {
        if let simulation { return (simulation.accept(listener), nil) }
        let accepted = Sockets.accept(listener)
        guard accepted.descriptor >= 0 else { return (-errno, nil) }
        Sockets.sendAtOnce(accepted.descriptor)
        return accepted
    }

    /// The pending error of the socket, 0 without one; reading it clears it.
    func takeError(of descriptor: CInt) -> CInt { simulation?.takeError(of: descriptor) ?? Sockets.takeError(of: descriptor) }

    func closeOutput(_ descriptor: CInt) {
        if let simulation { simulation.closeOutput(descriptor) } else { Glibc.shutdown(descriptor, CInt(SHUT_WR)) }
    }

    func close(_ descriptor: CInt) {
        if let simulation { simulation.close(descriptor) } else { Glibc.close(descriptor) }
    }

    func localAddress(of descriptor: CInt) -> SocketAddress? { simulation == nil ? Sockets.localAddress(of: descriptor) : nil }

    // MARK: Events

    /// Reports `events` of the descriptor together with `tag`, from now on.
    func watch(_ poll: CInt, _ descriptor: CInt, _ events: UInt32, tag: UInt64) -> Int {
        if let simulation { return simulation.watch(descriptor, events, tag: tag) }
        var event = epoll_event(events: events, data: epoll_data_t(u64: tag))
        return Self.outcome(Int(epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event)))
    }

    func forget(_ poll: CInt, _ descriptor: CInt) {
        if let simulation { simulation.forget(descriptor) } else { epoll_ctl(poll, EPOLL_CTL_DEL, descriptor, nil) }
    }

    /// Waits for events: how many there are. `timeout` in milliseconds; -1 for none.
    @inline(__always)
    func wait(_ poll: CInt, _ events: UnsafeMutableBufferPointer<epoll_event>, timeout: CInt) -> Int {
        if let simulation { return simulation.wait(events) }
        return Int(max(0, epoll_wait(poll, events.baseAddress, CInt(events.count), timeout)))
    }
}

/// Stands for the system in tests. Used on the loop's thread only; the results are those of `Kernel`.
protocol KernelSimulation: AnyObject {
    func receive(_ descriptor: CInt, into memory: UnsafeMutableRawBufferPointer) -> Int
    func send(_ descriptor: CInt, _ pieces: [UnsafeRawBufferPointer]) -> Int
    func open() -> CInt
    func connect(_ descriptor: CInt) -> CInt
    func accept(_ listener: CInt) -> CInt
    func takeError(of descriptor: CInt) -> CInt
    func closeOutput(_ descriptor: CInt)
    func close(_ descriptor: CInt)
    func watch(_ descriptor: CInt, _ events: UInt32, tag: UInt64) -> Int
    func forget(_ descriptor: CInt)
    func wait(_ events: UnsafeMutableBufferPointer<epoll_event>) -> Int
}

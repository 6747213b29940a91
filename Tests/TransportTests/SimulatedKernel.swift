import CSockets
import Glibc
import NIOCore

@testable import Transport

/// The bytes of every stream, in both directions: the byte at each position is known.
enum StreamBytes {
    private static let period = 251
    static let longest = 256 * 1024
    private static let bytes = (0..<longest + period).map { UInt8($0 % period) }
    private static let buffer = ByteBuffer(bytes: bytes)

    static func slice(at position: Int, count: Int) -> ByteBuffer { buffer.getSlice(at: position % period, length: count)! }

    static func copy(from position: Int, into memory: UnsafeMutableRawBufferPointer) {
        bytes.withUnsafeBytes { memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[(position % period)...].prefix(memory.count))) }
    }

    static func matches(_ memory: UnsafeRawBufferPointer, at position: Int) -> Bool {
        guard let start = memory.baseAddress, memory.count > 0 else { return true }
        return bytes.withUnsafeBytes { memcmp(start, $0.baseAddress! + position % period, memory.count) == 0 }
    }
}

/// Sockets, their peers and epoll, as Linux has them, with faults at chosen calls. Records each misuse of a descriptor.
final class SimulatedKernel: KernelSimulation {
    enum Fault: CaseIterable { case short, again, interrupted, reset }
    enum PeerEnd { case open, finished, reset }

    struct Socket {
        var tag: UInt64 = 0
        var isWatched = false
        /// The events to be reported next.
        var ready: UInt32 = 0
        var peerSent = 0
        var read = 0
        var peerEnd = PeerEnd.open
        var error: CInt = 0
        /// The bytes that the socket takes until the peer reads.
        var room = SimulatedKernel.room
        var isFull = false
        var taken = 0
        var isOutputClosed = false
    }

    static let room = 48 * 1024
    private var sockets: [Socket?] = []
    private var free: [CInt] = []
    private var readyDescriptors: [CInt] = []
    /// Events of descriptors that were closed before they were reported.
    private var stale: [(tag: UInt64, events: UInt32)] = []
    private(set) var violations: [String] = []
    /// The sends and receives so far.
    private(set) var calls = 0
    /// Sends and receives that do something else than usual, by the number of the call.
    var fault: (Int) -> Fault? = { _ in nil }
    private(set) var opened = 0
    private(set) var lastOpened: CInt = -1
    private(set) var lastClosed: Socket?
    /// Also reports events of closed descriptors once more.
    var repeatsStaleEvents = true

    var openCount: Int { sockets.count { $0 != nil } }
    subscript(descriptor: CInt) -> Socket? { Int(descriptor) < sockets.count ? sockets[Int(descriptor)] : nil }

    private func misuse(_ what: String) { if violations.count < 20 { violations.append(what) } }

    private func change(_ descriptor: CInt, _ what: String, _ body: (inout Socket) -> Void) {
        guard descriptor >= 0, Int(descriptor) < sockets.count, sockets[Int(descriptor)] != nil else {
            return misuse("\(what) of descriptor \(descriptor), which is closed")
        }
        body(&sockets[Int(descriptor)]!)
    }

    private func report(_ descriptor: CInt, _ events: UInt32) {
        change(descriptor, "event") {
            if $0.ready == 0, $0.isWatched { readyDescriptors.append(descriptor) }
            $0.ready |= events
        }
    }

    // MARK: The peer

    func peerSends(_ descriptor: CInt, _ count: Int) {
        change(descriptor, "data") { $0.peerSent += count }
        report(descriptor, EPOLLIN.rawValue)
    }

    /// FIN: the peer sends no more, and still reads.
    func peerFinishes(_ descriptor: CInt) {
        change(descriptor, "FIN") { if $0.peerEnd == .open { $0.peerEnd = .finished } }
        report(descriptor, EPOLLIN.rawValue | EPOLLRDHUP.rawValue)
    }

    /// RST. Received data can still be read.
    func peerResets(_ descriptor: CInt) {
        change(descriptor, "RST") {
            $0.peerEnd = .reset
            $0.error = ECONNRESET
        }
        report(descriptor, EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue)
    }

    func peerReads(_ descriptor: CInt) {
        var wasFull = false
        change(descriptor, "read") {
            wasFull = $0.isFull
            $0.room = Self.room
            $0.isFull = false
        }
        if wasFull { report(descriptor, EPOLLOUT.rawValue) }
    }

    // MARK: KernelSimulation

    func open() -> CInt {
        opened += 1
        if let descriptor = free.popLast() {
            sockets[Int(descriptor)] = Socket()
            lastOpened = descriptor
        } else {
            sockets.append(Socket())
            lastOpened = CInt(sockets.count - 1)
        }
        return lastOpened
    }

    func connect(_ descriptor: CInt) -> CInt {
        change(descriptor, "connect") { $0.ready = EPOLLOUT.rawValue }
        return -EINPROGRESS
    }

    func accept(_ listener: CInt) -> CInt { open() }

    /// The fault at this call, which has happened to the socket when this returns.
    private func nextFault(_ descriptor: CInt) -> Fault? {
        defer { calls += 1 }
        guard let fault = fault(calls) else { return nil }
        if fault == .reset { peerResets(descriptor) }
        return fault
    }

    func receive(_ descriptor: CInt, into memory: UnsafeMutableRawBufferPointer) -> Int {
        var fault = nextFault(descriptor)
        if fault == .interrupted { return -Int(EINTR) }
        // After a reset nothing arrives later: what the socket holds can be read at once.
        if self[descriptor]?.peerEnd == .reset { fault = nil }
        if fault == .again {
            report(descriptor, EPOLLIN.rawValue)
            return -Int(EAGAIN)
        }
        var outcome = 0
        change(descriptor, "recv") {
            let left = $0.peerSent - $0.read
            if left == 0 {
                if $0.error != 0 {
                    outcome = -Int($0.error)
                    $0.error = 0
                } else {
                    outcome = $0.peerEnd == .open ? -Int(EAGAIN) : 0
                }
                return
            }
            outcome = min(left, memory.count, fault == .short ? 1 : .max)
            StreamBytes.copy(from: $0.read, into: UnsafeMutableRawBufferPointer(rebasing: memory[..<outcome]))
            $0.read += outcome
        }
        // A short read with more behind it: the rest has arrived only now.
        if fault == .short { report(descriptor, EPOLLIN.rawValue) }
        return outcome
    }

    func send(_ descriptor: CInt, _ pieces: [UnsafeRawBufferPointer]) -> Int {
        let fault = nextFault(descriptor)
        if fault == .interrupted { return -Int(EINTR) }
        if fault == .again {
            report(descriptor, EPOLLOUT.rawValue)
            return -Int(EAGAIN)
        }
        var outcome = 0
        change(descriptor, "send") {
            if $0.isOutputClosed { misuse("send after shutdown of descriptor \(descriptor)") }
            guard $0.peerEnd != .reset else {
                $0.error = 0
                outcome = -Int(EPIPE)
                return
            }
            for piece in pieces {
                let count = min(piece.count, $0.room, fault == .short ? 1 - outcome : .max)
                if !StreamBytes.matches(UnsafeRawBufferPointer(rebasing: piece[..<count]), at: $0.taken) {
                    misuse("wrong bytes sent at \($0.taken)")
                }
                $0.taken += count
                $0.room -= count
                outcome += count
                if count < piece.count { break }
            }
            if outcome == 0, pieces.contains(where: { $0.count > 0 }) {
                $0.isFull = true
                outcome = -Int(EAGAIN)
            }
        }
        return outcome
    }

    func takeError(of descriptor: CInt) -> CInt {
        var error: CInt = 0
        change(descriptor, "getsockopt") {
            error = $0.error
            $0.error = 0
        }
        return error
    }

    func closeOutput(_ descriptor: CInt) {
        change(descriptor, "shutdown") {
            if $0.isOutputClosed { misuse("second shutdown of descriptor \(descriptor)") }
            $0.isOutputClosed = true
        }
    }

    func close(_ descriptor: CInt) {
        change(descriptor, "close") { if $0.isWatched { misuse("close of descriptor \(descriptor), which is watched") } }
        guard self[descriptor] != nil else { return }
        lastClosed = sockets[Int(descriptor)]
        sockets[Int(descriptor)] = nil
        free.append(descriptor)
    }

    func watch(_ descriptor: CInt, _ events: UInt32, tag: UInt64) -> Int {
        change(descriptor, "epoll_ctl") {
            $0.isWatched = true
            $0.tag = tag
            // A new registration reports what is the case already.
            $0.ready |= EPOLLOUT.rawValue
            readyDescriptors.append(descriptor)
        }
        return 0
    }

    func forget(_ descriptor: CInt) {
        change(descriptor, "epoll_ctl") {
            $0.isWatched = false
            if repeatsStaleEvents {
                stale.append(($0.tag, EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue))
            }
        }
    }

    var isIdle: Bool { readyDescriptors.isEmpty && stale.isEmpty }

    func wait(_ events: UnsafeMutableBufferPointer<epoll_event>) -> Int {
        var count = 0
        while count < events.count, let event = stale.popLast() {
            events[count] = epoll_event(events: event.events, data: epoll_data_t(u64: event.tag))
            count += 1
        }
        while count < events.count, let descriptor = readyDescriptors.popLast() {
            guard let socket = self[descriptor], socket.isWatched, socket.ready != 0 else { continue }
            events[count] = epoll_event(events: socket.ready, data: epoll_data_t(u64: socket.tag))
            sockets[Int(descriptor)]!.ready = 0
            count += 1
        }
        return count
    }
}

import CSockets
import Glibc
import NIOCore

/// A socket that a loop watches.
package class WatchedSocket {
    /// Handles epoll's `events`. A subclass keeps itself alive until this returns, even if the loop forgets it meanwhile. Both subclasses
    /// override it; without an override, an event would be lost and its connection would hang, so it traps.
    func happened(_ events: UInt32) { preconditionFailure("abstract") }
}

/// The descriptors that a loop watches, by number.
///
/// The kernel may report an event of a descriptor that was closed in the same turn, and whose number another has now. The tag of each
/// event holds the generation of the number, so that such an event is ignored.
struct Watches {
    private struct Slot {
        var watched: WatchedSocket?
        var generation: UInt32 = 0
    }

    /// The tag of the loop's mailbox.
    static let alarm = UInt64.max

    private var slots: [Slot] = []

    /// The number of descriptors.
    var count: Int { slots.count { $0.watched != nil } }
    var streams: [SocketChannel] { slots.compactMap { $0.watched as? SocketChannel } }

    /// Adds what watches the descriptor, and returns the tag of its events.
    mutating func add(_ watched: WatchedSocket, _ descriptor: CInt) -> UInt64 {
        let index = Int(descriptor)
        if slots.count <= index { slots.append(contentsOf: repeatElement(Slot(), count: index + 1 - slots.count)) }
        slots[index].generation &+= 1
        slots[index].watched = watched
        return UInt64(slots[index].generation) << 32 | UInt64(index)
    }

    /// False when the descriptor is not watched.
    mutating func remove(_ descriptor: CInt) -> Bool {
        guard descriptor >= 0, descriptor < slots.count else { return false }
        return slots[Int(descriptor)].watched.take() != nil
    }

    /// Nil for an event of an earlier descriptor of the number.
    @inline(__always)
    subscript(tag: UInt64) -> WatchedSocket? {
        let index = Int(tag & 0xffff_ffff)
        guard index < slots.count, slots[index].generation == UInt32(tag >> 32) else { return nil }
        return slots[index].watched
    }

    mutating func removeAll() { slots.removeAll() }
}

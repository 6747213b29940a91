import NIOCore

/// The size of a socket's next read. Connections that send little get small buffers.
struct ReceiveSize {
    /// 2 KiB to 64 KiB.
    static let kinds = 6

    private(set) var kind = 0
    private var wasSmall = false

    var bytes: Int { 2_048 << kind }

    /// A read that fills its memory asks for four times as much the next time, two in a row that need a quarter of it ask for half.
    @inline(__always)
    mutating func adapt(to count: Int) {
        if count >= bytes {
            wasSmall = false
            kind = min(kind + 2, Self.kinds - 1)
        } else if kind > 0 {
            let isSmall = count <= bytes / 4
            if isSmall, wasSmall { kind -= 1 }
            wasSmall = isSmall && !wasSmall
        }
    }
}

/// The memory that the sockets of one event loop are read into. Used on its event loop only.
///
/// A handler may keep the bytes, for instance as long as a request takes. The memory is reused once no handler holds it.
struct ReceiveMemory {
    /// Memory of one size, used in turn: what was used last is the last to be free again.
    fileprivate struct Ring {
        /// Nil while it is being read into.
        var places: [ByteBuffer?] = []
        var last = 0
    }

    /// The most bytes kept of each size.
    fileprivate static let limit = 256 * 1024

    private var rings = (0..<ReceiveSize.kinds).map { _ in Ring() }

    /// Empty memory of the size's room, to be given back.
    @inline(__always)
    mutating func take(_ size: ReceiveSize) -> ByteBuffer { rings[size.kind].take(size.bytes) }

    /// Returns memory that a handler may still hold.
    @inline(__always)
    mutating func giveBack(_ bytes: consuming ByteBuffer, _ size: ReceiveSize) { rings[size.kind].giveBack(bytes, size.bytes) }
}

extension ReceiveMemory.Ring {
    @inline(__always)
    fileprivate mutating func take(_ room: Int) -> ByteBuffer {
        if last + 1 < places.count { last += 1 } else { last = 0 }
        if last < places.count, var memory = places[last].take() {
            if memory.modifyIfUniquelyOwned({ $0.clear() }) != nil { return memory }
            // A handler still holds it.
            places[last] = memory
        }
        return makeRoom(room)
    }

    @inline(never)
    private mutating func makeRoom(_ room: Int) -> ByteBuffer {
        if places.count * room < ReceiveMemory.limit {
            last = places.count
            places.append(nil)
        }
        return ByteBufferAllocator().buffer(capacity: room)
    }

    @inline(__always)
    fileprivate mutating func giveBack(_ bytes: consuming ByteBuffer, _ room: Int) {
        // What was taken whole is not there to be kept, and who grew it has given more. Another may have been read in the middle of the
        // first: then one of them is lost.
        if bytes.capacity >= room, bytes.capacity < 2 * room { places[last] = bytes }
    }
}

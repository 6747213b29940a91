import NIOCore

/// The size of a socket's next read. Connections that send little get small buffers.
struct ReceiveSize {
    /// 2 KiB to 64 KiB. `ReceiveMemory` has as many.
    static let kinds = 6

    private(set) var kind = 0
    private var wasSmall = false

    var bytes: Int { Self.bytes(kind) }

    static func bytes(_ kind: Int) -> Int { 2_048 << kind }

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
    /// The most bytes kept of each size.
    private static let limit = 256 * 1024
    /// The slots of the smallest size, which has the most.
    private static let mostSlots = limit / ReceiveSize.bytes(0)

    /// Memory of every size, `mostSlots` for each; nil while it is being read into, or not made yet. In one array, because each change of
    /// an array is a check that nobody else holds it.
    private var slots: [ByteBuffer?] = Array(repeating: nil, count: ReceiveSize.kinds * mostSlots)
    /// For each size (`ReceiveSize.kinds`), the slot that was used last: the slots are used in turn, so it is the last to be free again.
    private var last = InlineArray<6, Int>(repeating: 0)
    /// For each size, how many slots are in use.
    private var count = InlineArray<6, Int>(repeating: 0)

    /// Empty memory of the size's room, to be given back.
    @inline(__always)
    mutating func take(_ size: ReceiveSize) -> ByteBuffer {
        let kind = size.kind
        let next = last[kind] + 1
        last[kind] = next < count[kind] ? next : 0
        let slot = kind * Self.mostSlots + last[kind]
        if var memory = slots[slot].take() {
            if memory.modifyIfUniquelyOwned({ $0.clear() }) != nil { return memory }
            // A handler still holds it.
            slots[slot] = memory
        }
        return makeRoom(size)
    }

    @inline(never)
    private mutating func makeRoom(_ size: ReceiveSize) -> ByteBuffer {
        if count[size.kind] * size.bytes < Self.limit {
            last[size.kind] = count[size.kind]
            count[size.kind] += 1
        }
        return ByteBufferAllocator().buffer(capacity: size.bytes)
    }

    /// Returns memory that a handler may still hold.
    @inline(__always)
    mutating func giveBack(_ bytes: consuming ByteBuffer, _ size: ReceiveSize) {
        // What was taken whole is not there to be kept, and who grew it has given more. Another may have been read in the middle of the
        // first: then one of them is lost.
        let room = size.bytes
        if bytes.capacity >= room, bytes.capacity < 2 * room { slots[size.kind * Self.mostSlots + last[size.kind]] = bytes }
    }
}

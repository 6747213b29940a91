public import NIOCore

// All empty buffers from `ByteBuffer()` share one object, whose reference count all threads would update if each request created
// one. Instead, an empty buffer is set aside between two requests and put back.

/// The empty buffer of a head, kept to be put back later.
struct EmptiedBuffer {
    private var buffer: ByteBuffer?

    mutating func keep(_ emptied: consuming ByteBuffer) {
        if emptied.capacity == 0 { buffer = emptied }
    }

    /// Releases the contents of `bytes`.
    mutating func exchange(_ bytes: inout ByteBuffer) {
        var empty = buffer.take() ?? ByteBuffer()
        swap(&bytes, &empty)
    }
}

extension ByteBuffer {
    /// Releases memory that is no longer needed. `other` is the previous value, to be put back if it is empty.
    @inlinable @inline(__always)
    package mutating func release(to other: inout ByteBuffer) {
        if other.capacity == 0 { swap(&self, &other) } else { self = ByteBuffer() }
    }
}

public import NIOCore

// All empty buffers made by `ByteBuffer()` share one object. Whoever makes one for each request counts its references there, and so do
// all other threads: what is empty between two requests is put aside and put back.

/// The empty buffer that a head had before it got bytes, kept to take their place again.
struct EmptiedBuffer {
    private var buffer: ByteBuffer?

    mutating func keep(_ emptied: consuming ByteBuffer) {
        if emptied.capacity == 0 { buffer = emptied }
    }

    /// Lets go of what `bytes` holds.
    mutating func exchange(_ bytes: inout ByteBuffer) {
        var empty = buffer.take() ?? ByteBuffer()
        swap(&bytes, &empty)
    }
}

extension ByteBuffer {
    /// Lets go of memory that is not needed. `other`: what was here before, to be put back if it is empty.
    @inlinable @inline(__always)
    package mutating func release(to other: inout ByteBuffer) {
        if other.capacity == 0 { swap(&self, &other) } else { self = ByteBuffer() }
    }
}

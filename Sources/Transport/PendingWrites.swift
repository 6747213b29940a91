import CSockets
import NIOCore

/// Unsent bytes of a socket, in order. Used on its event loop only.
struct PendingWrites {
    private struct Piece {
        var bytes: ByteBuffer
        var promise: EventLoopPromise<Void>?
    }

    /// The most buffers per system call.
    private static let pieceLimit = 32

    private var pieces: [Piece] = []
    /// Those before it are written.
    private var first = 0
    /// Those before it are to be written now.
    private var flushed = 0
    private(set) var byteCount = 0

    var isEmpty: Bool { first == pieces.count }
    var hasFlushed: Bool { first < flushed }

    mutating func append(_ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?) {
        byteCount += bytes.readableBytes
        pieces.append(Piece(bytes: bytes, promise: promise))
    }

    mutating func flush() { flushed = pieces.count }

    /// Gives the socket what it takes: how many bytes, or the negative error number.
    func send(to descriptor: CInt, _ kernel: Kernel) -> Int {
        if flushed == first + 1 {
            return pieces[first].bytes.withUnsafeReadableBytes { kernel.send(descriptor, $0) }
        }
        return withUnsafeTemporaryAllocation(of: iovec.self, capacity: Self.pieceLimit) { vectors in
            withPieces(0, vectors) { kernel.send(descriptor, vectors, count: $0) }
        }
    }

    /// The bytes of each piece have to be held where they are while the next one's are looked for.
    private func withPieces(_ count: Int, _ vectors: UnsafeMutableBufferPointer<iovec>, _ body: (Int) -> Int) -> Int {
        guard count < vectors.count, first + count < flushed else { return body(count) }
        return pieces[first + count].bytes.withUnsafeReadableBytes { bytes in
            vectors[count] = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
            return withPieces(count + 1, vectors, body)
        }
    }

    /// The socket has taken so many bytes. Returns the promises that are kept with them; those of empty pieces, too.
    mutating func takeWritten(_ written: Int) -> [EventLoopPromise<Void>] {
        var promises: [EventLoopPromise<Void>] = []
        var rest = written
        byteCount -= written
        while first < flushed {
            let size = pieces[first].bytes.readableBytes
            guard size <= rest else {
                pieces[first].bytes.moveReaderIndex(forwardBy: rest)
                break
            }
            rest -= size
            if let promise = pieces[first].promise { promises.append(promise) }
            // Its memory is not needed any longer, whenever the list is emptied.
            pieces[first] = Piece(bytes: ByteBuffer(), promise: nil)
            first += 1
        }
        if first == pieces.count || first >= 64 {
            pieces.removeFirst(first)
            flushed -= first
            first = 0
        }
        return promises
    }

    /// The promises of all writes that will not happen.
    mutating func takeAll() -> [EventLoopPromise<Void>] {
        let promises = pieces.compactMap(\.promise)
        self = PendingWrites()
        return promises
    }
}

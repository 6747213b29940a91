import Glibc

/// The descriptor that a destination's lines are written to.
struct LogOutput {
    struct WriteResult {
        /// The number of bytes that were written.
        var written: Int
        /// The `errno` of the failure; nil: everything was written.
        var error: CInt?
    }

    let descriptor: CInt
    /// The last write broke off within a line: the next begins a new one, so that only that line is unusable.
    private var isTorn = false

    init(descriptor: CInt) { self.descriptor = descriptor }

    /// The most that one system call writes, so that a slow reader differs from one that has stopped.
    private static let chunk = 65_536

    /// Waits for a reader as long as it takes; `progressed` is called when some bytes, but not all, are written.
    mutating func write(_ bytes: [UInt8], progressed: () -> Void = {}) -> WriteResult {
        if isTorn {
            let result = send([0x0A])
            if result.error != nil { return result }
            isTorn = false
        }
        let result = send(bytes, progressed: progressed)
        if result.written > 0 { isTorn = bytes[result.written - 1] != 0x0A }
        return result
    }

    private func send(_ bytes: [UInt8], progressed: () -> Void = {}) -> WriteResult {
        bytes.withUnsafeBytes { raw in
            var offset = 0
            while offset < raw.count {
                let rest = UnsafeRawBufferPointer(rebasing: raw[offset...])
                let count = Glibc.write(descriptor, rest.baseAddress, min(rest.count, Self.chunk))
                if count > 0 {
                    offset += count
                    if offset < raw.count { progressed() }
                    continue
                }
                switch count == 0 ? EIO : errno {
                case EINTR: continue
                // The descriptor was inherited as non-blocking, for instance from a shared terminal.
                case EAGAIN: waitUntilWritable()
                case let error: return WriteResult(written: offset, error: error)
                }
            }
            return WriteResult(written: offset, error: nil)
        }
    }

    private func waitUntilWritable() {
        var descriptors = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&descriptors, 1, -1)
    }

    static func words(for error: CInt) -> String { String(cString: strerror(error)).lowercased() }
}

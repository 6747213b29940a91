import CSockets
import Glibc
import NIOCore

extension SocketChannel {
    /// More than this no socket's buffer holds; later data is read on the next turn.
    private static let mostReads = 256

    package func read0() {
        guard !input.isClosed, state != .closed else { return }
        input.isWanted = true
        // Not now: the caller is still running.
        if input.mayRead, !input.isReading, state == .open { queueToRead() }
    }

    private func queueToRead() { if input.queue() { loop.readLater(self) } }

    func readWhatIsLeft() {
        input.isQueued = false
        if input.isDue, state == .open { readNow(options.readsAtOnce) }
    }

    /// Reads all there is, whether or not a handler has requested it.
    package func readToEnd() {
        input.mayRead = true
        readNow(Self.mostReads)
    }

    func readNow(_ limit: Int) {
        guard !input.isReading, !input.isClosed else { return }
        input.isReading = true
        var reads = 0
        var end: (any Error)?
        // A write that fails meanwhile makes this the last reading.
        while input.mayRead, reads < (input.broken == nil ? limit : Self.mostReads) {
            let size = input.size
            var bytes = loop.memory.take(size)
            var count = 0
            bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: size.bytes) { memory in
                count = loop.kernel.receive(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: memory[..<size.bytes]))
                return max(0, count)
            }
            guard count > 0 else {
                loop.memory.giveBack(consume bytes, size)
                let failure = CInt(truncatingIfNeeded: -count)
                if failure == EINTR { continue }
                end = input.endOfData(failure)
                break
            }
            input.received(count)
            reads += 1
            if let receiver {
                receiver.received(&bytes)
            } else {
                pipeline.syncOperations.fireChannelRead(NIOAny(bytes))
            }
            loop.memory.giveBack(consume bytes, size)
            guard state == .open else { return input.isReading = false }
        }
        if reads > 0 || end as? ChannelError == .eof {
            if let receiver {
                if receiver.receivedAll() { input.isWanted = true }
            } else {
                pipeline.syncOperations.fireChannelReadComplete()
            }
        }
        input.isReading = false
        guard state == .open else { return }
        // The write that failed was the handlers' answer to these bytes, after the last read. What is left may hold the reason.
        if input.broken != nil, end == nil, input.mayRead, limit < Self.mostReads { return readNow(Self.mostReads) }
        finishReading(reads, end ?? input.broken)
    }

    private func finishReading(_ reads: Int, _ end: (any Error)?) {
        if let end {
            guard end as? ChannelError == .eof, options.allowsHalfClosure, !output.isClosed else { return fail(end) }
            input.close()
            return pipeline.syncOperations.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if reads > 0 { readAgain() }
        if input.isDue, state == .open { queueToRead() } else { reportUnreadEnd() }
    }

    func reportUnreadEnd() {
        guard input.isEndUnread, state == .open else { return }
        pipeline.syncOperations.fireUserInboundEventTriggered(SocketEvent.endIsNear)
    }

    func readAgain() { if input.shouldRequest, state == .open { pipeline.syncOperations.read() } }
}

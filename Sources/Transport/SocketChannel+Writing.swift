import CSockets
import Glibc
package import NIOCore

extension SocketChannel {
    package var isWritable: Bool { output.isWritable }

    /// Gives the socket the bytes at once, past the pipeline: how many it has taken, 0 where others are to be written before them or the
    /// socket fails. The rest is to be written as usual, which also reports the failure.
    @inline(__always)
    package func send(_ bytes: ByteBuffer) -> Int {
        guard state == .open, output.isFree, input.broken == nil else { return 0 }
        return max(0, bytes.withUnsafeReadableBytes { loop.kernel.send(descriptor, $0) })
    }

    package func write0(_ data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard state != .closed else { return promise.fail(ChannelError.ioOnClosedChannel) }
        guard !output.isClosing else { return promise.fail(ChannelError.outputClosed) }
        guard let bytes = tryUnwrapData(data, as: ByteBuffer.self) else { return promise.fail(ChannelError.operationUnsupported) }
        if output.append(bytes, promise) { pipeline.syncOperations.fireChannelWritabilityChanged() }
    }

    package func flush0() {
        output.pending.flush()
        if state == .open, !output.isFull { writePending() }
    }

    func writePending() {
        guard !output.isWriting, input.broken == nil else { return }
        output.isWriting = true
        repeat {
            if let failure = writeUntilRefused() {
                output.isWriting = false
                return writeFailed(failure)
            }
            guard state == .open else { break }
            // As in NIO, handlers learn of it after the promises of everything that this round has written.
            if output.hasBecomeWritable() { pipeline.syncOperations.fireChannelWritabilityChanged() }
        } while state == .open && !output.isFull && output.pending.hasFlushed
        output.isWriting = false
        if state == .open, output.isCloseDue { closeOutput() }
    }

    /// Writes until nothing is left or the socket takes no more. Returns the error of a write that failed.
    private func writeUntilRefused() -> IOError? {
        // Empty pieces are written with nothing.
        complete(0)
        while state == .open, output.pending.hasFlushed {
            let count = output.pending.send(to: descriptor, loop.kernel)
            guard count < 0 else {
                complete(count)
                continue
            }
            switch output.refused(count) {
            case .goOn: continue
            case .wait: return nil
            case .fail(let error): return error
            }
        }
        return nil
    }

    private func complete(_ count: Int) {
        for promise in output.takeWritten(count) { promise.succeed() }
    }

    /// Reads the peer's last data before it reports a failed write: the data may hold the reason.
    private func writeFailed(_ error: IOError) {
        input.broke(error)
        // A reading that is under way goes on to the end then, and closes.
        readToEnd()
        if state == .open, !input.isReading { fail(error) }
    }

    private func closeOutput() {
        let promise = output.close()
        guard !input.isClosed else { return close0(error: ChannelError.outputClosed, mode: .all, promise: promise) }
        loop.kernel.closeOutput(descriptor)
        promise?.succeed()
        pipeline.syncOperations.fireUserInboundEventTriggered(ChannelEvent.outputClosed)
    }

    func closeOutputAfterWrites(_ promise: EventLoopPromise<Void>?) {
        guard !output.isClosing else { return promise.fail(ChannelError.outputClosed) }
        output.closeAfterWrites(promise)
        if state == .open, !output.isFull, !output.isWriting { writePending() }
    }
}

import Glibc
import NIOConcurrencyHelpers
import NIOPosix

/// Writes log lines to a file descriptor, off the event loops.
///
/// A reader that falls behind costs lines, never latency: beyond `limit` waiting bytes lines are dropped and counted.
package final class LogWriter: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var dropped = 0
        var isScheduled = false
    }

    private let descriptor: CInt
    private let limit: Int
    private let state = NIOLockedValueBox(State())
    private let pool = NIOThreadPool(numberOfThreads: 1)

    package init(descriptor: CInt, limit: Int = 4 << 20) {
        self.descriptor = descriptor
        self.limit = limit
        pool.start()
    }

    /// Takes one complete line without its line feed.
    package func write(_ line: some Collection<UInt8>) {
        let mustSchedule = state.withLockedValue { state -> Bool in
            guard state.waiting.count + line.count < limit else {
                state.dropped += 1
                return false
            }
            state.waiting.append(contentsOf: line)
            state.waiting.append(0x0A)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { pool.submit { _ in self.flush() } }
    }

    /// Lines that were lost since the start.
    package var droppedLines: Int { state.withLockedValue { $0.dropped } }

    /// Writes what is waiting. Also called once at the end of the process.
    package func flush() {
        while true {
            let bytes = state.withLockedValue { state -> [UInt8] in
                let bytes = state.waiting
                state.waiting = []
                if bytes.isEmpty { state.isScheduled = false }
                return bytes
            }
            if bytes.isEmpty { return }
            Self.writeAll(bytes, to: descriptor)
        }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: CInt) {
        bytes.withUnsafeBytes { raw in
            var offset = 0
            while offset < raw.count {
                let count = Glibc.write(descriptor, raw.baseAddress! + offset, raw.count - offset)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return }
                offset += count
            }
        }
    }
}

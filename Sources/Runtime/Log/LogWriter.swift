import Glibc
import NIOConcurrencyHelpers
import NIOPosix

/// Writes log lines to a file descriptor or a file, off the event loops.
///
/// A reader that falls behind costs lines, never latency: beyond `limit` waiting bytes lines are dropped and counted.
package final class LogWriter: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var dropped = 0
        var isScheduled = false
        var mustReopen = false
    }

    /// A file that cannot be opened.
    package struct OpenFailure: Error, Sendable {
        package let path: String
        package let reason: String
    }

    /// Where lines go; the file's descriptor changes when it is opened anew.
    private let descriptor: NIOLockedValueBox<CInt>
    /// nil: a descriptor that is not ours to open.
    private let path: String?
    private let limit: Int
    private let state = NIOLockedValueBox(State())
    private let pool = NIOThreadPool(numberOfThreads: 1)

    package init(descriptor: CInt, limit: Int = 4 << 20) {
        self.descriptor = NIOLockedValueBox(descriptor)
        self.path = nil
        self.limit = limit
        pool.start()
    }

    /// Appends to a file, made with mode 0640 where there is none.
    package init(path: String, limit: Int = 4 << 20) throws(OpenFailure) {
        descriptor = NIOLockedValueBox(try Self.open(path))
        self.path = path
        self.limit = limit
        pool.start()
    }

    private static func open(_ path: String) throws(OpenFailure) -> CInt {
        let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw OpenFailure(path: path, reason: String(cString: strerror(errno)).lowercased()) }
        return descriptor
    }

    /// The file was moved away: what is written from now on goes into a new one. One that cannot be opened leaves the old in use.
    package func reopen() {
        guard path != nil else { return }
        let mustSchedule = state.withLockedValue { state -> Bool in
            state.mustReopen = true
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { pool.submit { _ in self.flush() } }
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

    /// Takes complete lines with their line feeds, all or none.
    func write(lines: UnsafeRawBufferPointer, count: Int) {
        let mustSchedule = state.withLockedValue { state -> Bool in
            guard state.waiting.count + lines.count < limit else {
                state.dropped += count
                return false
            }
            state.waiting.append(contentsOf: lines)
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
            let (bytes, mustReopen) = state.withLockedValue { state -> ([UInt8], Bool) in
                let bytes = state.waiting
                let mustReopen = state.mustReopen
                state.waiting = []
                state.mustReopen = false
                if bytes.isEmpty { state.isScheduled = false }
                return (bytes, mustReopen)
            }
            // The lock keeps two flushes from writing into one another.
            descriptor.withLockedValue { descriptor in
                Self.writeAll(bytes, to: descriptor)
                guard mustReopen, let path, let next = try? Self.open(path) else { return }
                close(descriptor)
                descriptor = next
            }
            if bytes.isEmpty { return }
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

import Dispatch
import Glibc
import NIOConcurrencyHelpers
package import NIOCore
import NIOPosix
import Synchronization

/// Writes log lines to a file descriptor or a file, off the event loops.
///
/// A destination that does not take lines costs lines, never latency. Beyond `limit` waiting bytes, and when a write fails, lines
/// are lost and counted by stream. The first failure and the recovery are reported to the observer.
package final class LogWriter: Sendable {
    private struct State {
        var queue = LineQueue()
        var lost = LineCounts()
        var streams: Set<LogStream> = []
        /// The outcome for lines of any stream.
        var health = SinkHealth()
        /// The outcome for audit records; lost lines of other streams do not count.
        var auditHealth = SinkHealth()
        /// The write that is running, and when it last took bytes.
        var write: (since: NIODeadline, lines: LineCounts)?
        var isScheduled = false
        var mustReopen = false
        var probe: (@Sendable (SinkFailure) -> [UInt8])?
        var observer: (@Sendable (SinkChange) -> Void)?

        mutating func failed(_ reason: String, at now: NIODeadline, losesAudit: Bool = true) -> SinkChange? {
            if losesAudit { _ = auditHealth.failed(reason, at: now, lost: lost) }
            return health.failed(reason, at: now, lost: lost)
        }

        mutating func succeeded(at now: NIODeadline) -> SinkChange? {
            _ = auditHealth.succeeded(at: now, lost: lost)
            return health.succeeded(at: now, lost: lost)
        }

        mutating func settled(at now: NIODeadline) -> SinkChange? {
            _ = auditHealth.settled(at: now, lost: lost)
            return health.settled(at: now, lost: lost)
        }
    }

    /// A file that cannot be opened.
    package struct OpenFailure: Error, Sendable {
        package let path: String
        package let reason: String
    }

    /// Used on the writer's thread alone.
    private let output: NIOLockedValueBox<LogOutput>
    /// nil: a descriptor that is not ours to open.
    private let path: String?
    private let limit: Int
    private let state = NIOLockedValueBox(State())
    private let failing = Atomic<Bool>(false)
    private let auditFailing = Atomic<Bool>(false)
    private let pool = NIOThreadPool(numberOfThreads: 1)

    /// A write that takes no bytes for so long counts as failed: the reader has stopped.
    private static let stallLimit = TimeAmount.seconds(5)

    package init(descriptor: CInt, limit: Int = 4 << 20) {
        output = NIOLockedValueBox(LogOutput(descriptor: descriptor))
        self.path = nil
        self.limit = limit
        pool.start()
    }

    /// Appends to a file, made with mode 0640 where there is none.
    package init(path: String, limit: Int = 4 << 20) throws(OpenFailure) {
        output = NIOLockedValueBox(LogOutput(descriptor: try Self.open(path)))
        self.path = path
        self.limit = limit
        pool.start()
    }

    private static func open(_ path: String) throws(OpenFailure) -> CInt {
        // Opening a named pipe without a reader fails at once instead of blocking the start or reload.
        let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o640)
        guard descriptor >= 0 else {
            throw OpenFailure(path: path, reason: errno == ENXIO ? "no program reads this pipe" : LogOutput.words(for: errno))
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return descriptor
    }

    // MARK: Lines

    /// Takes one complete line without its line feed.
    package func write(_ line: some Collection<UInt8>, of stream: LogStream) {
        take(bytes: line.count + 1, lines: 1, of: stream) { $0.append(line, of: stream) }
    }

    /// Takes complete lines with their line feeds, all or none.
    func write(lines: RawSpan, count: Int, of stream: LogStream) {
        take(bytes: lines.byteCount, lines: count, of: stream) { $0.append(lines: lines, count: count, of: stream) }
    }

    private func take(bytes: Int, lines: Int, of stream: LogStream, _ append: (inout LineQueue) -> Void) {
        var mustSchedule = false
        update { state in
            guard state.queue.bytes.count + bytes < Self.room(for: stream, among: state.streams, of: limit) else {
                defer { state.lost[stream] += lines }
                return state.failed("its reader does not keep up", at: .now(), losesAudit: stream == .audit)
            }
            append(&state.queue)
            mustSchedule = !state.isScheduled
            state.isScheduled = true
            return nil
        }
        if mustSchedule { pool.submit { _ in self.drain() } }
    }

    /// The most bytes that may wait after a line of this stream. A quarter is kept for audit records that share the destination, because a
    /// flood of requests fills the rest with access log lines.
    static func room(for stream: LogStream, among streams: Set<LogStream>, of limit: Int) -> Int {
        stream != .audit && streams.contains(.audit) ? limit / 4 * 3 : limit
    }

    /// The file was moved away: what is written from now on goes into a new one. One that cannot be opened leaves the old in use.
    package func reopen() {
        guard path != nil else { return }
        let mustSchedule = state.withLockedValue { state -> Bool in
            state.mustReopen = true
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { pool.submit { _ in self.drain() } }
    }

    // MARK: What became of them

    /// The streams that come here, and how many lines of each were lost since the start.
    var lostLines: [(stream: LogStream, lines: Int)] {
        state.withLockedValue { state in LogStream.allCases.filter(state.streams.contains).map { ($0, state.lost[$0]) } }
    }

    /// Lines cannot be written.
    var isFailing: Bool { failing.load(ordering: .relaxed) }

    /// Audit records are lost, or would be: writes fail, or there is no room for records. May be asked for each request.
    @inline(__always)
    var isAuditFailing: Bool { auditFailing.load(ordering: .relaxed) }

    var failure: SinkFailure? { state.withLockedValue { $0.health.failure } }

    func register(_ stream: LogStream) { state.withLockedValue { _ = $0.streams.insert(stream) } }

    /// Receives failures and recoveries, on any thread. A failure that is under way is reported at once.
    func observe(_ observer: @escaping @Sendable (SinkChange) -> Void) {
        let failure = state.withLockedValue { state in
            state.observer = observer
            return state.health.failure
        }
        if let failure { observer(.failed(failure)) }
    }

    /// Makes the line that tries a failed destination again, about once a second. nil: the next line of a stream does.
    func setProbe(_ probe: (@Sendable (SinkFailure) -> [UInt8])?) { state.withLockedValue { $0.probe = probe } }

    /// Called about once a second: notices a reader that has stopped, and tries a failed destination again.
    func inspect(at now: NIODeadline = .now()) {
        var mustTry = false
        update { state in
            if let write = state.write {
                guard now - write.since >= Self.stallLimit else { return nil }
                return state.failed("its reader has stopped reading", at: now)
            }
            mustTry = state.probe != nil && state.health.mayTryAgain
            return state.settled(at: now)
        }
        if mustTry { pool.submit { _ in self.tryAgain() } }
    }

    /// Changes the state, and reports what that changes about the destination.
    private func update(_ body: (inout State) -> SinkChange?) {
        let (change, observer) = state.withLockedValue { state in
            let change = body(&state)
            if change != nil { failing.store(state.health.isFailing, ordering: .relaxed) }
            if state.auditHealth.isFailing != isAuditFailing { auditFailing.store(state.auditHealth.isFailing, ordering: .relaxed) }
            return (change, state.observer)
        }
        if let change { observer?(change) }
    }

    // MARK: The writer's thread

    private func drain() {
        while true {
            let (queue, mustReopen) = state.withLockedValue { state -> (LineQueue, Bool) in
                let work = (state.queue, state.mustReopen)
                state.queue = LineQueue()
                state.mustReopen = false
                if work.0.isEmpty { state.isScheduled = false } else { state.write = (.now(), work.0.lines()) }
                return work
            }
            if !queue.isEmpty {
                let result = output.withLockedValue { output in
                    output.write(queue.bytes) { state.withLockedValue { $0.write?.since = .now() } }
                }
                finishWrite(result) { queue.lines(from: result.written) }
            }
            if mustReopen { openAnew() }
            if queue.isEmpty { return }
        }
    }

    private func tryAgain() {
        let line = state.withLockedValue { state -> [UInt8]? in
            guard let failure = state.health.failure, let probe = state.probe else { return nil }
            state.write = (.now(), LineCounts())
            return probe(failure) + [0x0A]
        }
        if let line { finishWrite(output.withLockedValue { $0.write(line) }) { LineCounts() } }
    }

    private func finishWrite(_ result: LogOutput.WriteResult, lost: () -> LineCounts) {
        update { state in
            state.write = nil
            guard let error = result.error else { return state.succeeded(at: .now()) }
            defer { state.lost = state.lost + lost() }
            return state.failed(LogOutput.words(for: error), at: .now())
        }
    }

    private func openAnew() {
        guard let path else { return }
        let next: CInt
        do {
            next = try Self.open(path)
        } catch {
            state.withLockedValue(\.observer)?(.notReopened(reason: error.reason))
            return
        }
        output.withLockedValue { output in
            close(output.descriptor)
            output = LogOutput(descriptor: next)
        }
    }

    // MARK: The end

    /// A wait for the lines that were taken before it began.
    struct PendingFlush {
        fileprivate let done: DispatchSemaphore
        fileprivate let writer: LogWriter

        /// Waits until `deadline`; returns the number of lines that still wait.
        func wait(until deadline: NIODeadline) -> Int {
            let nanoseconds = max(0, (deadline - .now()).nanoseconds)
            _ = done.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
            return writer.state.withLockedValue { $0.queue.lines().total + ($0.write?.lines.total ?? 0) }
        }
    }

    func beginFlush() -> PendingFlush {
        let done = DispatchSemaphore(value: 0)
        pool.submit { _ in
            self.drain()
            done.signal()
        }
        return PendingFlush(done: done, writer: self)
    }

    /// Waits until what was taken is written or lost, but not for a reader that has stopped.
    package func flush(within limit: TimeAmount = .seconds(2)) { _ = beginFlush().wait(until: .now() + limit) }
}

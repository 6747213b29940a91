import Glibc
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import Telemetry

@Suite("Destinations of lines")
struct LogWriterTests {
    private func queue(_ lines: [(String, LogStream)]) -> LineQueue {
        var queue = LineQueue()
        for (line, stream) in lines { queue.append(Array(line.utf8), of: stream) }
        return queue
    }

    private func counts(_ access: Int, _ audit: Int) -> LineCounts {
        var counts = LineCounts()
        counts[.access] = access
        counts[.audit] = audit
        return counts
    }

    @Test(
        "issue 19.31: lines that do not end before an offset are lost, the one that was cut among them",
        arguments: [(0, 3, 1), (2, 3, 1), (3, 2, 1), (5, 2, 1), (6, 1, 1), (8, 1, 1), (9, 1, 0), (11, 1, 0), (12, 0, 0)])
    func lostLines(offset: Int, access: Int, audit: Int) {
        let queue = queue([("ab", .access), ("cd", .access), ("ef", .audit), ("gh", .access)])
        #expect(queue.lines(from: offset) == counts(access, audit))
    }

    private func time(_ milliseconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .milliseconds(milliseconds) }

    @Test("issue 19.31: the first failure and the recovery are reported, at most once in a second")
    func health() {
        var health = SinkHealth()
        var changes: [SinkChange?] = [health.succeeded(at: time(1), lost: LineCounts())]
        changes.append(health.failed("full", at: time(10), lost: counts(2, 0)))
        let failure = health.failure
        changes.append(health.failed("full", at: time(20), lost: counts(3, 0)))
        changes.append(health.succeeded(at: time(600), lost: counts(7, 1)))
        #expect(health.isFailing)
        #expect(!health.mayTryAgain)
        changes.append(health.failed("full", at: time(700), lost: counts(7, 1)))
        #expect(health.mayTryAgain)
        changes.append(health.succeeded(at: time(800), lost: counts(8, 1)))
        changes.append(health.settled(at: time(1_699), lost: counts(8, 1)))
        changes.append(health.settled(at: time(1_700), lost: counts(8, 1)))
        #expect(!health.isFailing)
        changes.append(health.settled(at: time(9_000), lost: counts(8, 1)))
        let recovery = failure.map { SinkChange.recovered($0, lost: counts(6, 1), at: time(1_700)) }
        #expect(recovery != nil)
        #expect(changes == [nil, failure.map { .failed($0) }, nil, nil, nil, nil, nil, recovery, nil])
    }

    @Test("issue 19.31: what a full disk refuses is counted for its stream and told")
    func fullDisk() throws {
        let writer = try LogWriter(path: "/dev/full")
        let reports = NIOLockedValueBox<[SinkChange]>([])
        writer.observe { change in reports.withLockedValue { $0.append(change) } }
        writer.register(.audit)
        for _ in 0..<3 { writer.write([0x61], of: .audit) }
        writer.flush()
        #expect(writer.lostLines.map(\.lines) == [3])
        #expect(writer.isFailing)
        #expect(writer.isAuditFailing)
        #expect(writer.failure?.reason == "no space left on device")
        #expect(reports.withLockedValue(\.count) == 1)
    }

    @Test("issue 19.30: a full pipe bounds no wait for it, and its lines are known to be waiting")
    func fullPipe() {
        var ends: [CInt] = [0, 0]
        pipe(&ends)
        let writer = LogWriter(descriptor: ends[1])
        writer.write([UInt8](repeating: 0x61, count: 200_000), of: .access)
        #expect(writer.beginFlush().wait(until: .now() + .milliseconds(50)) == 1)
        // Long enough for whoever looks after it.
        writer.inspect(at: .now() + .seconds(10))
        #expect(writer.isFailing)
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var left = 200_001
        while left > 0, case let count = read(ends[0], &bytes, bytes.count), count > 0 { left -= count }
        #expect(writer.beginFlush().wait(until: .now() + .minutes(2)) == 0)
        close(ends[0])
    }

    @Test("a flood of access log lines leaves room for audit records and closes no gate")
    func floodBesideAuditRecords() {
        var ends: [CInt] = [0, 0]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        let filler = [UInt8](repeating: 0x61, count: 4_096)
        while Glibc.write(ends[1], filler, filler.count) > 0 {}
        let writer = LogWriter(descriptor: ends[1], limit: 4_000)
        let gate = AuditGate(writer)
        writer.register(.access)
        writer.register(.audit)
        let line = [UInt8](repeating: 0x61, count: 99)
        for _ in 0..<2_000 { writer.write(line, of: .access) }
        #expect(writer.isFailing)
        for _ in 0..<9 { writer.write(line, of: .audit) }
        #expect(writer.lostLines.last?.stream == .audit)
        #expect(writer.lostLines.last?.lines == 0)
        #expect(!gate.isClosed)
        // As many as are being written and as can wait, and more.
        for _ in 0..<100 { writer.write(line, of: .audit) }
        #expect(gate.isClosed, "audit records themselves are lost")

        var bytes = [UInt8](repeating: 0, count: 65_536)
        repeat { while read(ends[0], &bytes, bytes.count) > 0 {} } while writer.beginFlush().wait(until: .now() + .milliseconds(20)) > 0
        writer.inspect(at: .now() + .seconds(2))
        #expect(!gate.isClosed, "it opens when records can be written again")
        close(ends[0])
    }

    @Test("a quarter of the room is kept for audit records where they share a destination")
    func room() {
        #expect(LogWriter.room(for: .access, among: [.access, .events], of: 4_000) == 4_000)
        #expect(LogWriter.room(for: .access, among: [.access, .audit], of: 4_000) == 3_000)
        #expect(LogWriter.room(for: .events, among: [.events, .audit], of: 4_000) == 3_000)
        #expect(LogWriter.room(for: .audit, among: [.access, .audit], of: 4_000) == 4_000)
    }

    @Test("a long write to a slow reader tells of its progress, so that it does not count as stopped")
    func progress() {
        let descriptor = open("/dev/null", O_WRONLY)
        var output = LogOutput(descriptor: descriptor)
        var steps = 0
        let result = output.write([UInt8](repeating: 0x61, count: 200_000)) { steps += 1 }
        #expect(result.error == nil)
        #expect(result.written == 200_000)
        #expect(steps == 3)
        close(descriptor)
    }

    @Test("a line that broke off is ended before the next one")
    func tornLine() {
        var ends: [CInt] = [0, 0]
        pipe(&ends)
        var output = LogOutput(descriptor: ends[1])
        for text in ["whole\n", "torn", "next\n"] {
            let result = output.write(Array(text.utf8))
            #expect(result.error == nil)
            #expect(result.written == text.utf8.count)
        }
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(ends[0], &bytes, bytes.count)
        close(ends[0])
        #expect(String(decoding: bytes[..<max(0, count)], as: UTF8.self) == "whole\ntorn\nnext\n")
    }
}

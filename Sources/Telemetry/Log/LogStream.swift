import Primitives
/// A stream of lines. Several may go to one destination.
package enum LogStream: String, Sendable, CaseIterable { case events, access, audit }

/// The number of lines of each stream.
struct LineCounts: Sendable, Equatable {
    private var events = 0
    private var access = 0
    private var audit = 0

    subscript(stream: LogStream) -> Int {
        get {
            switch stream {
            case .events: events
            case .access: access
            case .audit: audit
            }
        }
        set {
            switch stream {
            case .events: events = newValue
            case .access: access = newValue
            case .audit: audit = newValue
            }
        }
    }

    var total: Int { events + access + audit }

    static func + (left: LineCounts, right: LineCounts) -> LineCounts { combine(left, right, +) }
    static func - (left: LineCounts, right: LineCounts) -> LineCounts { combine(left, right, -) }

    private static func combine(_ left: LineCounts, _ right: LineCounts, _ operation: (Int, Int) -> Int) -> LineCounts {
        var result = LineCounts()
        for stream in LogStream.allCases { result[stream] = operation(left[stream], right[stream]) }
        return result
    }
}

/// Lines on their way to one destination, and which stream each belongs to.
struct LineQueue: Sendable {
    /// Neighbouring lines of one stream.
    private struct Run {
        var stream: LogStream
        var lines: Int
        /// The position after its last line.
        var end: Int
    }

    /// Each line with its line feed.
    private(set) var bytes: [UInt8] = []
    private var runs: [Run] = []

    var isEmpty: Bool { bytes.isEmpty }

    /// Takes one line without its line feed.
    mutating func append(_ line: some Collection<UInt8>, of stream: LogStream) {
        bytes.append(contentsOf: line)
        bytes.append(0x0A)
        count(1, of: stream)
    }

    /// Takes `count` lines with their line feeds.
    mutating func append(lines: RawSpan, count: Int, of stream: LogStream) {
        bytes.append(contentsOf: lines)
        self.count(count, of: stream)
    }

    private mutating func count(_ lines: Int, of stream: LogStream) {
        if let last = runs.indices.last, runs[last].stream == stream {
            runs[last].lines += lines
            runs[last].end = bytes.count
        } else {
            runs.append(Run(stream: stream, lines: lines, end: bytes.count))
        }
    }

    /// The lines that do not end before `offset`: what is lost when only so many bytes could be written.
    func lines(from offset: Int = 0) -> LineCounts {
        var counts = LineCounts()
        var start = 0
        for run in runs {
            if start >= offset {
                counts[run.stream] += run.lines
            } else if run.end > offset {
                counts[run.stream] += bytes[offset..<run.end].count { $0 == 0x0A }
            }
            start = run.end
        }
        return counts
    }
}

package import Decisions
package import HTTPWire

/// The counters of one route on one event loop. Plain numbers: only the loop reads and writes them.
package final class RouteCounters {
    /// The values of the label `method`, in the order of their numbers.
    package static let methods = HTTPWire.Method.allCases.map(RouteCounters.label(of:))
    package static let classes = ["other", "1xx", "2xx", "3xx", "4xx", "5xx"]

    package let label: String
    package let escapedLabel: [UInt8]
    package var decisions = (0, 0, 0, 0)
    package var upstream = DurationHistogram()
    /// By the reason that the log shows.
    package var upstreamFailures: [String: Int] = [:]
    /// For each method a block of counts, made when the first request has it.
    @usableFromInline let blocks = UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>.allocate(capacity: RouteCounters.methods.count)

    package static let histogramSize = DurationBounds.bucketCount + 1
    private static let blockSize = StatusSlots.count + classes.count * histogramSize

    package init(label: String) {
        self.label = label
        var escaped: [UInt8] = []
        LogEscaping.append(label, to: &escaped)
        escapedLabel = escaped
        blocks.initialize(repeating: nil, count: Self.methods.count)
    }

    deinit {
        for index in 0..<Self.methods.count { blocks[index]?.deallocate() }
        blocks.deallocate()
    }

    /// Counts a finished request. The duration of a tunnel is not counted: no client waits for its end.
    @inlinable @inline(__always)
    package func ended(method: HTTPWire.Method, status: Int, nanoseconds: UInt64) {
        let block = blocks[Int(method.number)] ?? makeBlock(Int(method.number))
        block[StatusSlots.slot(status)] &+= 1
        guard status != 101 else { return }
        let statusClass = status > 0 ? min(status / 100, 6) % 6 : 4
        let histogram = block + StatusSlots.count + statusClass * Self.histogramSize
        histogram[DurationBounds.bucket(nanoseconds)] &+= 1
        histogram[DurationBounds.bucketCount] &+= nanoseconds
    }

    private static func label(of method: HTTPWire.Method) -> String {
        switch method {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .patch: "PATCH"
        case .other: "_OTHER"
        }
    }

    @usableFromInline func makeBlock(_ method: Int) -> UnsafeMutablePointer<UInt64> {
        let block = UnsafeMutablePointer<UInt64>.allocate(capacity: Self.blockSize)
        block.initialize(repeating: 0, count: Self.blockSize)
        blocks[method] = block
        return block
    }

    /// Counts the verdict of the route's rule.
    @inlinable @inline(__always)
    package func decided(_ decision: RuleVerdict) {
        switch decision {
        case .allow: decisions.0 &+= 1
        case .public: decisions.1 &+= 1
        case .challenge: decisions.2 &+= 1
        case .deny: decisions.3 &+= 1
        }
    }

    /// The counters as a value that may leave the loop.
    package var figures: RouteFigures {
        var figures = RouteFigures()
        for method in 0..<Self.methods.count {
            guard let block = blocks[method] else { continue }
            for slot in 0..<StatusSlots.count where block[slot] > 0 {
                figures.requests[.init(method: method, slot: slot), default: 0] += block[slot]
            }
            for statusClass in 0..<Self.classes.count {
                let start = block + StatusSlots.count + statusClass * Self.histogramSize
                var histogram = DurationHistogram()
                for bucket in 0..<DurationBounds.bucketCount { histogram.buckets[bucket] = start[bucket] }
                histogram.nanoseconds = start[DurationBounds.bucketCount]
                if histogram.count > 0 { figures.durations[.init(method: method, slot: statusClass)] = histogram }
            }
        }
        figures.decisions = [decisions.0, decisions.1, decisions.2, decisions.3]
        figures.upstream = upstream
        figures.upstreamFailures = upstreamFailures
        return figures
    }
}

/// The counts of one route, of one loop or of several together.
package struct RouteFigures: Sendable {
    package struct Key: Sendable, Hashable {
        package var method: Int
        package var slot: Int
    }

    package var requests: [Key: UInt64] = [:]
    package var durations: [Key: DurationHistogram] = [:]
    package var decisions = [0, 0, 0, 0]
    package var upstream = DurationHistogram()
    package var upstreamFailures: [String: Int] = [:]

    package mutating func add(_ other: RouteFigures) {
        requests.merge(other.requests, uniquingKeysWith: +)
        for (key, histogram) in other.durations { durations[key, default: DurationHistogram()].add(histogram) }
        for index in decisions.indices { decisions[index] += other.decisions[index] }
        upstream.add(other.upstream)
        upstreamFailures.merge(other.upstreamFailures, uniquingKeysWith: +)
    }
}

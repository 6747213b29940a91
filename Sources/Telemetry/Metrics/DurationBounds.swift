/// The steps of every histogram of durations: those of OpenTelemetry's `http.server.request.duration`, with finer ones below.
package enum DurationBounds {
    /// Upper bounds in nanoseconds, ascending; beyond the last is one more bucket.
    package static let nanoseconds: [UInt64] = [
        500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000, 500_000_000,
        1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]
    /// The same in seconds, as labels.
    package static let labels = [
        "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "10.0",
    ]
    package static let bucketCount = 15

    /// The bucket a duration falls into. Most requests end in the first comparisons.
    @inlinable @inline(__always)
    package static func bucket(_ duration: UInt64) -> Int {
        nanoseconds.withUnsafeBufferPointer { bounds in
            var index = 0
            while index < bounds.count, duration > bounds[index] { index += 1 }
            return index
        }
    }
}

/// A histogram of durations that has been counted.
package struct DurationHistogram: Sendable, Equatable {
    /// The count of each bucket, not cumulative.
    package var buckets = [UInt64](repeating: 0, count: DurationBounds.bucketCount)
    /// The sum wraps after 584 years of requests, which 10,000 long event streams take in three weeks. A collector reads that as a restart.
    package var nanoseconds: UInt64 = 0

    package var count: UInt64 { buckets.reduce(0, +) }

    package mutating func add(_ duration: UInt64) {
        buckets[DurationBounds.bucket(duration)] += 1
        nanoseconds &+= duration
    }

    package mutating func add(_ other: DurationHistogram) {
        for index in buckets.indices { buckets[index] += other.buckets[index] }
        nanoseconds &+= other.nanoseconds
    }
}
